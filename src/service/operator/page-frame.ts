import { capital } from "#base/text";
import type { PageAnswer } from "#service/edge/page-answer";
import { html, type Html } from "#web/page/html";
import { dayAndMinute, isoTime, timeOfDay } from "#web/page/format";
import { earlyScriptTag, scriptTag } from "#service/operator/script-tag";
import { jumpButton, menuButton, navigation, type Section } from "#service/operator/navigation";
import { logo } from "#web/page/logo";
import { may, roleWords } from "#service/operator/roles";
import { type FrameDays, zoneMark, zoneNote } from "#service/operator/zones/zoned-page";
import type { Reader } from "#service/operator/reader";
import { type EpochMillis, epochMillis } from "#base/units";

export interface PageFrame {
  /** What the tab says, the most urgent first. */
  readonly title: string;
  /** Where the same is for programs; null of a page that says nothing of the service. */
  readonly document: string | null;
  readonly at: EpochMillis;
  readonly version: string;
  readonly reader: Reader;
  /** Which part of the pages it is in; null: none. */
  readonly section: Section | null;
  readonly content: Html;
  /** Days of UTC, unless it says so. */
  readonly days?: FrameDays;
}

/** What all operator's pages have around them. */
export function pageFrame(frame: PageFrame): string {
  const { title, document, at, version, reader, section, content, days = "UTC" } = frame;
  const isOpen = reader.kind !== "stranger";
  const programs =
    document === null
      ? null
      : html`<span class="programs unprinted">
          The same for programs: <a href="${document}">${document}</a>.</span
        >`;
  return html`<!doctype html>
    <html lang="en" ${zoneMark(reader)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${isOpen && /\sautofocus\b/.test(content.text) ? earlyScriptTag("typed-early") : null}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/style.css" />
        ${isOpen ? scriptTag("live") : scriptTag("outside")}
      </head>
      <body class="operator${isOpen ? " open" : ""}">
        <a class="skip" href="#content">Skip to content</a>
        <header>
          <div class="rail">
            <p class="brand"><a href="/">${logo} Picket</a></p>
            ${reader.kind === "stranger" ? null : html`${jumpButton} ${navigation(section, may(reader, "editor"))}`}
            <div class="seen-by">
              ${isOpen ? asOf(at) : null} ${whoReads(reader)} ${isOpen ? menuButton : null}
            </div>
          </div>
        </header>
        <main id="content">${content}</main>
        <footer>
          <p>Picket ${version}. ${zoneNote(reader, days)}${programs}</p>
        </footer>
      </body>
    </html> `.text;
}

/** What the content of every page begins with. */
export const contentBegins = '<main id="content">';

/** The answer to a form is at no address: a script that renewed it from there would show another page in its place. */
export const withoutRenewal = (page: PageAnswer): PageAnswer => ({
  ...page,
  body: page.body.replace(contentBegins, '<main id="content" data-once>'),
});

const longAgo = epochMillis(0);

/** Without a script a link renews the page. On paper the time has its day in every zone, as one that comes long after another has. */
const asOf = (at: EpochMillis): Html =>
  html`<p class="asof">
    <span
      ><span class="wordy">As of </span
      ><time datetime="${isoTime(at)}" class="unprinted">${timeOfDay(at)}</time
      ><time datetime="${isoTime(at)}" class="printed" data-after="${isoTime(longAgo)}"
        >${dayAndMinute(at)}</time
      ></span
    >
    <a href="">Refresh</a>
  </p>`;

/** Who is signed in, as a button that opens what they can do about it. */
function whoReads(reader: Reader): Html | null {
  if (reader.kind !== "signed in") return null;
  const { role } = reader;
  // A key's name alone reads as that of a person.
  const name = reader.who.startsWith("key ") ? `key “${reader.name}”` : reader.name;
  return html`<button
      type="button"
      class="account"
      popovertarget="account"
      aria-label="Account: ${name}, ${role}"
    >
      ${personIcon} <span>${name}</span> <small>${role}</small>
    </button>
    <div class="card out" id="account" popover>
      <p><strong>${name}</strong></p>
      <p class="words"><strong>${capital(role)}</strong>: you may ${roleWords[role]}.</p>
      <p><a href="/settings">Profile</a></p>
      <p><a href="/settings/sessions">Sessions</a></p>
      <form method="post" action="/sign-out">
        <input type="hidden" name="form" value="${reader.formToken}" />
        <button type="submit">Sign out</button>
      </form>
    </div>`;
}

const personIcon = html`<svg viewBox="0 0 16 16" aria-hidden="true">
  <circle cx="8" cy="5" r="3" />
  <path d="M2 14c.6-3.300 3-5 6-5s5.400 1.700 6 5" />
</svg>`;
