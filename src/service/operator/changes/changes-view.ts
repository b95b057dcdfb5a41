import * as limits from "#limits/change-limits";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { listHead } from "#service/operator/lists/list-head";
import { choiceField, textField } from "#service/operator/form-fields";
import {
  actAddress,
  changesAddress,
  type ChangesQuery,
  daysFault,
  everyChange,
} from "#service/operator/changes/changes-query";
import type { Act } from "#service/operator/changes/act-folds";
import { actView } from "#service/operator/changes/entry-view";
import type { MemberNames } from "#service/operator/changes/member-names";
import { kindWords, objectLink } from "#service/operator/changes/changed-objects";
import { capital } from "#base/text";
import type { AuditEntry } from "#service/store/audit/audit-log";

interface ChangesPage {
  readonly query: ChangesQuery;
  readonly acts: readonly Act[];
  /** The number from which older ones continue; null if there are none. */
  readonly older: number | null;
  /** Whether the last act continues on the next page. */
  readonly isCut: boolean;
  /** The zone that the reader chose; null: a script shows that of the browser. */
  readonly zone: string | null;
  /** Files of the whole log, by their addresses; empty for whoever may not have them. */
  readonly names: MemberNames;
  readonly downloads: readonly { readonly path: string; readonly words: string }[];
}

/** Who changed what and when, newest first. */
export const changesView = (page: ChangesPage): Html => {
  const { query, acts, older, isCut, downloads } = page;
  return html`${listHead({
      title: "Audit log",
      count: null,
      sentence:
        "It says who changed what and when, and who signed in: people, API keys, files and the service itself.",
      acts: null,
    })}
    ${filters(page)} ${query.id === "" ? null : ofOneObject(query, newestOf(acts, query.kind))}
    ${acts.length > 0 ? daysView(page) : daysFault(query) === null ? html`<p class="advice">${nothingWords(query)}</p>` : null}
    ${isCut ? html`<p class="words">The last line has more than ${grouped(limits.actEntriesMax)} entries: it continues on the next page.</p>` : null}
    ${pagingView(query, older)}
    <p class="words">Entries are kept for a year. Of a secret only a digest is kept.</p>
    ${
      downloads.length === 0
        ? null
        : html`<p class="advice">
            Download as JSON lines:
            ${downloads.map(({ path, words }) => html`<a href="${path}" download>${words}</a> `)}
          </p>`
    }`;
};

/**
 * Acts under the days that they are of, the newest first: `Sunday, 22 November 2026 (UTC)`. A script puts those of UTC under the
 * days of the browser's zone. An entry that is listed alone is open.
 */
function daysView({ acts, query, names, zone }: ChangesPage): Html {
  const timeZone = zone ?? "UTC";
  const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone });
  const days = Map.groupBy(acts, ([{ at }]) => dayName.format(at));
  const isOpen = acts.flat().length === 1;
  const view = (act: Act): Html => {
    const isWhole = query.act !== null || act.length <= limits.changesShown;
    return actView(act, names, { isOpen, all: isWhole ? null : actAddress(query, act[0].number) });
  };
  const zoneName = timeZone.replaceAll("_", " ");
  const isUtc = zone === null ? html`data-utc` : null;
  return html`${[...days].map(
    ([name, day]) =>
      html`<h2 class="day" ${isUtc}>${name} (${zoneName})</h2>
        <ol class="plain changes-list">
          ${day.map(view)}
        </ol>`,
  )}`;
}

/** Without a script, its days are those of UTC, or of the zone that a person chose. */
function filters({ query, zone }: ChangesPage): Html {
  const daysZone = query.zone === "" ? (zone ?? "UTC") : query.zone;
  const fault = daysFault(query);
  return html`<div class="choices">
    <form
      role="search"
      method="get"
      action="/changes"
      class="filter instant"
      aria-label="Filter"
      data-days
    >
      <input type="hidden" name="zone" value="${daysZone}" />
      ${query.id === "" ? null : html`<input type="hidden" name="id" value="${query.id}" />`}
      ${choiceField("What", "kind", kindChoices, query.kind ?? "")}
      ${field("Name", "name", query.name)} ${field("Who", "who", query.who)}
      ${dayField("From", "since", query.since, daysZone, null)}
      ${dayField("To", "until", query.until, daysZone, fault)}
      <button type="submit">Filter</button>
      ${isFiltered(query) ? html`<a href="/changes">All changes</a>` : null}
    </form>
    ${fault === null ? null : html`<p class="wrong-line" id="days-fault" data-about="until" role="alert">${fault}</p>`}
  </div>`;
}

const dayField = (
  words: string,
  name: "since" | "until",
  value: string,
  zone: string,
  fault: string | null,
): Html =>
  html`<label
    >${words} (<span data-zone-name>${zone.replaceAll("_", " ")}</span>)
    <input
      type="date"
      name="${name}"
      value="${value}"
      ${fault === null ? null : html` aria-invalid="true" aria-describedby="days-fault"`}
    />
  </label>`;

/** Of the object itself: a status page has its subscribers with it. */
const newestOf = (acts: readonly Act[], kind: ChangesQuery["kind"]): AuditEntry | undefined =>
  acts.flat().find(({ subject }) => subject.kind === kind);

/** Which object it is whose page led here; its newest entry knows its name. */
const ofOneObject = ({ kind, id }: ChangesQuery, newest: AuditEntry | undefined): Html | null =>
  kind === null
    ? null
    : kind === "session"
      ? html`<p class="words">
          These are the sign-ins and sessions of ${newest?.name ?? "one person"} alone.
        </p>`
      : html`<p class="words">
          These are the changes of
          ${newest === undefined ? `${kindWords[kind]} ${id}` : objectLink(newest)} alone.
        </p>`;

const field = (words: string, name: string, value: string): Html =>
  textField({ words, name, value, charsMax: limits.changeFilterCharsMax, isSearch: true });

const kindChoices: readonly (readonly [value: string, words: string])[] = [
  ["", "Everything"],
  ...Object.entries(kindWords).map(
    ([kind, words]) => [kind, kind === "session" ? "Sign-ins" : capital(words)] as const,
  ),
];

const isFiltered = (query: ChangesQuery): boolean =>
  query.act !== null || changesAddress(query, null) !== changesAddress(everyChange, null);

const nothingWords = (query: ChangesQuery): string =>
  isFiltered(query) || query.before !== null
    ? "There is no such change."
    : "Nothing was changed since this log began.";

const pagingView = (query: ChangesQuery, older: number | null): Html | null =>
  older === null && query.before === null
    ? null
    : html`<nav class="paging" aria-label="Changes">
        ${query.before === null ? null : html`<a href="${changesAddress(query, null)}">Newest</a>`}
        ${older === null ? null : html`<a href="${changesAddress(query, older)}">Older</a>`}
      </nav>`;
