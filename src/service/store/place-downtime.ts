import type { DowntimeSpan } from "#service/store/day-table";
import { grainLength } from "#service/store/rollup";
import * as storeLimits from "#limits/store-limits";

/** What is kept of a monitor's downtime at one location, by the begin of each day and hour. */
export interface PlaceDowntime {
  readonly days: ReadonlyMap<number, number>;
  readonly hours: ReadonlyMap<number, HourDowntime>;
  /** Null if its newest check passed. */
  readonly last: LastFailure | null;
}

/** The newest check, which was counted until the next one is due. */
export interface LastFailure {
  /** Of the schedule's, in whose day and hour it is counted. */
  readonly slot: number;
  readonly startedAt: number;
  readonly until: number;
}

export interface HourDowntime {
  readonly down: number;
  /** How many checks failed. */
  readonly errors: number;
  /** Those of which results were read. */
  readonly failed: readonly FailedCheck[];
}

export interface FailedCheck {
  readonly startedAt: number;
  /** For how long, compared with the others of its hour. */
  readonly stood: number;
}

/**
 * How much of a day's downtime lies in each of some stretches, which do not overlap, in milliseconds. It is shared out, from
 * the day to its hours, and from an hour to the checks that failed in it: so together they never come to more than the day.
 * What is no longer kept is shared by length.
 */
export function downsOfDay(
  place: PlaceDowntime,
  day: number,
  spans: readonly DowntimeSpan[],
): readonly number[] {
  const { last } = place;
  const counted = countedDowns(place, day, spans);
  if (last === null || last.slot < day || last.slot >= day + grainLength.day) return counted;
  // What was counted beyond the end of the stretch in which it failed is ahead, or another one's.
  return spans.map(({ from, to }, index) => {
    const isIn = last.startedAt >= from && last.startedAt < to;
    const ahead = isIn ? Math.max(0, last.until - Math.max(to, last.startedAt)) : 0;
    return Math.max(0, (counted[index] ?? 0) - ahead);
  });
}

function countedDowns(
  { days, hours }: PlaceDowntime,
  day: number,
  spans: readonly DowntimeSpan[],
): readonly number[] {
  const down = days.get(day) ?? 0;
  if (down === 0 || spans.some((span) => isWhole(span, day, grainLength.day)))
    return spans.map((span) => (isWhole(span, day, grainLength.day) ? down : 0));
  let left = down;
  let parts: readonly number[] = spans.map(() => 0);
  let unseen: readonly number[] = spans.map((span) => overlap(span, day, grainLength.day));
  for (let begin = day; begin < day + grainLength.day; begin += grainLength.hour) {
    const hour = hours.get(begin);
    if (hour === undefined) continue;
    const own = downsOfHour(hour, begin, spans);
    parts = parts.map((part, index) => part + (own[index] ?? 0));
    const seen = spans.map((span) => overlap(span, begin, grainLength.hour));
    unseen = unseen.map((length, index) => length - (seen[index] ?? 0));
    left -= hour.down;
  }
  const rest = byLength(Math.max(0, left), unseen);
  return parts.map((part, index) => part + (rest[index] ?? 0));
}

function downsOfHour(
  { down, errors, failed }: HourDowntime,
  begin: number,
  spans: readonly DowntimeSpan[],
): readonly number[] {
  const length = grainLength.hour;
  if (down === 0 || spans.some((span) => isWhole(span, begin, length)))
    return spans.map((span) => (isWhole(span, begin, length) ? down : 0));
  if (failed.length < errors || failed.length === 0)
    return byLength(
      down,
      spans.map((span) => overlap(span, begin, length)),
    );
  const all = stoodIn(failed);
  return spans.map(({ from, to }) => {
    const own = failed.filter(({ startedAt }) => startedAt >= from && startedAt < to);
    return (down * stoodIn(own)) / all;
  });
}

const stoodIn = (checks: readonly FailedCheck[]): number =>
  checks.reduce((sum, { stood }) => sum + stood, 0);

/** To each its length, or less if there is not as much. */
function byLength(down: number, lengths: readonly number[]): readonly number[] {
  const sum = lengths.reduce((total, length) => total + length, 0);
  return lengths.map((length) => (sum <= down ? length : (down * length) / sum));
}

/** A check belongs to the hour of its slot, and to the stretch in which it started, which is a little later. */
export const isWhole = ({ from, to }: DowntimeSpan, begin: number, length: number): boolean =>
  from <= begin && begin + length + storeLimits.startedAfterSlotMax <= to;

/** Whether checks of these slots can have started in a stretch. */
export const isTouched = ({ from, to }: DowntimeSpan, begin: number, length: number): boolean =>
  begin < to && begin + length + storeLimits.startedAfterSlotMax > from;

const overlap = ({ from, to }: DowntimeSpan, begin: number, length: number): number =>
  Math.max(0, Math.min(to, begin + length) - Math.max(from, begin));
