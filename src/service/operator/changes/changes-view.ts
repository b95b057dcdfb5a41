import * as limits from "#limits/change-limits";
import { html, type Html } from "#web/page/html";
import { listHead } from "#service/operator/lists/list-head";
import { choiceField, textField } from "#service/operator/form-fields";
import {
  changesAddress,
  type ChangesQuery,
  everyChange,
} from "#service/operator/changes/changes-query";
import { actsOf } from "#service/operator/changes/act-folds";
import { actView } from "#service/operator/changes/entry-view";
import type { MemberNames } from "#service/operator/changes/member-names";
import { kindWords, objectLink } from "#service/operator/changes/changed-objects";
import { capital } from "#base/text";
import type { AuditEntry } from "#service/store/audit/audit-log";

interface ChangesPage {
  readonly query: ChangesQuery;
  readonly entries: readonly AuditEntry[];
  /** The number from which older ones continue; null if there are none. */
  readonly older: number | null;
  /** Files of the whole log, by their addresses; empty for whoever may not have them. */
  readonly names: MemberNames;
  readonly downloads: readonly { readonly path: string; readonly words: string }[];
}

/** Who changed what and when, newest first. */
export const changesView = ({ query, entries, older, downloads, names }: ChangesPage): Html =>
  html`${listHead({
      title: "Audit log",
      count: null,
      sentence:
        "It says who changed what and when: people, API keys, files and the service itself.",
      acts: null,
    })}
    ${filters(query)} ${query.id === "" ? null : ofOneObject(query, entries)}
    ${
      entries.length === 0
        ? html`<p class="advice">${nothingWords(query)}</p>`
        : daysOf(entries).map((day) => dayView(day, names, entries.length === 1))
    }
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

/** Entries by the days that they are of, the newest first. */
const daysOf = (entries: readonly AuditEntry[]): readonly (readonly AuditEntry[])[] => [
  ...Map.groupBy(entries, ({ at }) => dayName.format(at)).values(),
];

/** An entry that is listed alone is open. */
const dayView = (day: readonly AuditEntry[], names: MemberNames, isAlone: boolean): Html =>
  html`<h2 class="day">${day[0] === undefined ? null : dayName.format(day[0].at)} (UTC)</h2>
    <ol class="plain changes-list">
      ${actsOf(day).map((act) => actView(act, names, isAlone))}
    </ol>`;

/** `Sunday, 22 November 2026`: entries are kept for a year. */
const dayName = new Intl.DateTimeFormat("en-GB", { dateStyle: "full", timeZone: "UTC" });

const filters = (query: ChangesQuery): Html =>
  html`<div class="choices">
    <form role="search" method="get" action="/changes" class="filter instant" aria-label="Filter">
      ${query.id === "" ? null : html`<input type="hidden" name="id" value="${query.id}" />`}
      ${choiceField("What", "kind", kindChoices, query.kind ?? "")}
      ${field("Name", "name", query.name)} ${field("Who", "who", query.who)}
      <label>From <input type="date" name="since" value="${query.since}" /></label>
      <label>To <input type="date" name="until" value="${query.until}" /></label>
      <button type="submit">Filter</button>
      ${isFiltered(query) ? html`<a href="/changes">All changes</a>` : null}
    </form>
  </div>`;

/** Which object it is whose page led here; its newest entry knows its name. */
const ofOneObject = ({ kind, id }: ChangesQuery, [newest]: readonly AuditEntry[]): Html | null =>
  kind === null
    ? null
    : html`<p class="words">
        These are the changes of
        ${newest === undefined ? `${kindWords[kind]} ${id}` : objectLink(newest)} alone.
      </p>`;

const field = (words: string, name: string, value: string): Html =>
  textField({ words, name, value, charsMax: limits.changeFilterCharsMax, isSearch: true });

const kindChoices: readonly (readonly [value: string, words: string])[] = [
  ["", "Everything"],
  ...Object.entries(kindWords).map(([kind, words]) => [kind, capital(words)] as const),
];

const isFiltered = (query: ChangesQuery): boolean =>
  changesAddress(query, null) !== changesAddress(everyChange, null);

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
