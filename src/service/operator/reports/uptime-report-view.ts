import type { Objective } from "#check/alert-policy";
import { figureTable } from "#service/edge/figure-table";
import { figureTile } from "#service/edge/figure-tile";
import { choiceField } from "#service/operator/form-fields";
import { usedUpInMonth } from "#service/operator/reports/error-budget";
import { listHead } from "#service/operator/lists/list-head";
import {
  firstReportSort,
  type ReportSort,
  sortedRows,
} from "#service/operator/reports/report-order";
import { monthWords, type ReportMonth } from "#service/operator/reports/report-month";
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
  counted,
  dayAndMinute,
  grouped,
  isoTime,
  lengthOf,
  monthDay,
  shortTook,
} from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type Millis, millis } from "#base/units";

interface ReportPage extends UptimeReport {
  readonly choice: ReportChoice;
  readonly sort: ReportSort;
  readonly months: readonly MonthChoice[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** A month of monitors as a page that is fit for paper. */
export function uptimeReportView(page: ReportPage): Html {
  const { month, rows, choice } = page;
  const title = page.pages.find(({ id }) => id === choice.page)?.title ?? "";
  const of = [title, choice.label].filter((one) => one !== "").join(", ");
  const query = reportQuery(choice);
  return html`${listHead({
    title: "Uptime report",
    count: `${monthWords(month)}${of === "" ? "" : `: ${of}`}`,
    sentence: "How long each monitor was up in a month, and what went wrong.",
    acts: html`<button type="button" class="print" data-prints>Print</button>
      <a class="button" href="/uptime.csv?${query}">CSV</a>
      <a class="button" href="/uptime.json?${query}">JSON</a>`,
  })}
  ${choiceForm(page)}
  ${isEmpty(rows) ? html`<p class="advice">${emptyWords(page)}</p>` : figures(page)}`;
}

/** Nothing is known of the month. */
const isEmpty = (rows: readonly ReportRow[]): boolean =>
  rows.every(({ uptime, incidents }) => uptime === null && incidents === 0);

const emptyWords = ({ rows, month }: ReportPage): string =>
  rows.length === 0
    ? "No monitor is in this report. Choose another label or page."
    : `Nothing was checked in ${monthWords(month)}. Choose another month.`;

function figures(page: ReportPage): Html {
  const { month, rows, sort } = page;
  const withBudget = hasObjective(rows);
  return html`${totals(rows)} ${objectiveSentence(page)}
    <section aria-labelledby="uptime">
      <h2 id="uptime" class="unseen">Monitors</h2>
      ${figureTable(
        "Table of monitors",
        headsOf(page),
        sortedRows(rows, sort).map((row) => line(row, month, withBudget)),
      )}
      <p class="words">
        Uptime is of the time that checks saw, in UTC, with planned maintenance: status pages leave
        that out. Degraded time counts as up. An error budget is what an objective allows in the
        whole month.
      </p>
    </section>
    ${outageSection(page)}`;
}

/** Whether the objectives are met, in one sentence; without one, how to have some. */
function objectiveSentence({ rows, month }: ReportPage): Html | null {
  const words = objectivesInWords(rows, month);
  if (words !== null) return html`<p class="objective">${words}</p>`;
  return hasObjective(rows)
    ? null
    : html`<p class="words">
        No monitor here has an objective. Give it one in its form, e.g. 99.9% over 30d: the report
        then says whether it is met, and what is left of its error budget.
      </p>`;
}

/** What the month is remembered for. */
function outageSection({ outages, rows, month }: ReportPage): Html | null {
  if (outages.length === 0) return null;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  return html`<section aria-labelledby="outages">
    <h2 id="outages">Longest outages</h2>
    <ol class="remarks">
      ${outages.map(
        ({ number, monitor, from, lasted, isOpen }) =>
          html`<li>
            <a href="/incidents/${number}">Incident ${number}</a> of ${names.get(monitor) ?? ""}
            lasted ${lengthOf(lasted)}${from < month.from ? " of this month" : ""}, from
            <time datetime="${isoTime(from)}">${dayAndMinute(from)}</time
            >${isOpen ? "; the incident is open" : ""}.
          </li>`,
      )}
    </ol>
    <p class="words">A part of an incident may have been slow, or down at few of the locations.</p>
  </section>`;
}

/** The choice as an address has it. */
export const reportQuery = ({ month, label, page }: ReportChoice): string =>
  new URLSearchParams({
    month: month.name,
    ...(label === "" ? {} : { label }),
    ...(page === null ? {} : { page: String(page) }),
  }).toString();

/** Heads that sort: by what is worst in a column, and by name. */
function headsOf({ choice, sort, rows }: ReportPage): readonly (string | Html)[] {
  const head = (words: string, by: ReportSort): Html => {
    const order = by === "name" ? "" : ", worst first";
    const to = by === firstReportSort ? "" : `&sort=${by}`;
    return html`<a
      href="/uptime?${reportQuery(choice)}${to}"
      aria-label="${words}${order}"
      ${by === sort ? html` aria-current="true"` : null}
      >${words}${by === sort ? (by === "name" ? " ▴" : " ▾") : null}</a
    >`;
  };
  return [
    head("Monitor", "name"),
    head("Uptime", "uptime"),
    head("Down", "down"),
    head("Incidents", "incidents"),
    head("Median", "median"),
    ...(hasObjective(rows) ? ["Objective", head("Budget left", "budget")] : []),
  ];
}

/** Without an objective there is no budget, and no column for it. */
const hasObjective = (rows: readonly ReportRow[]): boolean =>
  rows.some(({ objective }) => objective !== null);

const line = (row: ReportRow, month: ReportMonth, withBudget: boolean): Html =>
  html`<tr>
    <th scope="row"><a href="/monitors/${row.id}">${row.name}</a></th>
    <td>${uptimeWords(row.known, row.down) ?? "no data"}</td>
    <td>${row.down === 0 ? "–" : lengthOf(row.down)}</td>
    <td>
      ${row.incidents === 0 ? "0" : html`<a href="/incidents?monitor=${row.id}">${grouped(row.incidents)}</a>`}
    </td>
    <td>${row.median === null ? "–" : shortTook(row.median)}</td>
    ${
      withBudget
        ? html`<td>${row.objective === null ? "–" : objectiveWords(row, row.objective, month)}</td>
            <td>${row.budgetLeft === null ? "–" : leftWords(row.budgetLeft, row, month)}</td>`
        : null
    }
  </tr>`;

const stateWords: { readonly [S in ObjectiveState]: string } = {
  met: "met",
  on_track: "on\u00a0track",
  missed: "missed",
};

/** `99.9 %, missed`. */
function objectiveWords(row: ReportRow, { percent }: Objective, month: ReportMonth): string {
  const state = objectiveState(row, month);
  return `${percent}\u00a0%${state === null ? "" : `,\u00a0${stateWords[state]}`}`;
}

/** `31 min of 43 min`, and below it `used up on 29 Nov at this pace` if that is within the month. */
function leftWords(left: Millis, row: ReportRow, month: ReportMonth): Html {
  if (left < 0) return html`over by ${overBy(left)}`;
  const all = lengthOf(millis(left + row.down));
  const rest = [left === 0 ? "none" : lengthOf(left), "of", all].join("\u00a0");
  const end = usedUpInMonth(left, row, month);
  return end === null
    ? html`${rest}`
    : html`${rest}<br /><small>used up on ${monthDay(end)} at this pace</small>`;
}

/** The month in a few figures: of all monitors together, by the time that each was seen. */
function totals(rows: readonly ReportRow[]): Html {
  const sum = (of: (row: ReportRow) => number): number =>
    rows.reduce((all, row) => all + of(row), 0);
  const [known, down] = [sum((row) => row.known), sum((row) => row.down)];
  const well = rows.filter((row) => row.uptime !== null && row.down === 0).length;
  const unseen = rows.filter(({ uptime }) => uptime === null).length;
  return html`<dl class="tiles">
    ${figureTile("Uptime of all", uptimeWords(millis(known), millis(down)) ?? "–")}
    ${figureTile("Never down", grouped(well), `of ${counted(rows.length, "monitor")}`)}
    ${figureTile("Down in all", down === 0 ? "–" : lengthOf(millis(down)))}
    ${figureTile("Incidents", grouped(sum((row) => row.incidents)))}
    ${unseen === 0 ? null : figureTile("Without data", grouped(unseen))}
  </dl>`;
}

function choiceForm({ choice, months, labels, pages }: ReportPage): Html {
  const any = ["", "any"] as const;
  const listed = (all: readonly string[]): readonly (readonly [string, string])[] =>
    all.map((one) => [one, one] as const);
  return html`<div class="choices">
    <form role="search" class="filter instant" method="get" action="/uptime">
      ${choiceField("Month", "month", months, choice.month.name)}
      ${choiceField("Label", "label", [any, ...listed(labels)], choice.label)}
      ${choiceField(
        "Status page",
        "page",
        [any, ...pages.map(({ id, title }) => [String(id), title] as const)],
        choice.page === null ? "" : String(choice.page),
      )}
      <button type="submit">Show</button>
    </form>
  </div>`;
}

/** The same for programs; names are only ever added. */
export const reportDocument = ({ month, rows, outages }: UptimeReport): object => ({
  month: month.name,
  from: isoTime(month.from),
  to: isoTime(month.to),
  monitors: rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    uptime_percent: row.uptime,
    down_ms: row.down,
    incidents: row.incidents,
    checks: row.checks,
    median_ms: row.median,
    objective_percent: row.objective?.percent ?? null,
    budget_left_ms: row.budgetLeft,
    objective_state: objectiveState(row, month),
  })),
  longest_outages: outages.map(({ number, monitor, from, lasted, isOpen }) => ({
    incident: number,
    monitor_id: String(monitor),
    from: isoTime(from),
    lasted_ms: lasted,
    open: isOpen,
  })),
});

/** The same as RFC 4180 has it. A spreadsheet runs what begins with =, +, - or @: a name that does has a mark before it. */
export function reportCsv({ rows }: UptimeReport): string {
  const cell = (value: string | number | null): string => {
    const text = value === null ? "" : String(value);
    const safe = typeof value === "string" && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const names = [
    "id",
    "name",
    "uptime_percent",
    "down_ms",
    "incidents",
    "checks",
    "median_ms",
    "objective_percent",
    "budget_left_ms",
  ];
  const lines = rows.map((row) => [
    row.id,
    row.name,
    row.uptime,
    row.down,
    row.incidents,
    row.checks,
    row.median,
    row.objective?.percent ?? null,
    row.budgetLeft,
  ]);
  return [names, ...lines].map((one) => `${one.map(cell).join(",")}\r\n`).join("");
}
