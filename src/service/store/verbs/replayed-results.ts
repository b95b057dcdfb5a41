import type { ReplayedMonitor } from "#service/store/evidence-store";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import {
  hourLength,
  hourOf,
  resultsInRow,
  type SeriesKey,
} from "#service/store/packing/packed-rows";
import type { ResultRow } from "#service/store/packing/result-row";
import { firstOf, walkResults } from "#service/store/packing/result-walk";
import { allAmong, integer, optionalInteger, type Row, type Sql } from "#service/store/sql";
import { keptResultAfter } from "#limits/alerts-limits";
import * as storeLimits from "#limits/store-limits";
import { statusNumber } from "#service/store/verbs/result-rows";
import { blamelessFailures, tellingIn } from "#service/store/verbs/telling-results";
import { epochMillis } from "#base/units";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** What each monitor of a location reported of a stretch of time, hour by hour, packed or not. */
export async function replayOf(
  sql: Sql,
  location: LocationId,
  range: Range,
): Promise<readonly ReplayedMonitor[]> {
  const assigned = await sql.all("SELECT monitor FROM assignments WHERE location = ?", [location]);
  const monitors = assigned.map((row) => monitorId(integer(row, "monitor")));
  const loose = await looseHours(sql, location, monitors, range);
  const hours = new Map(loose.map((row) => [keyOf(row), countedIn(row)]));
  const telling = new Map<MonitorId, Promise<(failed: ResultRow) => boolean>>();
  const tellingOf = (monitor: MonitorId) =>
    telling.getOrInsertComputed(monitor, () => tellingIn(sql, { monitor, location }, range));
  for (const row of await packedHours(sql, location, monitors, range)) {
    const key = { monitor: monitorId(integer(row, "monitor")), location };
    // Of one hour some may have come late, or be packed just now: then each slot is looked at.
    const results = hours.has(keyOf(row))
      ? await walked(sql, key, row, range)
      : (resultsInRow(sql, row) ?? []);
    hours.set(keyOf(row), await counted(key.monitor, results, range, tellingOf));
  }
  const seen = new Map<MonitorId, ReplayedMonitor>();
  for (const one of hours.values()) {
    const before = seen.get(one.monitor);
    seen.set(one.monitor, before === undefined ? one : added(before, one));
  }
  return [...seen.values()]
    .filter(({ results }) => results > 0)
    .toSorted((a, b) => a.monitor - b.monitor);
}

const keyOf = (row: Row): string => `${integer(row, "monitor")} ${integer(row, "hour")}`;

const blamesTarget = `failure NOT IN (${blamelessFailures})
  AND NOT EXISTS (SELECT 1 FROM gaps WHERE gaps.monitor = results.monitor AND gaps.location = results.location
    AND gaps.slot <= results.slot AND gaps.last_slot >= results.slot)`;

function looseHours(
  sql: Sql,
  location: LocationId,
  monitors: readonly MonitorId[],
  { from, to }: Range,
): Promise<readonly Row[]> {
  const error = statusNumber("error");
  const hour = `slot / ${hourLength}`;
  return allAmong(
    sql,
    `SELECT monitor, ${hour} AS hour, COUNT(slot) AS count,
       SUM(CASE WHEN stored - started - latency >= ? THEN 1 ELSE 0 END) AS kept,
       MIN(CASE WHEN status = ? AND slot + started < ? AND ${blamesTarget} THEN slot + started END) AS failed_from,
       MAX(CASE WHEN status = ? AND slot + started < ? AND ${blamesTarget} THEN slot + started END) AS failed_to
     FROM results WHERE location = ? AND slot >= ? AND slot < ? AND monitor IN (*) GROUP BY monitor, ${hour}`,
    [keptResultAfter, error, to, error, to, location, from, to],
    monitors,
  );
}

const packedHours = (
  sql: Sql,
  location: LocationId,
  monitors: readonly MonitorId[],
  { from, to }: Range,
): Promise<readonly Row[]> =>
  allAmong(
    sql,
    "SELECT * FROM packed_results WHERE location = ? AND hour >= ? AND hour <= ? AND monitor IN (*)",
    [location, hourOf(from), hourOf(to - 1)],
    monitors,
  );

const countedIn = (row: Row): ReplayedMonitor => ({
  monitor: monitorId(integer(row, "monitor")),
  results: integer(row, "count"),
  kept: integer(row, "kept"),
  failed: spanOf([optionalInteger(row, "failed_from"), optionalInteger(row, "failed_to")]),
});

function walked(
  sql: Sql,
  key: SeriesKey,
  row: Row,
  { from, to }: Range,
): Promise<readonly ResultRow[]> {
  const begin = integer(row, "hour") * hourLength;
  const walk = {
    from: Math.max(from, begin),
    to: Math.min(to, begin + hourLength),
    order: "oldest first",
    wanted: storeLimits.resultsLookedAtFirst,
  } as const;
  return firstOf(walkResults(sql, key, walk), Infinity);
}

/** `tellingOf` is asked only of a monitor with failures. */
async function counted(
  monitor: MonitorId,
  all: readonly ResultRow[],
  { from, to }: Range,
  tellingOf: (monitor: MonitorId) => Promise<(failed: ResultRow) => boolean>,
): Promise<ReplayedMonitor> {
  const results = all.filter(({ slot }) => slot >= from && slot < to);
  const failed = results.filter(
    ({ status, slot, started }) => status === statusNumber("error") && slot + started < to,
  );
  const isTelling = failed.length === 0 ? () => true : await tellingOf(monitor);
  const begins = failed.filter(isTelling).map(({ slot, started }) => slot + started);
  return {
    monitor,
    results: results.length,
    kept: results.filter(wasKept).length,
    failed: spanOf(begins),
  };
}

const wasKept = ({ stored, started, latency }: ResultRow): boolean =>
  stored - started - latency >= keptResultAfter;

const added = (a: ReplayedMonitor, b: ReplayedMonitor): ReplayedMonitor => ({
  monitor: a.monitor,
  results: a.results + b.results,
  kept: a.kept + b.kept,
  failed: spanOf([a.failed?.from, a.failed?.to, b.failed?.from, b.failed?.to]),
});

function spanOf(begins: readonly (number | null | undefined)[]): ReplayedMonitor["failed"] {
  const known = begins.filter((at) => at !== null && at !== undefined);
  if (known.length === 0) return null;
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  return { from: epochMillis(least), to: epochMillis(most) };
}
