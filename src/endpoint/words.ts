import { type EpochMillis, type Millis, type Nanos, nanosToMillis } from "#units";

/* Figures and times as a person reads them. */

/** `3 s`, `5 min`, `2 h`, `4 d`: one unit, rounded down. */
export function span(duration: Millis): string {
  const seconds = Math.max(0, Math.floor(duration / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** `14:03:22 UTC`. */
export const timeOfDay = (instant: EpochMillis): string => `${isoTime(instant).slice(11, 19)} UTC`;

/** RFC 3339. */
export const isoTime = (instant: EpochMillis): string => new Date(instant).toISOString();

/** Whole milliseconds with thin spaces between thousands: `12 345 ms`. */
export const wholeMillis = (duration: Millis): string => `${grouped(Math.round(duration))} ms`;

/** Three decimals, for a phase: `0.214 ms`. */
export const fineMillis = (duration: Nanos): string => `${nanosToMillis(duration).toFixed(3)} ms`;

/** Thousands apart by a narrow space that does not break. */
export const grouped = (count: number): string =>
  String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** `1 monitor`, `2 monitors`. */
export const counted = (count: number, noun: string): string =>
  `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
