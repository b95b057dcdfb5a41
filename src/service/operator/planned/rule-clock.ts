import { codesOf } from "#service/operator/planned/day-words";
import { typedTime } from "#service/operator/forms/typed-time";
import { type Millis, millis, minutes } from "#base/units";

/** The time of day at the end of the words of a rule, and the words before it. */
export interface WordsAndTime {
  readonly words: string;
  /** `22:00`; null: none is said. */
  readonly time: string | null;
  /** How long the work lasts; null: that is not said. */
  readonly length: Millis | null;
}

/** `daily 22:00`, `weekdays from 10pm to 11:30pm`, `sundays 2-4am`, `tuesdays at 22:00 for 2 hours`; null if there is none. */
export const withoutClock = (words: string): WordsAndTime | null =>
  withoutRange(words) ?? withoutLength(words) ?? withoutTime(words);

const clock = String.raw`(?:\d{1,2}(?:[:.h]?\d{2}| ?h)?(?: ?[ap]\.?m\.?)?|noon|midday|midnight)`;
const range = new RegExp(
  String.raw`(?:^|,? )(at |from |between )?(${clock})( ?- ?| to | until | till | and )(${clock})$`,
);

function withoutRange(words: string): WordsAndTime | null {
  const [tail, mark = "", begin = "", between = "", end = ""] = range.exec(words) ?? [];
  if (tail === undefined) return null;
  const isBetween = mark === "between ";
  // “until 2027” is a year.
  const isYear = /^\d{4}$/.test(end) && /[a-z]/.test(between);
  const isSaid = mark !== "" || isMarked(begin) || isMarked(end) || isAfterDay(words, tail);
  if (!isSaid || isYear || (between === " and ") !== isBetween) return null;
  const to = minuteOf(end);
  const from = to === null || isEndOfDay(begin) ? null : beginBefore(begin, end, to);
  if (from === null || to === null || from === to) return null;
  const length = minutes((to - from + dayMinutes) % dayMinutes);
  return { words: cut(words, tail), time: timeText(from), length };
}

/** Of “Mondays 10-11”, no day of a month is meant. */
const isAfterDay = (words: string, tail: string): boolean =>
  codesOf(cut(words, tail).split(" ").at(-1) ?? "") !== null;

/** “2-4am” is of one half of the day, “10-2am” of both. */
function beginBefore(begin: string, end: string, to: number): number | null {
  const half = /([ap])\.?m\.?$/.exec(end)?.[1];
  if (half === undefined || isHalf(begin) || !/^\d{1,2}(?:[:.]\d{2})?$/.test(begin))
    return minuteOf(begin);
  const same = minuteOf(`${begin}${half}m`);
  if (same === null || same < to) return same ?? minuteOf(begin);
  return minuteOf(`${begin}${half === "a" ? "p" : "a"}m`);
}

const lengthWords =
  /(?:^|,? )for (?:(?<hours>\d{1,2}(?:\.5)?|an?|one|two|three|four) ?(?:hours?|hrs?|h))?(?: ?(?:and )?(?<minutes>\d{1,3}) ?(?:minutes?|mins?|m))?$/;

function withoutLength(words: string): WordsAndTime | null {
  const found = lengthWords.exec(words);
  const { hours = "", minutes: more = "" } = found?.groups ?? {};
  if (found === null || hours + more === "") return null;
  const named = ["one", "two", "three", "four"].indexOf(hours) + 1;
  const whole = /^an?$/.test(hours) ? 1 : named > 0 ? named : Number(hours);
  const length = minutes(whole * 60 + Number(more));
  if (length <= 0) return null;
  const before = cut(words, found[0]);
  return { words: before, time: null, length: millis(length) };
}

/** A number alone is a time only after “at”. */
function withoutTime(words: string): WordsAndTime | null {
  const found = new RegExp(String.raw`(?:^|,? )(at |from )?(${clock})$`).exec(words);
  const [tail = "", at = "", said = ""] = found ?? [];
  const minute = isEndOfDay(said) ? null : minuteOf(said);
  if (minute === null || (at === "" && !isMarked(said))) return null;
  return { words: cut(words, tail), time: timeText(minute), length: null };
}

/** Work may end at 24:00. What begins then begins on the next day, which a rule about this day does not say. */
const isEndOfDay = (said: string): boolean => said.startsWith("24");

const isMarked = (said: string): boolean => /[:.h]|[ap]\.?m|n/.test(said);
const isHalf = (said: string): boolean => /[ap]\.?m\.?$/.test(said);

/** Null of what no clock shows, e.g. `25:00`. */
function minuteOf(said: string): number | null {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(typedTime(said)) ?? [];
  return hour === undefined || minute === undefined ? null : Number(hour) * 60 + Number(minute);
}

const dayMinutes = 24 * 60;

const timeText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

const cut = (words: string, tail: string): string => words.slice(0, words.length - tail.length);
