import { type Objective, policyFrom } from "#check/alert-policy";
import type { Incident } from "#service/alerting/incident";
import * as limits from "#limits/report-limits";
import * as serviceLimits from "#limits/service-limits";
import { daysLookedUpMax } from "#limits/store-limits";
import { nameOrder } from "#base/name-order";
import type { PageContext } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { type TimeAndBefore, uptimePercent } from "#service/operator/reports/uptime-change";
import { leftInPeriod } from "#service/operator/reports/error-budget";
import {
  periodBefore,
  reportedDaysWords,
  type ReportPeriod,
} from "#service/operator/reports/report-period";
import {
  incidentsToRead,
  longestOutages,
  type ReportOutage,
} from "#service/operator/reports/report-outages";
import type { SumAndBefore, DaysSum } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import { rhythmOf } from "#service/monitors/view";
import type { MonitorRow } from "#service/store/state-store";
import { between, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** Days of some monitors. */
export interface UptimeReport {
  /** As of when its figures are. */
  readonly at: EpochMillis;
  readonly period: ReportPeriod;
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
  /** When it was made, if that is in the period: before, nothing is known. Else null. */
  readonly since: EpochMillis | null;
  /** The same of the month, or of as many days, before. */
  readonly before: TimeAndBefore["before"];
  readonly downDays: SumAndBefore["downDays"];
  readonly incidents: number;
  /** Those of them that were down, not only slow. */
  readonly downIncidents: number;
  readonly checks: number;
  /** The median response time; null if nothing passed. */
  readonly median: Millis | null;
  readonly objective: Objective | null;
  /** Of the period by its objective's share; negative if it is used up. Null without an objective, or if nothing was seen. */
  readonly budgetLeft: Millis | null;
  /** Whether an incident of it is open. */
  readonly isFailing: boolean;
}

/** What a report is of: monitors with a label, those of a status page, or all. */
export interface ReportChoice {
  readonly period: ReportPeriod;
  /** `7d`, if its days go by that; else null. */
  readonly named: string | null;
  /** `team:shop`; empty: any. */
  readonly label: string;
  /** Null: whatever page shows it. */
  readonly page: number | null;
}

/** Reads it from the days that are kept; each part is bounded. */
export async function uptimeReport(
  context: PageContext,
  choice: ReportChoice,
): Promise<UptimeReport> {
  const { rooms } = context;
  const { period } = choice;
  const at = rooms.clock.wall();
  const { monitors, labels } = await reportedMonitors(context, choice);
  const ids = monitors.map(({ id }) => id);
  const [{ sums, medians }, incidents] = await Promise.all([
    seenOf(rooms, ids, period),
    incidentsOf(rooms, ids, period),
  ]);
  const counts = Map.groupBy(incidents, ({ subject }) => subject.id);
  const rows = monitors.map((row) =>
    reportRow(row, sums.get(row.id) ?? unseen, period, {
      median: medians.get(row.id) ?? null,
      incidents: counts.get(row.id)?.length ?? 0,
      downIncidents: counts.get(row.id)?.filter(({ worst }) => worst === "error").length ?? 0,
      isFailing: counts.get(row.id)?.some(({ ended }) => ended === null) ?? false,
    }),
  );
  return {
    at,
    period,
    rows: rows.toSorted((a, b) => nameOrder(a.name, b.name) || a.id - b.id),
    outages: await outagesIn(rooms, incidents, sums, period),
    labels: labels.slice(0, limits.reportedLabelsMax),
    since: oldestOf(monitors),
  };
}

/** Monitors of a report, and the labels of all. Of a service that is not large, all are known: no definition is read. */
async function reportedMonitors(
  { rooms, pictures }: PageContext,
  { label, page }: ReportChoice,
): Promise<{ readonly monitors: readonly MonitorRow[]; readonly labels: readonly string[] }> {
  const shown = page === null ? null : await monitorsOfPage(rooms, page);
  const chosenIn = <M extends LabelledMonitor>(all: readonly M[]): readonly M[] =>
    all
      .filter(({ id, labels }) => hasLabel(labels, label) && (shown === null || shown.has(id)))
      .toSorted((a, b) => a.id - b.id)
      .slice(0, limits.reportedMonitorsMax);
  if (await pictures.rows.isLarge()) {
    const { monitors: all } = await pictures.directory.now();
    const ids = chosenIn(all).map(({ id }) => monitorId(id));
    return { monitors: await rooms.monitors.among(ids), labels: labelsOf(all) };
  }
  const rows = await pictures.rows.now();
  return { monitors: chosenIn(rows), labels: labelsOf(rows) };
}

interface LabelledMonitor {
  readonly id: number;
  readonly labels: Readonly<Record<string, string>>;
}

interface SeenMonth {
  readonly sums: ReadonlyMap<MonitorId, SumAndBefore>;
  readonly medians: ReadonlyMap<MonitorId, Millis>;
}

/** In portions that are looked up: a range is asked of every server of a cluster, and one of the others may be away. */
async function seenOf(
  { store: { results } }: PageRooms,
  ids: readonly MonitorId[],
  period: ReportPeriod,
): Promise<SeenMonth> {
  const { from, to, days } = period;
  const since = periodBefore(period).from;
  // Of a year, fewer monitors at once: what is in memory then is that of the most days that a person may type.
  const portion = Math.ceil(daysLookedUpMax / Math.max(1, days / limits.reportDaysMax));
  const sums: (readonly [MonitorId, SumAndBefore])[] = [];
  const medians: (readonly [MonitorId, Millis])[] = [];
  for (let first = 0; first < ids.length; first += portion) {
    const asked = { monitors: ids.slice(first, first + portion), from, to };
    const read = await Promise.all([results.sums({ ...asked, since }), results.medians(asked)]);
    sums.push(...read[0]);
    medians.push(...read[1]);
  }
  return { sums: new Map(sums), medians: new Map(medians) };
}

const labelsOf = (rows: readonly Pick<LabelledMonitor, "labels">[]): readonly string[] =>
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

/** Those that began in the period, or lasted into it. */
async function incidentsOf(
  { store }: PageRooms,
  monitors: readonly MonitorId[],
  { from, to }: ReportPeriod,
): Promise<readonly Incident[]> {
  const found = monitors.length === 0 ? [] : await store.alerts.incidents.since(monitors, from);
  return found.filter(({ startedAt }) => startedAt < to);
}

async function outagesIn(
  { store }: PageRooms,
  incidents: readonly Incident[],
  sums: SeenMonth["sums"],
  period: ReportPeriod,
): Promise<readonly ReportOutage[]> {
  const days = new Map([...sums].map(([id, { downDays }]) => [id, downDays] as const));
  const candidates = incidentsToRead(incidents, days, period);
  const turns = await store.alerts.incidents.turns(candidates.map(({ number }) => number));
  return longestOutages(candidates, { turns, days, results: store.results }, period);
}

const unseenDays: DaysSum = { known: millis(0), down: millis(0), checks: 0 };
const unseen: SumAndBefore = { ...unseenDays, before: unseenDays, downDays: [] };

function reportRow(
  { id, definition, createdAt }: MonitorRow,
  { known, down, checks, before, downDays }: SumAndBefore,
  period: ReportPeriod,
  seen: Pick<ReportRow, "median" | "incidents" | "downIncidents" | "isFailing">,
): ReportRow {
  const { objective } = policyFrom(definition.alerting);
  const time = { known, down };
  return {
    id,
    name: definition.name,
    uptime: uptimePercent(time),
    ...time,
    since: sinceIn(period, { createdAt, definition }, known),
    before,
    downDays,
    checks,
    objective,
    budgetLeft: objective === null ? null : leftInPeriod(objective.percent, time, period),
    ...seen,
  };
}

/**
 * When a monitor was made, if it has no results of the period before that. They may be older than it if they came from
 * elsewhere: of one that was made in the first hour they are hardly more than it can have itself.
 */
export function sinceIn(
  { from, to }: Pick<ReportPeriod, "from" | "to">,
  { createdAt, definition }: Pick<MonitorRow, "createdAt" | "definition">,
  known: Millis,
): EpochMillis | null {
  const margin = limits.reportSincePeriods * rhythmOf(definition).periodicity;
  return createdAt <= from || known > between(createdAt, to) + margin ? null : createdAt;
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
    months.push([
      at.toISOString().slice(0, 7),
      reportedDaysWords({ kind: "month", from, days: 0 }),
    ]);
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
