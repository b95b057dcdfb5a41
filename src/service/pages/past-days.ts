import type { Day } from "#page/chart/calendar";
import { type MonitorId, monitorId } from "#store/ids";
import { quantile } from "#store/histogram";
import { type Bucket, dayColumns, type DayTable } from "#store/result-store";
import { mergeRollups } from "#store/rollup";
import { epochMillis, type Millis, millis } from "#units";

/**
 * The days of each monitor, whatever the locations are that they were seen at. The downtime of a day is the mean of
 * theirs, so that an outage of half an hour is half an hour however many saw it.
 */
export function daysOf(tables: readonly DayTable[]): ReadonlyMap<MonitorId, readonly Day[]> {
  const days = new Map<MonitorId, Day[]>();
  for (const table of tables)
    for (let at = 0; at < table.length; at += dayColumns.length)
      days.getOrInsertComputed(monitorId(table[at] ?? 0), () => []).push(dayAt(table, at));
  return days;
}

/** Of a hundred thousand rows: each number is taken by its place, in the order of the columns. */
function dayAt(table: DayTable, at: number): Day {
  const longest = table[at + 2] ?? 0;
  const known = table[at + 3] ?? 0;
  const down = table[at + 4] ?? 0;
  return {
    begin: epochMillis(table[at + 1] ?? 0),
    known: millis(longest),
    down: millis(known === 0 ? 0 : Math.round((down / known) * longest)),
    checks: table[at + 5] ?? 0,
    slow: table[at + 6] ?? 0,
  };
}

/** What a monitor's latency usually is: its median over all of these buckets. */
export function usualOf(buckets: readonly Bucket[]): ReadonlyMap<MonitorId, Millis | null> {
  const usual = new Map<MonitorId, Millis | null>();
  for (const [monitor, own] of Map.groupBy(buckets, (one) => one.monitor))
    usual.set(monitor, quantile(mergeRollups(own).latencies, 0.5));
  return usual;
}
