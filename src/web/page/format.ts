import { lasting } from "#base/duration";
import { counted as textCounted } from "#base/text";
import { type EpochMillis, type Millis, millis } from "#base/units";

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

/**
 * `45 s`, `4 min 10 s`, `1 h 30 min`, `3 d 4 h`: how long something lasts, in two units, rounded down. Messages say the same, so
 * that one outage has one length wherever a person reads it.
 */
export const lengthOf = (duration: Millis): string => lasting(duration).replaceAll(" ", noBreak);

/**
 * `45 s`, `1 min 30 s`, `14 min`, `3 h 5 min`: the same of what still lasts, in a list. From two minutes on seconds only make
 * every row change at every look.
 */
export const lastingLength = (duration: Millis): string =>
  lengthOf(duration < 120_000 ? duration : millis(duration - (duration % 60_000)));

/**
 * `4 min 10 s`, `1 h 44 min 30 s`, `1 d 2 h 50 min`: the same of a time that is added up with others, to the second: whole
 * minutes of each would not add up to those of all. From a day on the seconds are left out. Less than a second is 1 s.
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

/** `1 h 15 min`: how long it is until an instant, rounded up to whole minutes: 30 minutes that just began are 30 minutes. */
export const remainingLength = (at: EpochMillis, until: EpochMillis): string =>
  lengthOf(millis(Math.ceil(Math.max(0, until - at) / 60_000) * 60_000));

/** The same of a length that may be no whole number of seconds, for example one that a person has set: `5 s`, `1 500 ms`. */
export const setLimit = (duration: Millis): string =>
  duration % 1000 === 0 ? lengthOf(duration) : limitWords(duration);

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

/** `Thu 12 Nov, 14:03 UTC`: the same where people look for the day of the week. */
export const weekdayAndMinute = (instant: EpochMillis): string =>
  `${weekdays.format(instant)}${noBreak}${dayAndMinute(instant)}`;

const weekdays = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

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

/**
 * How long a check or a part of it took, wherever a person reads it: `< 1 ms` of none, `0.08 ms`, `7.1 ms`, `1 503 ms`, and
 * seconds from ten of them on, `12.3 s`. More digits than that say nothing of a network.
 */
export function latencyWords(duration: Millis): string {
  if (duration === 0) return lessThanOne;
  if (duration < 1) return `${Number(duration.toPrecision(2))}${noBreak}ms`;
  const whole = Math.round(duration);
  if (duration < 9.95) return `${Math.round(duration * 10) / 10}${noBreak}ms`;
  if (whole < 10_000) return `${grouped(whole)}${noBreak}ms`;
  const tenths = Math.round(duration / 100);
  const part = tenths % 10 === 0 ? "" : `.${tenths % 10}`;
  return `${grouped(Math.floor(tenths / 10))}${part}${noBreak}s`;
}
const lessThanOne = `<${noBreak}1${noBreak}ms`;

/** The same of a threshold or of a place on an axis: it may be none, `0 ms`, and what was set is never rounded. */
export function limitWords(duration: Millis): string {
  if (duration === 0) return `0${noBreak}ms`;
  const isRound = duration < 10_000 || duration % 100 === 0;
  return isRound ? latencyWords(duration) : `${grouped(duration)}${noBreak}ms`;
}

/** A share of a hundred, with two digits at most: `11 %`, `0.03 %`. */
export const shareWords = (share: number): string => `${Number(share.toPrecision(2))}${noBreak}%`;

/** Thousands apart by a narrow space that does not break. */
export const grouped = (count: number): string =>
  String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/** `1 monitor`, `2 monitors`. */
export const counted = (count: number, noun: string): string =>
  textCounted(count, noun, grouped(count));
