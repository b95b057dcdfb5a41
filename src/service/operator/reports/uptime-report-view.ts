import { figureTable } from "#service/edge/figure-table";
import { choiceField } from "#service/operator/form-fields";
import { shareOf } from "#service/operator/reports/error-budget";
import { monthWords } from "#service/operator/reports/report-month";
import type {
  ReportChoice,
  ReportRow,
  UptimeReport,
} from "#service/operator/reports/uptime-report";
import { grouped, isoTime, shortMillis, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type Millis, millis } from "#base/units";

interface ReportPage extends UptimeReport {
  readonly choice: ReportChoice;
  readonly months: readonly string[];
  readonly pages: readonly { readonly id: number; readonly title: string }[];
}

/** A month of monitors as a page that is fit for paper. */
export function uptimeReportView(page: ReportPage): Html {
  const { month, rows, choice } = page;
  const title = page.pages.find(({ id }) => id === choice.page)?.title ?? "";
  const of = [title, choice.label].filter((one) => one !== "").join(", ");
  const query = reportQuery(choice);
  return html`<h1>Uptime report</h1>
    <p class="lede">${monthWords(month)}${of === "" ? null : `: ${of}`}</p>
    ${choiceForm(page)}
    <section aria-labelledby="uptime">
      <h2 id="uptime">Monitors</h2>
      ${
        rows.length === 0
          ? html`<p class="advice">No monitor is in this report. Choose another label or page.</p>`
          : html`<p class="words">${summary(rows)}</p>
              ${figureTable("Table of monitors", heads, rows.map(line))}`
      }
      <p class="words">
        Uptime is of the time that checks saw, in UTC. Degraded time counts as up. An error budget
        is what an objective allows in the whole month.
      </p>
      <p class="act">
        <a class="button" href="/uptime.csv?${query}">CSV</a>
        <a class="button" href="/uptime.json?${query}">JSON</a>
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

const heads = ["Monitor", "Uptime", "Down", "Incidents", "Median", "Objective", "Budget left"];

const line = (row: ReportRow): Html =>
  html`<tr>
    <th scope="row"><a href="/monitors/${row.id}">${row.name}</a></th>
    <td>${row.uptime === null ? "no data" : shareOf(row.uptime)}</td>
    <td>${row.down === 0 ? "–" : span(row.down)}</td>
    <td>${grouped(row.incidents)}</td>
    <td>${row.median === null ? "–" : shortMillis(row.median)}</td>
    <td>${row.objective === null ? "–" : `${row.objective.percent}\u00a0%`}</td>
    <td>${row.budgetLeft === null ? "–" : leftWords(row.budgetLeft)}</td>
  </tr>`;

const leftWords = (left: Millis): string =>
  left > 0 ? span(left) : left === 0 ? "none" : `over by ${span(millis(Math.abs(left)))}`;

/** `12 monitors: 9 never down, 2 without data; 7 incidents.` */
function summary(rows: readonly ReportRow[]): string {
  const well = rows.filter(({ uptime, down }) => uptime !== null && down === 0).length;
  const unseen = rows.filter(({ uptime }) => uptime === null).length;
  const incidents = rows.reduce((sum, row) => sum + row.incidents, 0);
  const parts = [
    `${grouped(well)} never down`,
    ...(unseen === 0 ? [] : [`${grouped(unseen)} without data`]),
  ];
  return `${grouped(rows.length)} monitors: ${parts.join(", ")}; ${grouped(incidents)} incidents.`;
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
