import type { PageRooms } from "#service/operator/page-rooms";
import type { MonitorId } from "#service/store/ids";
import { beginOf, grainLength, latencyAt, mergeRollups } from "#service/store/rollup";
import { after, type EpochMillis, millis, type Millis } from "#base/units";

/** How long the slow checks of a monitor took, and the one in the middle. */
export interface TailLatency {
  readonly p50: Millis;
  readonly p95: Millis;
  readonly p99: Millis;
}

/** Of the last seven whole days as the median next to it, or of today; null if nothing passed. */
export async function tailLatency(
  { store }: PageRooms,
  monitor: MonitorId,
  of: "week" | "today",
  now: EpochMillis,
): Promise<TailLatency | null> {
  const today = beginOf("day", now);
  const time =
    of === "today"
      ? { from: today, to: after(now, millis(1)) }
      : { from: after(today, millis(-7 * grainLength.day)), to: today };
  const buckets = await store.results.buckets({
    monitors: [monitor],
    location: null,
    grain: "day",
    ...time,
  });
  const rollup = mergeRollups(buckets);
  const [p50, p95, p99] = [
    latencyAt(rollup, 0.5),
    latencyAt(rollup, 0.95),
    latencyAt(rollup, 0.99),
  ];
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
}
