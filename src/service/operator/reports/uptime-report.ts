import { type Objective, policyFrom } from "#check/alert-policy";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/report-limits";
import * as serviceLimits from "#limits/service-limits";
import { daysLookedUpMax } from "#limits/store-limits";
import { nameOrder } from "#base/name-order";
import type { PageContext } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { leftInMonth } from "#service/operator/reports/error-budget";
import { monthWords, type ReportMonth } from "#service/operator/reports/report-month";
import { longestOutages, type ReportOutage } from "#service/operator/reports/report-outages";
import type { DaysSum } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";
import { between, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A month of some monitors. */
export interface UptimeReport {
  readonly month: ReportMonth;
  readonly rows: readonly ReportRow[];
  /** The longest of these monitors, the longest first. */
  readonly outages: readonly ReportOutage[];
  /** `team:shop`, of all monitors, each once. */
  readonly labels: readonly string[];
  /** When the oldest of these monitors was made; null if there is none. */
  readonly since: EpochMillis | null;
}

export interface ReportRow {
  readonly id: MonitorId;
  readonly name: string;
  /** Of the time that was seen, 0 to 100; null if nothing was. */
  readonly uptime: number | null;
  readonly down: Millis;
  /** How long it was seen. */
  readonly known: Millis;
  readonly incidents: number;
  readonly checks: number;
  /** The median response time; null if nothing passed. */
  readonly median: Millis | null;
  readonly objective: Objective | null;
  /** Of the month by its objective's share; negative if it is used up. Null without an objective, or if nothing was seen. */
  readonly budgetLeft: Millis | null;
}

/** What a report is of: monitors with a label, those of a status page, or all. */
export interface ReportChoice {
  readonly month: ReportMonth;
  /** `team:shop`; empty: any. */
  readonly label: string;
  /** Null: whatever page shows it. */
  readonly page: number | null;
}

/** Reads it from the days that are kept; each part is bounded. */
export async function uptimeReport(
  { rooms, pictures }: PageContext,
  { month, label, page }: ReportChoice,
): Promise<UptimeReport> {
  const { monitors: all } = await pictures.directory.now();
  const shown = page === null ? null : await monitorsOfPage(rooms, page);
  const chosen = all
    .filter(({ id, labels }) => hasLabel(labels, label) && (shown === null || shown.has(id)))
    .toSorted((a, b) => a.id - b.id)
    .slice(0, limits.reportedMonitorsMax);
  const monitors = await rooms.monitors.among(chosen.map(({ id }) => monitorId(id)));
  const ids = monitors.map(({ id }) => id);
  const [{ sums, medians }, incidents] = await Promise.all([
    seenOf(rooms, ids, month),
    incidentsOf(rooms, ids, month),
  ]);
  const counts = Map.groupBy(incidents, ({ subject }) => subject.id);
  const rows = monitors.map((row) =>
    reportRow(row, sums.get(row.id) ?? unseen, month, {
      median: medians.get(row.id) ?? null,
      incidents: counts.get(row.id)?.length ?? 0,
    }),
  );
  return {
    month,
    rows: rows.toSorted((a, b) => nameOrder(a.name, b.name) || a.id - b.id),
    outages: longestOutages(incidents, month),
    labels: labelsOf(all).slice(0, limits.reportedLabelsMax),
    since: oldestOf(monitors),
  };
}

interface SeenMonth {
  readonly sums: ReadonlyMap<MonitorId, DaysSum>;
  readonly medians: ReadonlyMap<MonitorId, Millis>;
}

/** In portions that are looked up: a range is asked of every server of a cluster, and one of the others may be away. */
async function seenOf(
  { store: { results } }: PageRooms,
  ids: readonly MonitorId[],
  { from, to }: ReportMonth,
): Promise<SeenMonth> {
  const sums: (readonly [MonitorId, DaysSum])[] = [];
  const medians: (readonly [MonitorId, Millis])[] = [];
  for (let first = 0; first < ids.length; first += daysLookedUpMax) {
    const asked = { monitors: ids.slice(first, first + daysLookedUpMax), from, to };
    const read = await Promise.all([results.sums(asked), results.medians(asked)]);
    sums.push(...read[0]);
    medians.push(...read[1]);
  }
  return { sums: new Map(sums), medians: new Map(medians) };
}

const labelsOf = (rows: readonly Pick<MonitorRow, "labels">[]): readonly string[] =>
  [
    ...new Set(
      rows.flatMap(({ labels }) =>
        Object.entries(labels).map(([name, value]) => `${name}:${value}`),
      ),
    ),
  ].toSorted();

const hasLabel = (labels: Readonly<Record<string, string>>, wanted: string): boolean =>
  wanted === "" || Object.entries(labels).some(([name, value]) => `${name}:${value}` === wanted);

async function monitorsOfPage(
  { statusPages }: PageRooms,
  page: number,
): Promise<ReadonlySet<number>> {
  const { components } = await statusPages.content(page);
  return new Set<number>(components.flatMap(({ monitor }) => monitor ?? []));
}

/** Those that began in the month, or lasted into it. */
async function incidentsOf(
  { store }: PageRooms,
  monitors: readonly MonitorId[],
  { from, to }: ReportMonth,
): Promise<readonly Incident[]> {
  const found = monitors.length === 0 ? [] : await store.alerts.incidents.since(monitors, from);
  return found.filter(({ startedAt }) => startedAt < to);
}

const unseen: DaysSum = { known: millis(0), down: millis(0), checks: 0 };

function reportRow(
  { id, definition }: MonitorRow,
  { known, down, checks }: DaysSum,
  month: ReportMonth,
  seen: Pick<ReportRow, "median" | "incidents">,
): ReportRow {
  const { objective } = policyFrom(definition.alerting);
  const time = { known, down };
  return {
    id,
    name: definition.name,
    uptime: known === 0 ? null : 100 * (1 - down / known),
    ...time,
    checks,
    objective,
    budgetLeft: objective === null ? null : leftInMonth(objective.percent, time, month),
    ...seen,
  };
}

/** `2026-11`, and `November 2026`. */
export type MonthChoice = readonly [name: string, words: string];

/** Months that can have data, the newest first, by their names: since the oldest monitor of the report was made, as far as days are kept. */
export function monthsUntil(now: EpochMillis, since: EpochMillis | null): readonly MonthChoice[] {
  const months: MonthChoice[] = [];
  const oldest = epochMillis(Math.max(beginOfMonth(since ?? now), now - serviceLimits.daysKeptFor));
  let at = new Date(now);
  while (
    months.length < limits.reportMonthsMax &&
    between(oldest, epochMillis(at.getTime())) >= 0
  ) {
    const from = epochMillis(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
    months.push([at.toISOString().slice(0, 7), monthWords({ from })]);
    at = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 0));
  }
  return months;
}

function beginOfMonth(at: EpochMillis): EpochMillis {
  const day = new Date(at);
  return epochMillis(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1));
}

const oldestOf = (rows: readonly Pick<MonitorRow, "createdAt">[]): EpochMillis | null =>
  rows.reduce<EpochMillis | null>(
    (oldest, { createdAt }) => (oldest === null || createdAt < oldest ? createdAt : oldest),
    null,
  );
