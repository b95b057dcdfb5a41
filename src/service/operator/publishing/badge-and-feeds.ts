import { html, type Html } from "#web/page/html";
import { pageAddress } from "#service/status-site/page-address";
import type { KnownReader } from "#service/operator/page-request";
import {
  badgeChoiceForm,
  badgeChoiceIn,
  badgePath,
} from "#service/operator/publishing/share/badge-choice";
import { boxPart } from "#service/operator/publishing/share/box-part";
import { copiedLine, quoted } from "#service/operator/publishing/share/copied-line";
import { tabPath } from "#service/operator/publishing/page-tabs";
import { may } from "#service/operator/roles";
import { badgeHeights } from "#service/status-site/documents/badge";
import type { ComponentRow, StatusPageRow } from "#service/store/page-store";

interface SharedPage {
  readonly row: StatusPageRow;
  readonly reader: KnownReader;
  /** The service's own, as it is known, else as this browser came: without a slash at its end. */
  readonly address: string;
  /** Whether the page's address is one that its readers have, too. */
  readonly isAddressKnown: boolean;
  readonly components: readonly ComponentRow[];
  /** Which badge is chosen, as the address of the tab says it. */
  readonly choices: URLSearchParams;
}

/** What other sites and programs may take from a status page: its badge, its feeds, and where they are. */
export function badgeAndFeeds(shared: SharedPage): Html {
  const { row, reader, address, isAddressKnown } = shared;
  const page = pageAddress(row, address) ?? "";
  return html`<section aria-labelledby="shared" class="form shared unprinted">
    <h2 id="shared">Badge and feeds</h2>
    ${isAddressKnown ? null : asThisBrowser(reader, row)} ${whoGetsThem(row)}
    ${badgePart(shared, page)} ${row.definition.access === "public" ? boxPart(shared, page) : null}
    <fieldset class="group">
      <legend>Feeds</legend>
      <p class="help">Reports and planned work as they come, for feed readers and programs.</p>
      ${feeds.map(([id, label, path]) => copiedLine(id, label, `${page}/${path}`))}
    </fieldset>
  </section>`;
}

/** The badge that is chosen, as it is now, and all that it takes to show it elsewhere. */
function badgePart({ row, components, choices }: SharedPage, page: string): Html {
  const choice = badgeChoiceIn(choices, components);
  const { component, look } = choice;
  const path = badgePath(choice);
  const badge = `${page}${path}`;
  const words = component?.name ?? row.definition.title;
  const json = component === null ? "badge.json" : `badge/${component.id}.json`;
  return html`<fieldset class="group">
    <legend>Badge</legend>
    <p class="help">
      It shows the state as it is, and leads to the page. Choose it, then paste it into a site or a
      README.
    </p>
    ${badgeChoiceForm(tabPath(row.id, "share"), choice, components, choices.get("box") ?? "")}
    <p class="badge-shown ${look.theme}">
      <img
        src="/status-pages/${row.id}/preview${path}"
        height="${badgeHeights[look.size]}"
        alt="The badge as it is now"
      />
    </p>
    ${copiedLine("html", "HTML", `<a href="${page}"><img src="${quoted(badge)}" alt="${quoted(words)}"></a>`)}
    ${copiedLine("markdown", "Markdown", `[![${inBrackets(words)}](${badge})](${page})`)}
    ${copiedLine("badge", "Address of the picture", badge)}
    ${copiedLine("shields", "The same for shields.io", `${page}/${json}`)}
  </fieldset>`;
}

const feeds = [
  ["rss", "RSS", "feed/rss"],
  ["atom", "Atom", "feed/atom"],
  ["json-feed", "JSON Feed", "feed/json"],
  ["calendar", "Calendar of planned work", "calendar.ics"],
  ["summary", "State for programs (JSON)", "summary.json"],
] as const;

const asThisBrowser = (reader: KnownReader, { id }: StatusPageRow): Html =>
  html`<p class="advice">
    These addresses begin as in this browser. If readers use another address, an owner gives it in
    ${may(reader, "owner") ? html`<a href="/settings/service">Settings → Service</a>` : "Settings → Service"},
    or give this page a domain in <a href="/status-pages/${id}/settings">its settings</a>.
  </p>`;

/** A draft has no readers yet, and a closed page does not open by its badge. */
function whoGetsThem({ definition: { published, access } }: StatusPageRow): Html | null {
  if (!published) return html`<p class="advice">They work once the page is published.</p>`;
  if (access === "public") return null;
  return html`<p class="advice">
    Only those who may read the page get them: to everyone else, a badge on another site shows no
    picture.
  </p>`;
}

const inBrackets = (text: string): string => text.replaceAll(/[[\]\\]/g, String.raw`\$&`);
