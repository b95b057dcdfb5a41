import { csvText } from "#base/csv";
import { downtimeDays } from "#service/operator/reports/downtime-days";
import { objectiveState } from "#service/operator/reports/objective-words";
import { periodBefore } from "#service/operator/reports/report-period";
import { reportTotal } from "#service/operator/reports/report-total";
import { uptimePercent } from "#service/operator/reports/uptime-change";
import type { ReportRow, UptimeReport } from "#service/operator/reports/uptime-report";
import { isoTime } from "#web/page/format";

/** A report for programs; names are only ever added. */
export const reportDocument = ({ period, rows, outages }: UptimeReport): object => ({
  // A name is only ever added: other days than those of a month have none.
  month: period.kind === "month" ? period.name : null,
  from: isoTime(period.from),
  to: isoTime(period.to),
  compared_with: periodBefore(period).name,
  total: totalDocument(rows),
  monitors: rows.map((row) => ({
    id: String(row.id),
    name: row.name,
    uptime_percent: row.uptime,
    uptime_before_percent: uptimePercent(row.before),
    down_ms: row.down,
    incidents: row.incidents,
    checks: row.checks,
    median_ms: row.median,
    objective_percent: row.objective?.percent ?? null,
    budget_left_ms: row.budgetLeft,
    objective_state: objectiveState(row, period),
  })),
  downtime_days: downtimeDays(rows).map(({ begin, down, names }) => ({
    day: isoTime(begin).slice(0, 10),
    down_ms: down,
    monitors: names.length,
  })),
  longest_outages: outages.map(({ number, monitor, from, to, lasted }) => ({
    incident: number,
    monitor_id: String(monitor),
    from: isoTime(from),
    to: to === null ? null : isoTime(to),
    lasted_ms: lasted,
    open: to === null,
  })),
});

function totalDocument(rows: readonly ReportRow[]): object {
  const all = reportTotal(rows);
  return {
    uptime_percent: uptimePercent(all),
    uptime_before_percent: uptimePercent(all.before),
    down_ms: all.down,
    incidents: all.incidents,
  };
}

/** The same for spreadsheets. */
export function reportCsv({ rows }: UptimeReport): string {
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
    "uptime_before_percent",
  ];
  const lines = rows.map((row) => [
    row.id,
    row.name,
    rounded(row.uptime),
    row.down,
    row.incidents,
    row.checks,
    rounded(row.median),
    row.objective?.percent ?? null,
    row.budgetLeft,
    rounded(uptimePercent(row.before)),
  ]);
  return csvText([names, ...lines]);
}

/** Four digits behind the point: a tenth of a second of a day, and of a microsecond. */
const rounded = (value: number | null): number | null =>
  value === null ? null : Math.round(value * 10_000) / 10_000;
