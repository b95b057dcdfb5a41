import { epochMillis, type EpochMillis } from "#base/units";

/** Times of day in which a channel is not disturbed, on some days of the week; past midnight where `to` is not after `from`. */
export interface QuietHours {
  /** Days on which they begin, 1 (Monday) to 7; empty: every day. */
  readonly days: readonly number[];
  /** `22:00`, wall clock. */
  readonly from: string;
  readonly to: string;
}

/** Quiet hours that cover an instant. */
interface Quiet {
  /** When they end; null: they never do. */
  readonly until: EpochMillis | null;
}

/** The next end of the quiet hours that cover this instant; null if none do. Those that touch are one. */
export function quietAt(
  all: readonly QuietHours[],
  timeZone: string,
  now: EpochMillis,
): Quiet | null {
  if (isAlwaysQuiet(all)) return { until: null };
  let until: EpochMillis | null = null;
  // Somewhere in a week is a time without them.
  for (let next = endOf(all, timeZone, now); next !== null; next = endOf(all, timeZone, next))
    until = next;
  return until === null ? null : { until };
}

/** Whether they cover every minute of a week, so that they never end. */
export function isAlwaysQuiet(all: readonly QuietHours[]): boolean {
  const spans = all.flatMap(spansOf);
  if (spans.reduce((sum, { from, to }) => sum + to - from, 0) < weekMinutes) return false;
  // What reaches into the next week covers the beginning of this one.
  const twice = spans.flatMap(({ from, to }) => [
    { from, to },
    { from: from - weekMinutes, to: to - weekMinutes },
  ]);
  let covered = 0;
  for (const { from, to } of twice.toSorted((a, b) => a.from - b.from)) {
    if (from > covered) return false;
    covered = Math.max(covered, to);
  }
  return covered >= weekMinutes;
}

const dayMinutes = 24 * 60;
const weekMinutes = 7 * dayMinutes;

/** Minutes from the beginning of a week, by the clock. */
function spansOf({
  days,
  from,
  to,
}: QuietHours): readonly { readonly from: number; readonly to: number }[] {
  const length = minuteOf(to) - minuteOf(from) + (to <= from ? dayMinutes : 0);
  return (days.length === 0 ? [1, 2, 3, 4, 5, 6, 7] : days).map((day) => {
    const begin = (day - 1) * dayMinutes + minuteOf(from);
    return { from: begin, to: begin + length };
  });
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return hour * 60 + minute;
}

/** The last end of those that cover an instant. */
const endOf = (
  all: readonly QuietHours[],
  timeZone: string,
  now: EpochMillis,
): EpochMillis | null =>
  all
    .flatMap((one) => endOfOne(one, timeZone, now) ?? [])
    .reduce<EpochMillis | null>((last, one) => (last === null || one > last ? one : last), null);

function endOfOne(hours: QuietHours, timeZone: string, now: EpochMillis): EpochMillis | null {
  const today = Temporal.Instant.fromEpochMilliseconds(now)
    .toZonedDateTimeISO(timeZone)
    .toPlainDate();
  for (const day of [today.subtract({ days: 1 }), today]) {
    if (hours.days.length > 0 && !hours.days.includes(day.dayOfWeek)) continue;
    const isOvernight = hours.to <= hours.from;
    const from = instantOf(day, hours.from, timeZone);
    const to = instantOf(isOvernight ? day.add({ days: 1 }) : day, hours.to, timeZone);
    if (from <= now && now < to) return to;
  }
  return null;
}

/** A time that the clocks skip is the one that they show an hour later. */
const instantOf = (day: Temporal.PlainDate, time: string, timeZone: string): EpochMillis =>
  epochMillis(
    day.toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds,
  );
