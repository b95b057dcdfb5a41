import type { PageAnswer } from "#service/edge/page-answer";
import type { OpenCount } from "#service/store/alert-store";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** The parts of the operator's pages, in the order of the navigation. */
export type Section =
  | "monitors"
  | "incidents"
  | "status pages"
  | "maintenance"
  | "reports"
  | "channels"
  | "agents"
  | "settings";

interface Entry {
  readonly section: Section;
  readonly path: string;
  readonly words: string;
  /** The letter that leads there after `g`. */
  readonly letter: string;
  /** Its picture, in a square of 16: what `d` of a path says. */
  readonly drawn: string;
}

/** Where each part begins, and what it is called: first what is looked at each day, then what is set up once. */
const entries: readonly (readonly Entry[])[] = [
  [
    {
      section: "monitors",
      path: "/",
      words: "Monitors",
      letter: "m",
      drawn: "M1.5 8.5h3l2-6 3 11 2-5h3",
    },
    {
      section: "incidents",
      path: "/incidents",
      words: "Incidents",
      letter: "i",
      drawn: "M8 2 14.5 13.5h-13zM8 6.5v3M8 11.5v.1",
    },
    {
      section: "status pages",
      path: "/status-pages",
      words: "Status pages",
      letter: "s",
      drawn: "M2 3h12v10H2zM2 6h12M4.5 9h3M4.5 11h5",
    },
    {
      section: "maintenance",
      path: "/maintenances",
      words: "Maintenance",
      letter: "p",
      drawn: "M2 3.5h12v10H2zM2 7h12M5 1.5v3M11 1.5v3",
    },
    {
      section: "reports",
      path: "/uptime",
      words: "Uptime reports",
      letter: "r",
      drawn: "M2 13.5h12M4 11V7.5M8 11V3M12 11V5.5",
    },
  ],
  [
    {
      section: "channels",
      path: "/channels",
      words: "Channels",
      letter: "c",
      drawn: "M3.5 11.5V7a4.5 4.5 0 0 1 9 0v4.5l1 1h-11zM6.5 14.5h3",
    },
    {
      section: "agents",
      path: "/locations",
      words: "Locations",
      letter: "a",
      drawn: "M2 2.5h12v4H2zM2 9.5h12v4H2zM4.5 4.5v.1M4.5 11.5v.1",
    },
    {
      section: "settings",
      path: "/settings",
      words: "Settings",
      letter: "e",
      drawn:
        "M2 5h6M12 5h2M2 11h2M8 11h6M8 5a2 2 0 1 0 4 0 2 2 0 1 0-4 0M4 11a2 2 0 1 0 4 0 2 2 0 1 0-4 0",
    },
  ],
];

/**
 * Links to all parts; the one that is shown is marked. On a wide screen they are at the side, on a narrow one a button
 * opens them, without a script.
 */
export const navigation = (current: Section | null, mayMake: boolean): Html =>
  html`<nav
    class="rooms"
    id="pages"
    popover
    aria-label="Pages"
    ${mayMake ? html` data-makes` : null}
  >
    ${entries.map((group) => html`<div>${group.map((one) => entryLink(one, current))}</div>`)}
  </nav>`;

const entryLink = ({ section, path, words, letter, drawn }: Entry, current: Section | null): Html =>
  html`<a
    href="${path}"
    data-letter="${letter}"
    ${section === current ? html` aria-current="true"` : null}
    >${icon(drawn)} ${words}</a
  > `;

/** A page whose navigation counts what is open, and in its badge what no one has acknowledged; as it is if none is open. */
export function withOpenIncidents(page: PageAnswer, { open, acknowledged }: OpenCount): PageAnswer {
  if (open === 0) return page;
  const waiting = open - acknowledged;
  const both = `${grouped(open)} open, ${waiting === 0 ? "all acknowledged" : `${grouped(waiting)} not acknowledged`}`;
  const badge = waiting === 0 ? null : html` data-open="${grouped(waiting)}"`;
  const said = html`${incidentsLink}${badge} title="${both}" aria-label="Incidents, ${both}"`;
  return { ...page, body: page.body.replace(incidentsLink.text, said.text) };
}

/** What the link alone has: quotes of other texts are escaped. */
const incidentsLink = html`data-letter="i"`;

/** A line drawing in a square of 16, in the colour of the text next to it. */
export const icon = (drawn: string): Html =>
  html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${drawn}" /></svg>`;

/** Opens what leads anywhere by some letters, if a script may run. */
export const jumpButton: Html = html`<button type="button" class="jump">
  ${icon("M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9M10.5 10.5l3 3")}
  <span>Go to</span> <kbd aria-hidden="true">Ctrl K</kbd>
</button>`;

export const menuButton: Html = html`<button type="button" class="menu" popovertarget="pages">
  ${icon("M2 4h12M2 8h12M2 12h12")} Menu
</button>`;
