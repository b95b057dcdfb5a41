import { epochMillis, type EpochMillis } from "#base/units";

/** Times of day in which a channel is not disturbed, on some days of the week; past midnight where `to` is not after `from`. */
export interface QuietHours {
  /** Days on which they begin, 1 (Monday) to 7; empty: every day. */
  readonly days: readonly number[];
  /** `22:00`, wall clock. */
  readonly from: string;
  readonly to: string;
}

/** When the quiet hours that cover this instant end; null when none do. Those that touch are one. */
export function quietUntil(
  all: readonly QuietHours[],
  timeZone: string,
  now: EpochMillis,
): EpochMillis | null {
  let end: EpochMillis | null = null;
  // A week of windows that touch has no end that helps: it is asked again then.
  for (let count = 0; count < 8; count += 1) {
    const at: EpochMillis = end ?? now;
    const next = all
      .map((one) => endOf(one, timeZone, at))
      .filter((one) => one !== null)
      .reduce<EpochMillis | null>((last, one) => (last === null || one > last ? one : last), null);
    if (next === null) break;
    end = next;
  }
  return end;
}

function endOf(hours: QuietHours, timeZone: string, now: EpochMillis): EpochMillis | null {
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
