import { counted, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import * as limits from "#limits/pages-limits";
import type { Window } from "#service/alerting/maintenance";
import type { Silence } from "#service/alerting/silence";
import { plannedMark, verdictMark } from "#web/page/verdict-mark";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { buttonForm, ownForm } from "#service/operator/form-fields";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import { filesChip, managedNote } from "#service/operator/managed-note";
import { coveredNames } from "#service/operator/planned/covered-names";
import { extensionForm } from "#service/operator/planned/extensions";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { silenceLine } from "#service/operator/planned/silence-line";
import {
  isUnderWay,
  nextWindow,
  type PlannedWindow,
} from "#service/operator/planned/work-under-way";
import { may } from "#service/operator/roles";
import type { MaintenanceRow } from "#service/store/alert-store";
import type { StatusPageRow } from "#service/store/page-store";
import { between, type EpochMillis } from "#base/units";

interface MaintenancePage {
  /** What is under way. */
  readonly running: readonly MaintenanceRow[];
  /** What is not, of one page of the list: the latest first. */
  readonly rows: readonly MaintenanceRow[];
  /** The status pages that show them, by their ids. */
  readonly pages: ReadonlyMap<string, StatusPageRow>;
  /** Of the list. */
  readonly total: number;
  readonly offset: number;
  readonly silences: readonly Silence[];
  readonly picture: Picture;
  readonly at: EpochMillis;
  readonly reader: KnownReader;
  /** What became of a form, or what is wrong with it; null if none was sent. */
  readonly notice: FormNotice | null;
}

/** What is under way or silenced now, what is planned, and what is past. */
export function maintenanceView(page: MaintenancePage): Html {
  const { rows, total, offset, at, reader, notice } = page;
  const planned = rows
    .flatMap((row) => {
      const window = nextWindow(row, at);
      return window === null ? [] : [{ row, from: window.from }];
    })
    .toSorted((a, b) => a.from - b.from)
    .map(({ row }) => row);
  const past = rows.filter((row) => !planned.includes(row));
  const isWhole = offset === 0 && total <= rows.length;
  return html`${listHead({
      title: "Maintenance",
      count: nowWords(page),
      sentence:
        "While planned work is under way, no incident opens, and a status page can say so. While something is silenced, incidents open, but nothing is sent.",
      acts: mayChange(reader) ? mainAct("/maintenances/new", "Plan maintenance") : null,
    })}
    ${noticeLine(notice)} ${offset === 0 ? nowSection(page) : null}
    <section aria-labelledby="planned">
      <h2 id="planned">Planned</h2>
      ${planned.length > 0 ? workList(planned, page) : isWhole ? nothingPlanned(reader) : elsewhere}
    </section>
    ${
      past.length === 0
        ? null
        : html`<section aria-labelledby="past">
            <h2 id="past">Past</h2>
            ${workList(past, page)}
          </section>`
    }
    ${pagingNav({
      label: "More maintenance",
      offset,
      size: limits.maintenancesListed,
      matched: total,
      to: (to) => `/maintenances?offset=${to}`,
    })}`;
}

/** Work that repeats may have begun long ago, and is listed by that. */
const elsewhere = html`<p class="advice">Nothing on this page of the list is planned.</p>`;

function nowWords({ running, silences }: MaintenancePage): string {
  const work = running.length === 0 ? "No maintenance now" : `${running.length} under way`;
  return silences.length === 0 ? work : `${work}, ${counted(silences.length, "silence")}`;
}

/** Work and silences together: of each, monitors that fail now may say nothing. */
const nowSection = (page: MaintenancePage): Html => {
  const { running, silences, picture, reader, at } = page;
  return html`<section aria-labelledby="now">
    <h2 id="now">Now</h2>
    ${
      running.length + silences.length === 0
        ? html`<p class="advice">Nothing is under way, and nothing is silenced.</p>`
        : html`<ul class="watched incidents">
            ${running.map((row) => maintenanceLine(row, page))}
            ${silences.map((silence) => silenceLine(silence, picture, reader, at))}
          </ul>`
    }
    ${
      may(reader, "responder")
        ? html`<p class="words">
            To silence monitors, select them in the <a href="/">list of monitors</a> and press
            Silence. The page of a monitor or an incident has the button, too.
          </p>`
        : null
    }
  </section>`;
};

const nothingPlanned = (reader: KnownReader): Html =>
  html`<p class="advice">
    Nothing is planned.
    ${mayChange(reader) ? html`<a href="/maintenances/new">Plan work</a> before you do it.` : null}
  </p>`;

const workList = (rows: readonly MaintenanceRow[], page: MaintenancePage): Html =>
  html`<ul class="watched incidents">
    ${rows.map((row) => maintenanceLine(row, page))}
  </ul>`;

function maintenanceLine(row: MaintenanceRow, page: MaintenancePage): Html {
  const { picture, pages, reader, at } = page;
  const window = nextWindow(row, at);
  const { from, to } = window ?? row;
  return html`<li class="incident event">
    ${stateMark(window, at)}
    <h3>${row.title}${filesChip(row.owner)}</h3>
    ${window === null ? null : html`<span class="length">${whenWords(window, at)}</span>`}
    ${row.message === row.title ? null : html`<div class="why said">${reportMarkup(row.message)}</div>`}
    <p class="meta">
      <span>${minuteOf(from)} to ${minuteOf(to)}, ${lengthOf(between(from, to))}</span>
      ${row.recurrence === "" ? null : html`<span class="names">${recurrenceWords(row)} (${row.timeZone})</span>`}
      <span class="names">${coveredNames({ ...row, labels: {} }, picture)}</span>
      <span class="names">${shownWords(pages.get(row.page) ?? null)}</span>
    </p>
    ${acts(row, at, reader)}
  </li>`;
}

function stateMark(window: Window | null, at: EpochMillis): Html {
  if (window === null) return verdictMark("success", "Completed");
  return plannedMark(window.from <= at ? "Now" : "Planned");
}

const whenWords = ({ from, to }: Window, at: EpochMillis): string =>
  from <= at ? `${lengthOf(between(at, to))} left` : `in ${lengthOf(between(at, from))}`;

/** Where readers see planned work; `page` null: it is on none. */
export function shownWords(page: StatusPageRow | null): string {
  if (page === null) return "No status page shows it.";
  const { title, published } = page.definition;
  return published
    ? `The status page “${title}” shows it.`
    : `The status page “${title}” is a draft: publish it, and its readers see this.`;
}

/** Work of a file is changed there: the next reading of the file would bring it back. */
function acts(row: MaintenanceRow, at: EpochMillis, reader: KnownReader): Html | null {
  if (!may(reader, "responder")) return null;
  if (!mayChange(reader) || row.owner !== "")
    return html`<div class="next acts">${updateLink(row)}</div>`;
  const path = `/maintenances/${row.id}`;
  const isNow = isUnderWay(row, at);
  return html`<div class="next acts">
    ${isNow ? buttonForm(`${path}/end`, reader, "End now", row.title) : null}
    ${isNow ? extensionForm(`${path}/extend`, reader, row.title) : null} ${updateLink(row)}
    <a class="button small" href="${path}/edit" aria-label="Edit ${row.title}">Edit</a>
    <a class="button small" href="${path}/delete" aria-label="Delete ${row.title}">Delete</a>
  </div>`;
}

/** Work that takes longer, or goes well, is said where it was announced. */
const updateLink = ({ id, title }: MaintenanceRow): Html =>
  html`<a
    class="button small"
    href="/maintenances/${id}/updates"
    aria-label="Post an update: ${title}"
    >Post an update</a
  >`;

/** Asks once. */
export const deletionView = (row: MaintenanceRow, reader: KnownReader): Html =>
  html`<p class="back"><a href="/maintenances">Maintenance</a></p>
    <h1 class="page">Delete ${row.title}?</h1>
    <p class="lede-line">
      ${row.recurrence === "" ? "It goes" : `It goes with all times at which it repeats: ${recurrenceWords(row)}. It goes`}
      from this list and from its status page. Monitors open incidents again at once. This cannot be
      undone.
    </p>
    ${
      row.owner === ""
        ? ownForm(
            `/maintenances/${row.id}/delete`,
            reader,
            html`<button type="submit" class="danger">Delete</button>
              <a href="/maintenances">Cancel</a>`,
          )
        : managedNote(row.owner)
    }`;

/** The window that something is in now; nothing if it is in none. */
export const windowNote = (window: PlannedWindow | null, at: EpochMillis): Html | null =>
  window === null
    ? null
    : html`<p class="advice">
        Under maintenance for
        <time datetime="${isoTime(window.to)}">${lengthOf(between(at, window.to))}</time> more:
        <a href="/maintenances">${window.title}</a>. ${window.message}
      </p>`;
