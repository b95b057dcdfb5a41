import { lasting } from "#base/duration";
import { counted as textCounted } from "#base/text";
import type { EpochMillis, Millis } from "#base/units";

/* Figures and times as a person reads them; a figure is never parted from its unit at the end of a line. */

const noBreak = "\u00a0";

/** `3 s`, `5 min`, `2 h`, `4 d`: one unit, rounded down. */
export function span(duration: Millis): string {
  const seconds = Math.max(0, Math.floor(duration / 1000));
  const [count, unit] =
    seconds < 60
      ? [seconds, "s"]
      : seconds < 3_600
        ? [seconds / 60, "min"]
        : seconds < 86_400
          ? [seconds / 3_600, "h"]
          : [seconds / 86_400, "d"];
  return `${Math.floor(count)}${noBreak}${unit}`;
}

/** `45 s`, `14 min`, `1 h 30 min`, `3 d 4 h`: how long something lasts, to the minute or, from a day on, the hour; rounded down. */
export function lengthOf(duration: Millis): string {
  const [hours, days] = [Math.floor(duration / 3_600_000), Math.floor(duration / 86_400_000)];
  const rest = days > 0 ? hours % 24 : Math.floor(duration / 60_000) % 60;
  if (hours < 1 || rest === 0) return span(duration);
  return `${span(duration)}${noBreak}${rest}${noBreak}${days > 0 ? "h" : "min"}`;
}

/**
 * `4 min 10 s`, `1 h 44 min 30 s`, `1 d 2 h 50 min`: a time that is added up with others, to the second: whole minutes of each
 * would not add up to those of all. From a day on the seconds are left out. Less than a second is 1 s.
 */
export function downtimeOf(duration: Millis): string {
  const seconds = duration === 0 ? 0 : Math.max(1, Math.round(duration / 1000));
  const parts: readonly (readonly [count: number, unit: string])[] = [
    [Math.floor(seconds / 86_400), "d"],
    [Math.floor(seconds / 3_600) % 24, "h"],
    [Math.floor(seconds / 60) % 60, "min"],
    [seconds < 86_400 ? seconds % 60 : 0, "s"],
  ];
  const shown = parts.filter(([count]) => count > 0);
  const all = shown.length === 0 ? [[0, "s"] as const] : shown;
  return all.map(([count, unit]) => `${count}${noBreak}${unit}`).join(noBreak);
}

/** `4 min 10 s`, `1 h 30 min`: a length that a person has set, whose seconds count. */
export const setLength = (duration: Millis): string => lasting(duration).replaceAll(" ", noBreak);

/** `14:03:22 UTC`. */
export const timeOfDay = (instant: EpochMillis): string => `${isoTime(instant).slice(11, 19)} UTC`;

/** `12 Nov`, in UTC. */
export const monthDay = (instant: EpochMillis): string =>
  days.format(instant).replace(" ", noBreak);

const days = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** `12 Nov, 14:03:22 UTC`: of what may lie on another day than today. */
export const dayAndTime = (instant: EpochMillis): string =>
  `${monthDay(instant)}, ${timeOfDay(instant)}`;

/** `12 Nov, 14:03 UTC`: of what is planned, to the minute. */
export const dayAndMinute = (instant: EpochMillis): string =>
  `${monthDay(instant)}, ${isoTime(instant).slice(11, 16)} UTC`;

/** `14:03:22` of today, else `12 Nov, 14:03:22`: for lists, on pages that name the zone once. */
export const nearTime = (instant: EpochMillis, now: EpochMillis): string => {
  const time = isoTime(instant).slice(11, 19);
  return monthDay(instant) === monthDay(now) ? time : `${monthDay(instant)}, ${time}`;
};

/** The same to the minute: `14:03`, or `12 Nov, 14:03`. */
export const nearMinute = (instant: EpochMillis, now: EpochMillis): string =>
  nearTime(instant, now).slice(0, -3);

/** RFC 3339. */
export const isoTime = (instant: EpochMillis): string => new Date(instant).toISOString();

/** Whole milliseconds, thousands apart: `12 345 ms`. Nothing takes no time, so what rounds to none is `< 1 ms`. */
export const wholeMillis = (duration: Millis): string => {
  const whole = Math.round(duration);
  return whole === 0 ? lessThanOne : `${grouped(whole)}${noBreak}ms`;
};
const lessThanOne = `<${noBreak}1${noBreak}ms`;

/** A latency as it is known: `12 345 ms`, and that of a ping `0.081 ms`. */
export const knownMillis = (duration: Millis): string =>
  Number.isInteger(duration) ? wholeMillis(duration) : `${duration.toFixed(3)}${noBreak}ms`;

/** A round latency on an axis: `200 ms`, `1.5 s`, `0.02 ms`. */
export function shortMillis(duration: Millis): string {
  if (duration >= 1_000) return `${Math.round(duration / 100) / 10}${noBreak}s`;
  const shown = duration < 1 ? Number(duration.toPrecision(2)) : Math.round(duration * 10) / 10;
  return `${shown}${noBreak}ms`;
}

/** The same of what something took: `< 1 ms` in place of none. */
export const shortTook = (duration: Millis): string =>
  duration === 0 ? lessThanOne : shortMillis(duration);

/** Thousands apart by a narrow space that does not break. */
export const grouped = (count: number): string =>
  String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** `1 monitor`, `2 monitors`. */
export const counted = (count: number, noun: string): string =>
  textCounted(count, noun, grouped(count));
