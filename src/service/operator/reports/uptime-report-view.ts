import { figureTable } from "#service/edge/figure-table";
import { figureTile } from "#service/edge/figure-tile";
import { choiceField } from "#service/operator/form-fields";
import { listHead } from "#service/operator/lists/list-head";
import {
  firstReportSort,
  type ReportSort,
  sortedRows,
} from "#service/operator/reports/report-order";
import { monthWords } from "#service/operator/reports/report-month";
import type {
  ReportChoice,
  ReportRow,
  UptimeReport,
} from "#service/operator/reports/uptime-report";
import { uptimeWords } from "#web/page/chart/calendar";
import { counted, grouped, isoTime, lengthOf, shortTook } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type Millis, millis } from "#base/units";

interface ReportPage extends UptimeReport {
  readonly choice: ReportChoice;
  readonly sort: ReportSort;
  readonly months: readonly string[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** A month of monitors as a page that is fit for paper. */
export function uptimeReportView(page: ReportPage): Html {
  const { month, rows, choice, sort } = page;
  const title = page.pages.find(({ id }) => id === choice.page)?.title ?? "";
  const of = [title, choice.label].filter((one) => one !== "").join(", ");
  const query = reportQuery(choice);
  return html`${listHead({
      title: "Uptime report",
      count: `${monthWords(month)}${of === "" ? "" : `: ${of}`}`,
      sentence: "It says how long each monitor was up in a month, on a page that prints well.",
      acts: html`<a class="button" href="/uptime.csv?${query}">CSV</a>
        <a class="button" href="/uptime.json?${query}">JSON</a>`,
    })}
    ${choiceForm(page)} ${rows.length === 0 ? null : totals(rows)}
    <section aria-labelledby="uptime">
      <h2 id="uptime" class="unseen">Monitors</h2>
      ${
        rows.length === 0
          ? html`<p class="advice">No monitor is in this report. Choose another label or page.</p>`
          : figureTable(
              "Table of monitors",
              headsOf(page),
              sortedRows(rows, sort).map((row) => line(row, hasObjective(rows))),
            )
      }
      <p class="words">
        Uptime is of the time that checks saw, in UTC, with planned maintenance: status pages leave
        that out. Degraded time counts as up. An error budget is what an objective allows in the
        whole month.
      </p>
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

const line = (row: ReportRow, withBudget: boolean): Html =>
  html`<tr>
    <th scope="row"><a href="/monitors/${row.id}">${row.name}</a></th>
    <td>${uptimeWords(row.known, row.down) ?? "no data"}</td>
    <td>${row.down === 0 ? "–" : lengthOf(row.down)}</td>
    <td>${grouped(row.incidents)}</td>
    <td>${row.median === null ? "–" : shortTook(row.median)}</td>
    ${
      withBudget
        ? html`<td>${row.objective === null ? "–" : `${row.objective.percent}\u00a0%`}</td>
            <td>${row.budgetLeft === null ? "–" : leftWords(row.budgetLeft)}</td>`
        : null
    }
  </tr>`;

const leftWords = (left: Millis): string =>
  left > 0 ? lengthOf(left) : left === 0 ? "none" : `over by ${lengthOf(millis(Math.abs(left)))}`;

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
  return html`<form class="filter" method="get" action="/uptime">
    ${choiceField("Month", "month", listed(months), choice.month.name)}
    ${choiceField("Label", "label", [any, ...listed(labels)], choice.label)}
    ${choiceField(
      "Status page",
      "page",
      [any, ...pages.map(({ id, title }) => [String(id), title] as const)],
      choice.page === null ? "" : String(choice.page),
    )}
    <button type="submit">Show</button>
  </form>`;
}

/** The same for programs; names are only ever added. */
export const reportDocument = ({ month, rows }: UptimeReport): object => ({
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
