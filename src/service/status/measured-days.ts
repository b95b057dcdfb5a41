import { overlap, type Span } from "#status/impact-spans";
import type { MeasuredDay } from "#status/page-facts";
import type { Bucket, Rollup } from "#store/result-store";
import { grainLength } from "#store/rollup";
import { beginOf } from "#store/rollup";
import { after, type EpochMillis, type Millis, millis } from "#units";

/**
 * What was measured on each day, at all locations. Of a day with maintenance, the hours count that lie outside of it;
 * for such days `hours` has to hold all of theirs.
 */
export function measuredDays(
  days: readonly Bucket[],
  hours: readonly Bucket[],
  planned: readonly Span[],
): readonly MeasuredDay[] {
  const byDay = Map.groupBy(hours, ({ begin }) => beginOf("day", begin));
  return [...Map.groupBy(days, ({ begin }) => begin)].map(([begin, whole]) => {
    const isPlanned = touches(begin, grainLength.day, planned);
    const counted = isPlanned
      ? (byDay.get(begin) ?? []).filter((one) => !touches(one.begin, grainLength.hour, planned))
      : whole;
    return dayOfBuckets(begin, counted);
  });
}

const touches = (from: EpochMillis, length: Millis, planned: readonly Span[]): boolean =>
  planned.some((one) => overlap(one, { from, to: after(from, length) }) > 0);

function dayOfBuckets(begin: EpochMillis, buckets: readonly Bucket[]): MeasuredDay {
  const places = [...Map.groupBy(buckets, ({ location }) => location).values()];
  const sumOf = (some: readonly Rollup[], of: (one: Rollup) => number): number =>
    some.reduce((total, one) => total + of(one), 0);
  const known = places.map((own) => sumOf(own, (one) => one.known));
  const down = places.map((own) => sumOf(own, (one) => one.down)).toSorted((a, b) => b - a);
  return {
    begin,
    success: sumOf(buckets, (one) => one.success),
    degraded: sumOf(buckets, (one) => one.degraded),
    error: sumOf(buckets, (one) => one.error),
    known: millis(Math.max(0, ...known)),
    // Half of the locations make a monitor down: it was so at most as long as the one in the middle saw it.
    down: millis(down[Math.ceil(down.length / 2) - 1] ?? 0),
  };
}
