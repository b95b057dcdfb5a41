import { overlap, type Span } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import { dayColumns, type DayTable } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import { halfDown } from "#service/store/half-down";
import type { Bucket, Rollup } from "#service/store/result-store";
import { beginOf, grainLength } from "#service/store/rollup";
import { after, epochMillis, type EpochMillis, type Millis, millis } from "#base/units";

/** A day of a monitor, at all locations. */
export interface TableDay extends MeasuredDay {
  readonly monitor: MonitorId;
}

export function* daysIn(table: DayTable): Generator<TableDay> {
  for (let at = 0; at < table.length; at += dayColumns.length) {
    const value = (column: (typeof dayColumns)[number]): number =>
      table[at + dayColumns.indexOf(column)] ?? 0;
    const [degraded, error] = [value("slow"), value("errors")];
    yield {
      monitor: monitorId(value("monitor")),
      begin: epochMillis(value("begin")),
      success: value("checks") - degraded - error,
      degraded,
      error,
      known: millis(value("known")),
      down: millis(value("down")),
    };
  }
}

/**
 * What counts of each day. Of one with maintenance, the hours count that lie outside of it; for such days `hours` has to
 * hold all of theirs.
 */
export function measuredDays(
  days: readonly MeasuredDay[],
  hours: readonly Bucket[],
  planned: readonly Span[],
): readonly MeasuredDay[] {
  const byDay = Map.groupBy(hours, ({ begin }) => beginOf("day", begin));
  return days.map((day) => {
    const { begin } = day;
    if (!hasWork(begin, planned)) return day;
    const counted = (byDay.get(begin) ?? []).filter(
      (one) => !touches(one.begin, grainLength.hour, planned),
    );
    return dayOfBuckets(day, counted);
  });
}

/** Whether there was planned work on a day. */
export const hasWork = (begin: EpochMillis, planned: readonly Span[]): boolean =>
  touches(begin, grainLength.day, planned);

const touches = (from: EpochMillis, length: Millis, planned: readonly Span[]): boolean =>
  planned.some((one) => overlap(one, { from, to: after(from, length) }) > 0);

/** Neither what is known nor downtime is longer than the whole day says, which knows for how long the monitor existed. */
function dayOfBuckets(day: MeasuredDay, buckets: readonly Bucket[]): MeasuredDay {
  const places = [...Map.groupBy(buckets, ({ location }) => location).values()];
  const sumOf = (some: readonly Rollup[], of: (one: Rollup) => number): number =>
    some.reduce((total, one) => total + of(one), 0);
  const known = places.map((own) => sumOf(own, (one) => one.known));
  const down = places.map((own) => sumOf(own, (one) => one.down));
  return {
    begin: day.begin,
    success: sumOf(buckets, (one) => one.success),
    degraded: sumOf(buckets, (one) => one.degraded),
    error: sumOf(buckets, (one) => one.error),
    known: millis(Math.min(day.known, Math.max(0, ...known))),
    down: millis(Math.min(day.known, halfDown(places.length, down))),
  };
}
