import type { Day } from "#page/chart/calendar";
import type { MonitorId } from "#store/ids";
import { quantile } from "#store/histogram";
import type { Bucket } from "#store/result-store";
import { mergeRollups } from "#store/rollup";
import { type EpochMillis, type Millis, millis } from "#units";

/** The days of each monitor, whatever the locations are that they were seen at. */
export function daysOf(buckets: readonly Bucket[]): ReadonlyMap<MonitorId, readonly Day[]> {
  const days = new Map<MonitorId, Day[]>();
  for (const [monitor, own] of Map.groupBy(buckets, (one) => one.monitor))
    days.set(
      monitor,
      [...Map.groupBy(own, ({ begin }) => begin)].map(([begin, all]) => dayOf(begin, all)),
    );
  return days;
}

/**
 * One day at several locations: its downtime is the mean of theirs, so that an outage of half an hour is half an hour
 * however many saw it.
 */
function dayOf(begin: EpochMillis, all: readonly Bucket[]): Day {
  const known = all.reduce((sum, one) => sum + one.known, 0);
  const longest = all.reduce((most, one) => Math.max(most, one.known), 0);
  const down = all.reduce((sum, one) => sum + one.down, 0);
  return {
    begin,
    known: millis(longest),
    down: millis(known === 0 ? 0 : Math.round((down / known) * longest)),
    checks: all.reduce((sum, one) => sum + one.success + one.degraded + one.error, 0),
    slow: all.reduce((sum, one) => sum + one.degraded, 0),
  };
}

/** What a monitor's latency usually is: its median over all of these buckets. */
export function usualOf(buckets: readonly Bucket[]): ReadonlyMap<MonitorId, Millis | null> {
  const usual = new Map<MonitorId, Millis | null>();
  for (const [monitor, own] of Map.groupBy(buckets, (one) => one.monitor))
    usual.set(monitor, quantile(mergeRollups(own).latencies, 0.5));
  return usual;
}
