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
  finalWindow,
  isUnderWay,
  nextWindow,
  type PlannedWindow,
} from "#service/operator/planned/work-under-way";
import { may } from "#service/operator/roles";
import type { MaintenanceRow } from "#service/store/maintenance-store";
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
  const isWhole = offset === 0 && total <= limits.maintenancesListed;
  return html`${listHead({
      title: "Maintenance",
      count: nowWords(page),
      sentence:
        "While planned work is under way, no incident opens, and a status page can say so. While something is silenced, incidents open, but nothing new is sent.",
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
    })}
    ${may(reader, "responder") ? howToSilence : null}`;
}

const howToSilence = html`<p class="words how-to-silence">
  To silence monitors, select them in the <a href="/">list of monitors</a> and press Silence. The
  page of a monitor or an incident has the button, too.
</p>`;

/** Work that repeats may have begun long ago, and is listed by that. */
const elsewhere = html`<p class="advice">Nothing on this page of the list is planned.</p>`;

function nowWords({ running, silences }: MaintenancePage): string {
  if (running.length + silences.length === 0) return "Nothing is under way or silenced";
  const work = running.length === 0 ? [] : [`${running.length} under way`];
  const silent = silences.length === 0 ? [] : [counted(silences.length, "silence")];
  return [...work, ...silent].join(", ");
}

/** Work and silences together; that there are none is said at the top. */
const nowSection = (page: MaintenancePage): Html | null => {
  const { running, silences, picture, reader, at } = page;
  if (running.length + silences.length === 0) return null;
  return html`<section aria-labelledby="now">
    <h2 id="now">Now</h2>
    <ul class="watched">
      ${running.map((row) => maintenanceLine(row, page))}
      ${silences.map((silence) => silenceLine(silence, picture, reader, at))}
    </ul>
  </section>`;
};

const nothingPlanned = (reader: KnownReader): Html =>
  html`<p class="advice">
    Nothing is planned.
    ${mayChange(reader) ? html`<a href="/maintenances/new">Plan work</a> before you do it.` : null}
  </p>`;

const workList = (rows: readonly MaintenanceRow[], page: MaintenancePage): Html =>
  html`<ul class="watched">
    ${rows.map((row) => maintenanceLine(row, page))}
  </ul>`;

function maintenanceLine(row: MaintenanceRow, page: MaintenancePage): Html {
  const { picture, pages, reader, at } = page;
  const window = nextWindow(row, at);
  const shown = window ?? finalWindow(row);
  return html`<li class="planned-row">
    ${stateMark(window, at)}
    <div class="what">
      <h3>${row.title}${filesChip(row.owner)}</h3>
      ${row.message === row.title ? null : html`<div class="said">${reportMarkup(row.message)}</div>`}
      <p class="kind">${shownWords(pages.get(row.page) ?? null)}</p>
    </div>
    <div class="when">
      ${shown === null ? null : windowLines(shown, at)}
      ${row.recurrence === "" ? null : html`<p class="kind">${recurrenceWords(row)} (${row.timeZone})</p>`}
    </div>
    <p class="affects">${affectedNames(row, picture)}</p>
    ${acts(row, at, reader)}
  </li>`;
}

const windowLines = (window: Window, at: EpochMillis): Html =>
  html`<p>${whenWords(window, at)}</p>
    <p class="kind">${minuteOf(window.from)} to ${minuteOf(window.to)}</p>`;

/** Of work on a status page, its own page has the components. */
const affectedNames = (row: MaintenanceRow, picture: Picture): Html =>
  row.monitors.length + row.locations.length === 0
    ? html`<span class="kind">Components of its status page</span>`
    : coveredNames({ ...row, labels: {} }, picture);

function stateMark(window: Window | null, at: EpochMillis): Html {
  if (window === null) return verdictMark("success", "Completed");
  return plannedMark(window.from <= at ? "Now" : "Planned");
}

function whenWords({ from, to }: Window, at: EpochMillis): string {
  const whole = lengthOf(between(from, to));
  if (to <= at) return `${lengthOf(between(to, at))} ago, for ${whole}`;
  return from <= at
    ? `${lengthOf(between(at, to))} left of ${whole}`
    : `in ${lengthOf(between(at, from))}, for ${whole}`;
}

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
    return html`<div class="acts">${updateLink(row)}</div>`;
  const path = `/maintenances/${row.id}`;
  const isNow = isUnderWay(row, at);
  return html`<div class="acts">
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
