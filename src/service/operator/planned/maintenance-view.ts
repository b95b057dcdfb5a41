import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { Silence } from "#service/alerting/silence";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import { removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { type KnownReader, mayChange } from "#service/operator/page-request";
import { listHead, mainAct } from "#service/operator/lists/list-head";
import { pagingNav } from "#service/operator/paging-nav";
import type { Picture } from "#service/operator/picture";
import { filesChip } from "#service/operator/managed-note";
import { coveredNames } from "#service/operator/planned/covered-names";
import { movedNow } from "#service/operator/planned/moved-times";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { skippedLine } from "#service/operator/planned/skipped-times";
import { silenceLine } from "#service/operator/planned/silence-line";
import { pathOfWork, rowActs } from "#service/operator/planned/work-acts";
import {
  cancelButton,
  type Cancellation,
  cancellationEffect,
  cancelWords,
} from "#service/operator/planned/work-cancellation";
import { finalWindow, isRunning, nextWindow } from "#service/operator/planned/work-under-way";
import { shownWords, whenWords, windowWords, workMark } from "#service/operator/planned/work-words";
import { may } from "#service/operator/roles";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

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
  /** What takes back a move of an end; null if none was made. */
  readonly undo: Html | null;
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
    ${noticeLine(notice)} ${page.undo} ${offset === 0 ? nowSection(page) : null}
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
    ${workMark(window, at)}
    <div class="what">
      <h3><a href="${pathOfWork(row)}">${row.title}</a>${filesChip(row.owner)}</h3>
      ${row.message === row.title ? null : html`<div class="said">${reportMarkup(row.message)}</div>`}
      <p class="kind">${shownWords(pages.get(row.page) ?? null)}</p>
    </div>
    <div class="when">
      ${
        shown === null
          ? null
          : html`<p>${whenWords(shown, at)}</p>
              <p class="kind">${windowWords(shown)}</p>`
      }
      ${row.recurrence === "" ? null : html`<p class="kind">${recurrenceWords(row)} (${row.timeZone})</p>`}
      ${movedNow(row, at)} ${skippedLine(row, at)}
    </div>
    <p class="affects">${affectedNames(row, picture)}</p>
    ${rowActs(row, at, reader)}
  </li>`;
}

/** Of work on a status page, its own page has the components. */
const affectedNames = (row: MaintenanceRow, picture: Picture): Html =>
  row.monitors.length + row.locations.length === 0
    ? html`<span class="kind">Components of its status page</span>`
    : coveredNames({ ...row, labels: {} }, picture);

/** Asks once. */
export const deletionView = (
  row: MaintenanceRow,
  shown: StatusPageRow | null,
  cancellation: Cancellation | null,
  picture: Picture,
  reader: KnownReader,
): Html => {
  const window = nextWindow(row, picture.at) ?? finalWindow(row);
  return removalView({
    reader,
    owner: row.owner,
    back: { path: pathOfWork(row), words: row.title },
    title: `Delete the maintenance ${row.title}?`,
    facts: [
      ...(window === null ? [] : [["When", windowWords(window)] as const]),
      ...(row.recurrence === ""
        ? []
        : [["Repeats", `${recurrenceWords(row)} (${row.timeZone})`] as const]),
      ["Covers", affectedNames(row, picture)],
    ],
    effects: [
      ...(row.recurrence === "" ? [] : ["All times at which it repeats go with it."]),
      shown === null
        ? "It goes from this list. No status page shows it."
        : `It goes from this list and from the status page “${shown.definition.title}”.`,
      ...(isRunning(row, picture.at)
        ? ["Monitors that it covers open incidents again at once."]
        : []),
      ...(cancellation === null ? [] : [cancellationEffect(cancellation)]),
    ],
    undo: tenMinutes,
    action: `/maintenances/${row.id}/delete`,
    button: "Delete maintenance",
    also: cancellation === null ? null : [cancelButton, cancelWords(cancellation)],
  });
};
