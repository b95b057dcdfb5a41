import { overlap, type Span, within } from "#service/status-page/impact-spans";
import type { MeasuredDay } from "#service/status-page/page-facts";
import { dayColumns, type DayTable } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import { halfDown } from "#service/store/half-down";
import type { Bucket } from "#service/store/result-store";
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
 * What counts of each day. Of one with maintenance, the checks of hours that lie outside of it count. An hour that it touches
 * is known for as long as it is known without maintenance: its checks do not say which were outside, incidents say when it
 * was down. `planned` ends now at the latest, and for such days `hours` has to hold all of theirs.
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
    const isTouched = (one: Bucket): boolean => touches(one.begin, grainLength.hour, planned);
    const own = byDay.get(begin) ?? [];
    const parts = own.filter(isTouched).map((one) => partOutside(one, planned));
    return dayOfBuckets(
      day,
      own.filter((one) => !isTouched(one)),
      parts,
    );
  });
}

/** Whether there was planned work on a day. */
export const hasWork = (begin: EpochMillis, planned: readonly Span[]): boolean =>
  touches(begin, grainLength.day, planned);

const touches = (from: EpochMillis, length: Millis, planned: readonly Span[]): boolean =>
  planned.some((one) => overlap(one, { from, to: after(from, length) }) > 0);

type KnownHour = Pick<Bucket, "location" | "known">;

/** For how long an hour with maintenance is known without it. */
function partOutside({ begin, location, known }: Bucket, planned: readonly Span[]): KnownHour {
  const hour: Span = { from: begin, to: after(begin, grainLength.hour) };
  return { location, known: millis(Math.max(0, known - within(hour, planned))) };
}

/** Neither what is known nor downtime is longer than the whole day says, which knows for how long the monitor existed. */
function dayOfBuckets(
  day: MeasuredDay,
  buckets: readonly Bucket[],
  parts: readonly KnownHour[],
): MeasuredDay {
  const places = placesIn(buckets);
  const known = placesIn<KnownHour>([...buckets, ...parts]).map((own) =>
    sumOf(own, (one) => one.known),
  );
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

const placesIn = <One extends KnownHour>(hours: readonly One[]): readonly (readonly One[])[] => [
  ...Map.groupBy(hours, ({ location }) => location).values(),
];

const sumOf = <One>(some: readonly One[], of: (one: One) => number): number =>
  some.reduce((total, one) => total + of(one), 0);
