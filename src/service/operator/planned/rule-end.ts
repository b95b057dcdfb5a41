import { parsed, type ParseResult, refused } from "#network/parsed";
import { codesOf, monthNamed, numberOf } from "#service/operator/planned/day-words";

/** How a rule ends, as it was typed: on a day, after so many times, or after a while. */
export type TypedEnd =
  | { readonly is: "until"; readonly typed: string }
  | { readonly is: "count"; readonly count: number }
  | { readonly is: "while"; readonly count: number; readonly unit: Period };

type Period = "day" | "week" | "month" | "year";

/** The words of a rule before those of its end. */
interface EndAndWords {
  readonly words: string;
  readonly end: TypedEnd;
}

/**
 * `…, 5 times`, `5 times …`, `… x5`, `… for 10 weeks` and `… until 31 December`, in small letters; null if there is no end. `daily 2 times` may be
 * twice a day, so a number follows a comma, “for” or the name of a day.
 */
export const withoutEnd = (words: string): EndAndWords | null =>
  withoutDay(words) ?? withoutWhile(words) ?? withoutCount(words) ?? withoutCountFirst(words);

function withoutDay(words: string): EndAndWords | null {
  const [tail, , typed = ""] =
    /,? (until|till?|up to|through|thru|to|ending(?: on)?|ends(?: on)?) (.+)$/.exec(words) ?? [];
  return tail === undefined ? null : { words: cut(words, tail), end: { is: "until", typed } };
}

const periods: Readonly<Record<string, readonly [Period, number]>> = {
  day: ["day", 1],
  night: ["day", 1],
  week: ["week", 1],
  fortnight: ["week", 2],
  month: ["month", 1],
  quarter: ["month", 3],
  year: ["year", 1],
};

function withoutWhile(words: string): EndAndWords | null {
  const [tail, typed = "", word = ""] =
    /,? (?:for|over|during) (?:the )?(?:next )?(?:(\w+) )?(day|night|week|fortnight|month|quarter|year)s?$/.exec(
      words,
    ) ?? [];
  const count = /^(?:an?|)$/.test(typed) ? 1 : numberIn(typed);
  const [unit, size] = periods[word] ?? [];
  if (tail === undefined || count === null || unit === undefined || size === undefined) return null;
  return { words: cut(words, tail), end: { is: "while", count: count * size, unit } };
}

function withoutCount(words: string): EndAndWords | null {
  const [counted, mark = "", typed = ""] =
    /(,| for|, for|) (?:the next )?(\w+?)(?:x| (?:times?|occurrences?|repetitions?))$/.exec(
      words,
    ) ?? [];
  if (counted === undefined) return withoutSign(words);
  const before = cut(words, counted);
  const isClear = mark !== "" || codesOf(before.split(/[ ,]/).at(-1) ?? "") !== null;
  return isClear ? counting(before, typed) : null;
}

/** `every Friday x10`. */
function withoutSign(words: string): EndAndWords | null {
  const [tail, mark = "", typed = ""] = /(,|) [x×] ?(\d+)$/.exec(words) ?? [];
  if (tail === undefined) return null;
  const before = cut(words, tail);
  return mark !== "" || namesDay(before) ? counting(before, typed) : null;
}

/** `2 times every day` may be twice a day: what follows names a day of the week. */
function withoutCountFirst(words: string): EndAndWords | null {
  const [, typed = "", rest = ""] =
    /^(\w+?) ?(?:x|×|times?|occurrences?|repetitions?),? (?:of )?((?:every|each|on) .+)$/.exec(
      words,
    ) ?? [];
  return namesDay(rest) ? counting(rest, typed) : null;
}

const namesDay = (words: string): boolean =>
  words.split(/[ ,]+/).some((word) => codesOf(word) !== null);

function counting(words: string, typed: string): EndAndWords | null {
  const count = numberIn(typed);
  return count === null ? null : { words, end: { is: "count", count } };
}

const numberIn = (typed: string): number | null =>
  /^\d{1,4}$/.test(typed) ? Number(typed) : countOf(typed);

const cut = (words: string, tail: string): string => words.slice(0, words.length - tail.length);

/** As a rule has it; empty: without end. A while is counted from when work begins, e.g. on `2026-10-05T22:00`. */
export function endWritten(
  end: TypedEnd | null,
  begins: string,
  rule: string,
): ParseResult<string> {
  switch (end?.is) {
    case undefined:
      return parsed("");
    case "count":
      return parsed(`;COUNT=${end.count}`);
    case "until": {
      const day = dayOf(end.typed, begins);
      return day === null ? refused(unreadEnd) : parsed(untilText(day));
    }
    case "while": {
      const last = lastOfWhile(end, begins.slice(0, 10), rule.includes("MONTHLY"));
      return last === null ? refused(unreadEnd) : parsed(untilText(last));
    }
  }
}

const unreadEnd =
  "has an end that is not understood: write for example “every Tuesday until 31 December 2026”, “every Tuesday for 10 weeks” or “every Tuesday, 10 times”";

/** The whole day counts. */
const untilText = (day: Temporal.PlainDate): string =>
  `;UNTIL=${day.toString().replaceAll("-", "")}T235959`;

/** What is once a month is in each of so many months: their last day may be late. */
function lastOfWhile(
  { count, unit }: Extract<TypedEnd, { readonly is: "while" }>,
  begins: string,
  isMonthly: boolean,
): Temporal.PlainDate | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(begins) || count < 1 || count > whileMax) return null;
  const first = Temporal.PlainDate.from(begins);
  const last = first.add({ [`${unit}s`]: count }).subtract({ days: 1 });
  if (!isMonthly || unit === "day" || unit === "week") return last;
  const months = unit === "year" ? count * 12 : count;
  const month = first.with({ day: 1 }).add({ months: months - 1 });
  return month.with({ day: month.daysInMonth });
}

/** As many as a rule may have times. */
const whileMax = 1_000;

function countOf(word: string): number | null {
  const number = numberOf(word);
  return number === null || number.isOrdinal ? null : number.value;
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
  const numbers = numberedDay(words);
  if (numbers !== null) return numbers;
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

/** `31.3.2027`, `31/03/2027` and `3/31/2027`; null of any other, also if both numbers may be the month. */
function numberedDay(words: string): Temporal.PlainDate | null {
  const [, one = "", mark, two = "", year = ""] =
    /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(words) ?? [];
  const [first, second] = [Number(one), Number(two)];
  if (mark === undefined) return null;
  if (mark === "." || first > 12 || first === second) return dated(Number(year), second, first);
  return second > 12 ? dated(Number(year), first, second) : null;
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
