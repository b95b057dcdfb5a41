import { pairWords } from "#service/operator/lists/label-words";
import type { Objective } from "#check/alert-policy";
import { figureTable, type TableHead } from "#service/edge/figure-table";
import { changeFigure, uptimeChange } from "#service/operator/reports/uptime-change";
import { usedUpInPeriod } from "#service/operator/reports/error-budget";
import { listHead } from "#service/operator/lists/list-head";
import { sortArrow } from "#service/operator/lists/sort-arrow";
import {
  firstReportSort,
  reportDirections,
  type ReportSort,
  sortedRows,
} from "#service/operator/reports/report-order";
import { choiceForm, reportQuery } from "#service/operator/reports/report-choices";
import { firstSince, reportSummary } from "#service/operator/reports/report-summary";
import { downtimeChart } from "#service/operator/reports/downtime-chart";
import { downtimeDays } from "#service/operator/reports/downtime-days";
import { outageSection } from "#service/operator/reports/outage-section";
import {
  periodBefore,
  periodNoun,
  periodWhen,
  reportedDaysWords,
  type ReportPeriod,
  type TypedDays,
} from "#service/operator/reports/report-period";
import {
  objectivesInWords,
  objectiveState,
  type ObjectiveState,
  overBy,
} from "#service/operator/reports/objective-words";
import type {
  MonthChoice,
  ReportChoice,
  ReportRow,
  UptimeReport,
} from "#service/operator/reports/uptime-report";
import { uptimeWords } from "#web/page/chart/calendar";
import {
  dayAndMinute,
  downtimeOf,
  grouped,
  isoTime,
  lengthOf,
  monthDay,
  latencyWords,
} from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

interface ReportPage extends UptimeReport {
  readonly choice: ReportChoice;
  readonly typed: TypedDays;
  readonly sort: ReportSort;
  readonly months: readonly MonthChoice[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** Days of monitors as a page that is fit for paper. */
export function uptimeReportView(page: ReportPage): Html {
  const { period, rows, choice } = page;
  const title = page.pages.find(({ id }) => id === choice.page)?.title ?? "";
  const of = [title, pairWords(choice.label)].filter((one) => one !== "").join(", ");
  const query = reportQuery(choice);
  return html`${listHead({
    title: "Uptime report",
    count: `${reportedDaysWords(period)}: ${of === "" ? "all monitors" : of}`,
    sentence: html`How long each monitor was up from ${beginWords(page)} to ${endWords(period)}, and
    what went wrong.`,
    acts: html`<button type="button" class="print" data-prints>Print</button>
      <a class="button" href="/uptime.csv?${query}">CSV</a>
      <a class="button" href="/uptime.json?${query}">JSON</a>`,
  })}
  ${choiceForm(page)}
  ${isEmpty(rows) ? html`<p class="advice">${emptyWords(page)}</p>` : figures(page)}`;
}

/** `1 Nov`, with `(UTC)` if no other day says so, or since when there is data: `29 Nov, 10:12 UTC`, which a script shows in the reader's zone. */
function beginWords({ period, rows }: ReportPage): Html {
  const since = firstSince(rows);
  if (since !== null) return minuteOf(since);
  return html`${monthDay(period.from)}${period.hasEnded ? null : " (UTC)"}`;
}

/** `30 Nov (UTC)`, or how far the period has come. */
const endWords = ({ to, hasEnded }: ReportPeriod): Html =>
  hasEnded ? html`${monthDay(epochMillis(to - 1))} (UTC)` : minuteOf(to);

/** Nothing is known of the period. */
const isEmpty = (rows: readonly ReportRow[]): boolean =>
  rows.every(({ uptime, incidents }) => uptime === null && incidents === 0);

const emptyWords = ({ rows, period }: ReportPage): string =>
  rows.length === 0
    ? "No monitor is in this report. Choose another label or page."
    : `Nothing was checked ${periodWhen(period)}. Choose ${period.kind === "days" ? "other days" : `another ${period.kind}`}.`;

function figures(page: ReportPage): Html {
  const { period, rows, sort } = page;
  const columns = columnsFor(page);
  const since = firstSince(rows);
  return html`${reportSummary(page)} ${objectiveSentence(page)}
    ${downtimeChart(downtimeDays(rows), period, since)}
    <section aria-labelledby="uptime" class="report">
      <h2 id="uptime">Monitors</h2>
      ${figureTable(
        "Table of monitors",
        headsOf(page),
        sortedRows(rows, sort).map((row) => line(row, columns, since)),
      )}
      <p class="words">
        Uptime is of the time that checks saw, in UTC, with planned maintenance: status pages leave
        that out. Degraded time counts as up.
        ${hasBefore(rows) ? `The column ${changeHead(period)} has the difference to ${periodBefore(period).words}, in percentage points.` : null}
        ${hasObjective(rows) ? `Objectives and budgets are those of ${reportedDaysWords(period)} here: of the time that was seen${period.hasEnded ? "" : `, and of the rest of ${periodNoun(period)}`}. The page of a monitor has the last days that its objective names, so its figure is another.` : null}
      </p>
    </section>
    ${outageSection(page)}`;
}

/** Whether the objectives are met, in one sentence; without one, how to have some. */
function objectiveSentence({ rows, period }: ReportPage): Html | null {
  const words = objectivesInWords(rows, period);
  if (words !== null) return html`<p class="objective">${words}</p>`;
  return hasObjective(rows)
    ? null
    : html`<p class="words unprinted">
        No monitor here has an objective. Give it one in its form, for example 99.9% over 30d: the
        report then says whether it is met, and what is left of its error budget.
      </p>`;
}

/** A column of the report: its head, and what a row has in it. */
interface ReportColumn {
  readonly head: string;
  /** What its head sorts by; null: it does not sort. */
  readonly sort: ReportSort | null;
  readonly cell: (row: ReportRow) => Html | string;
  /** Whether it has words, for which a phone needs more room. */
  readonly isLong?: true;
}

/** Those that are of use: without an objective there is no budget, and without a period before no comparison. */
function columnsFor({
  rows,
  period,
}: Pick<ReportPage, "rows" | "period">): readonly ReportColumn[] {
  const all: readonly (ReportColumn | null)[] = [
    {
      head: "Uptime",
      sort: "uptime",
      cell: ({ known, down }) => uptimeWords(known, down) ?? "no data",
    },
    hasBefore(rows)
      ? {
          head: changeHead(period),
          sort: "change",
          cell: (row) => changeFigure(uptimeChange(row)),
        }
      : null,
    { head: "Down", sort: "down", cell: ({ down }) => (down === 0 ? "–" : downtimeOf(down)) },
    { head: "Incidents", sort: "incidents", cell: incidentsOf },
    {
      head: "Median",
      sort: "median",
      cell: ({ median }) => (median === null ? "–" : latencyWords(median)),
    },
    ...(hasObjective(rows) ? budgetColumns(period) : []),
  ];
  return all.filter((one) => one !== null);
}

/** `vs Oct`, or `vs before`: it has room on a phone. */
const changeHead = (period: ReportPeriod): string => `vs ${periodBefore(period).short}`;

const budgetColumns = (period: ReportPeriod): readonly ReportColumn[] => [
  {
    head: "Objective",
    sort: null,
    isLong: true,
    cell: (row) => (row.objective === null ? "–" : objectiveWords(row, row.objective, period)),
  },
  {
    head: `Budget left${period.kind === "month" ? ` in ${reportedDaysWords(period).slice(0, 3)}` : ""}`,
    sort: "budget",
    isLong: true,
    cell: (row) => (row.budgetLeft === null ? "–" : leftWords(row.budgetLeft, row, period)),
  },
];

const incidentsOf = ({ id, incidents }: ReportRow): Html | string =>
  incidents === 0 ? "0" : html`<a href="/incidents?monitor=${id}">${grouped(incidents)}</a>`;

/** A head that sorts: by what is worst in its column, or by name. */
function sortingHead(words: string, by: ReportSort, { choice, sort }: ReportPage): TableHead {
  const order = by === "name" ? "" : ", worst first";
  const to = by === firstReportSort ? "" : `&sort=${by}`;
  const sorted = reportDirections[by];
  const isCurrent = by === sort;
  const head = html`<a
    href="/uptime?${reportQuery(choice)}${to}"
    aria-label="${words}${order}"
    ${isCurrent ? html` aria-current="true"` : null}
    >${words}${isCurrent ? sortArrow[sorted] : null}</a
  >`;
  return isCurrent ? { head, sorted } : head;
}

const headsOf = (page: ReportPage): readonly TableHead[] => [
  sortingHead("Monitor", "name", page),
  ...columnsFor(page).map(({ head, sort }) =>
    sort === null ? head : sortingHead(head, sort, page),
  ),
];

const hasObjective = (rows: readonly ReportRow[]): boolean =>
  rows.some(({ objective }) => objective !== null);

const hasBefore = (rows: readonly ReportRow[]): boolean =>
  rows.some(({ before }) => before.known > 0);

/** On a phone each cell says what it is, so it has the words of its head. */
const line = (row: ReportRow, columns: readonly ReportColumn[], since: EpochMillis | null): Html =>
  html`<tr>
    <th scope="row">
      <a href="/monitors/${row.id}">${row.name}</a>
      ${row.since === null || row.since === since ? null : sinceNote(row.since)}
    </th>
    ${columns.map(({ head, cell, isLong }) => cellOf(head, cell(row), isLong === true))}
  </tr>`;

/** Its figures are of less time than those of others. */
const sinceNote = (since: EpochMillis): Html =>
  html`<small class="note"
    >since <time datetime="${isoTime(since)}">${dayAndMinute(since)}</time></small
  >`;

/** Long ones that say nothing are left out on a phone. */
function cellOf(head: string, value: Html | string, isLong: boolean): Html {
  const look = isLong ? (value === "–" ? "long none" : "long") : null;
  return html`<td data-label="${head}" ${look === null ? null : html` class="${look}"`}>
    ${value}
  </td>`;
}

const stateWords: { readonly [S in ObjectiveState]: string } = {
  met: "met",
  on_track: "on\u00a0track",
  missed: "missed",
};

/** `99.9 %, missed`. */
function objectiveWords(row: ReportRow, { percent }: Objective, period: ReportPeriod): string {
  const state = objectiveState(row, period);
  return `${percent}\u00a0%${state === null ? "" : `, ${stateWords[state]}`}`;
}

/** `31 min of 43 min`, and below it `used up on 29 Nov at this pace` if that is within the period. */
function leftWords(left: Millis, row: ReportRow, period: ReportPeriod): Html {
  if (left < 0) return html`over by ${overBy(left)}`;
  const all = unbroken(millis(left + row.down));
  const rest = `${left === 0 ? "none" : unbroken(left)} of ${all}`;
  const end = usedUpInPeriod(left, row, period, row.isFailing);
  return end === null
    ? html`${rest}`
    : html`${rest}<br /><small>used up on ${monthDay(end)} at this pace</small>`;
}

const unbroken = (length: Millis): string => lengthOf(length).replaceAll(" ", "\u00a0");
