import { parsed, type ParseResult, refused } from "#network/parsed";
import { codesOf, numberOf } from "#service/operator/planned/day-words";

/** The words of a rule before those of its end. */
export interface WordsAndEnd {
  readonly words: string;
  /** As a rule has it; empty: without end. */
  readonly end: ParseResult<string>;
}

/**
 * `…, 5 times` and `… until 31 December`, in small letters. `daily 2 times` may be twice a day, so a number follows a comma,
 * “for” or the name of a day. A day without its year is the next one after work begins, e.g. on `2026-10-05T22:00`.
 */
export function withoutEnd(words: string, begins: string): WordsAndEnd {
  const [tail = "", until] = /,? (?:until|till) (.+)$/.exec(words) ?? [];
  if (until !== undefined) return { words: cut(words, tail), end: endOn(until, begins) };
  const [counted = "", mark = "", typed = ""] = /(,| for|, for|) (\w+) times?$/.exec(words) ?? [];
  const count = /^\d{1,4}$/.test(typed) ? Number(typed) : countOf(typed);
  const before = cut(words, counted);
  const isClear = mark !== "" || codesOf(before.split(/[ ,]/).at(-1) ?? "") !== null;
  if (count === null || !isClear) return { words, end: parsed("") };
  return { words: before, end: parsed(`;COUNT=${count}`) };
}

const cut = (words: string, tail: string): string => words.slice(0, words.length - tail.length);

function countOf(word: string): number | null {
  const number = numberOf(word);
  return number === null || number.isOrdinal ? null : number.value;
}

/** The whole day counts. */
function endOn(typed: string, begins: string): ParseResult<string> {
  const day = dayOf(typed, begins);
  return day === null
    ? refused(
        "has an end that is not understood: write for example “every Tuesday until 31 December 2026” or “every Tuesday, 10 times”",
      )
    : parsed(`;UNTIL=${day.toString().replaceAll("-", "")}T235959`);
}

/**
 * `2026-12-31`, `31 December 2026`, `the 31st of dec`, `december 31, 2026`; of a month or a year, as `march 2027`, `march` and
 * `2027`, its last day; null if a calendar has no such day.
 */
function dayOf(typed: string, begins: string): Temporal.PlainDate | null {
  const words = typed.replace(/^the /, "").replaceAll(/,? +(?:of )?/g, " ");
  const period = lastDayOf(words.replace(/^end /, ""), begins);
  if (period !== null) return period;
  const written = /^(\d{4})-(\d{2})-(\d{2})$/.exec(words);
  if (written !== null) return dated(Number(written[1]), Number(written[2]), Number(written[3]));
  const found =
    /^(?<day>\d{1,2})(?:st|nd|rd|th|\.)? (?<month>[a-z]{3,9})\.?(?: (?<year>\d{4}))?$/.exec(
      words,
    ) ??
    /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2})(?:st|nd|rd|th)?(?: (?<year>\d{4}))?$/.exec(words);
  const { day = "", month = "", year } = found?.groups ?? {};
  const number = monthNamed(month);
  if (found === null || number === 0) return null;
  if (year !== undefined) return dated(Number(year), number, Number(day));
  return nextDay(number, Number(day), begins.slice(0, 10));
}

/** Without its year, a month is the next one that ends after work begins. */
function lastDayOf(words: string, begins: string): Temporal.PlainDate | null {
  if (/^\d{4}$/.test(words)) return dated(Number(words), 12, 31);
  const [, month = "", year] = /^([a-z]{3,9})\.?(?: (\d{4}))?$/.exec(words) ?? [];
  const number = monthNamed(month);
  const start = /^(\d{4})-(\d{2})/.exec(begins);
  if (number === 0 || (year === undefined && start === null)) return null;
  const next = Number(start?.[1]) + (number < Number(start?.[2]) ? 1 : 0);
  const first = dated(year === undefined ? next : Number(year), number, 1);
  return first?.with({ day: first.daysInMonth }) ?? null;
}

/** Its number in a year; 0 if it is none. */
const monthNamed = (word: string): number =>
  word === "" ? 0 : monthNames.findIndex((name) => name.startsWith(word)) + 1;

/** Of 29 February, too, the year may be the next. */
function nextDay(month: number, day: number, begins: string): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(begins)) return null;
  const year = Number(begins.slice(0, 4));
  const [same, next] = [dated(year, month, day), dated(year + 1, month, day)];
  return same === null || same.toString() < begins ? next : same;
}

function dated(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return null;
  }
}

const monthName = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const monthNames = Array.from({ length: 12 }, (_, month) =>
  monthName.format(Date.UTC(2000, month)).toLowerCase(),
);
