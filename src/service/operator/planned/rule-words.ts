import { parsed, type ParseResult, refused } from "#network/parsed";
import { daysOf, readRecurrence } from "#service/alerting/recurrence";
import { typedTime } from "#service/operator/forms/typed-time";
import { withoutEnd, type WordsAndEnd } from "#service/operator/planned/rule-end";
import { wordedDays } from "#service/operator/planned/worded-days";

/**
 * The rule (RFC 5545) that a person typed, or said in words: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU` of `every second Tuesday`.
 * A time of day in the words is no part of it. `begins` is when the work begins, e.g. `2026-10-05T22:00`, or empty.
 */
export function ruleTyped(text: string, begins: string): ParseResult<string> {
  if (isWritten(text)) return parsed(text.trim().toUpperCase());
  const { words, end } = partsOf(text, begins);
  const rule = ruleOf(words);
  const read = rule === null ? ofLongPeriod(words, begins) : parsed(rule);
  if (read === null) return refused(notUnderstood);
  if (!read.ok || !end.ok) return read.ok ? end : read;
  return parsed(`${read.value}${end.value}`);
}

/** The time may be before the end, or after it. */
function partsOf(text: string, begins: string): WordsAndEnd & TimeAndWords {
  const last = withoutTime(asSpaced(text));
  const ended = withoutEnd(last.words, begins);
  const before = withoutTime(ended.words);
  return { words: before.words, time: before.time ?? last.time, end: ended.end };
}

/** The time of day in the words of a rule, e.g. `03:00` of `weekdays at 3`; null if they have none. */
export const timeOfRule = (text: string): string | null =>
  isWritten(text) ? null : partsOf(text, "").time;

/** Not in words. */
const isWritten = (text: string): boolean => /^\s*(?:RRULE:)?\w+\s*=/i.test(text);

const notUnderstood =
  "is not understood: write for example “every second Tuesday”, “first Monday of the month”, “every Tuesday until 31 December”, “every 3 months on the 15th” or FREQ=WEEKLY;BYDAY=TU";

/** Of “monthly on the 45th”, too, the words are refused: the person typed no BYMONTHDAY. */
function ruleOf(text: string): string | null {
  const words = text.replaceAll(",", " , ").split(" ");
  const rule = wordedDays(words.filter((word) => word !== ""));
  return rule !== null && readRecurrence(rule).ok ? rule : null;
}

/**
 * A day of a quarter or a year. A rule has none, only months that are counted from that of its beginning: so the day is that
 * of each third month if work begins in the first month of a quarter, or in its last for what is counted from the end.
 * Null of other words.
 */
function ofLongPeriod(words: string, begins: string): ParseResult<string> | null {
  const long = longRule(words);
  if (long === null) return null;
  const { rule, said, fitting } = long;
  if (fitting.includes(Number(begins.slice(5, 7)))) return parsed(rule);
  const names = fitting.map((month) => monthNames.format(Date.UTC(2000, month - 1)));
  const choice = names.length === 0 ? "" : `choose ${orList.format(names)} there, or `;
  return refused(`counts from the month in “Begins”: ${choice}write “${said}”`);
}

/** A rule of a quarter or a year, the words for it that count months, and the months in which work by it may begin. */
interface LongRule {
  readonly rule: string;
  readonly said: string;
  readonly fitting: readonly number[];
}

function longRule(words: string): LongRule | null {
  for (const { months, named } of longPeriods) {
    const said = words.replace(named, `every ${months} months`);
    const rule = said === words || ruleOf(words) !== null ? null : ruleOf(said);
    if (rule !== null) return { rule, said, fitting: fittingMonths(rule, months) };
  }
  return null;
}

/**
 * The first day of a rule by quarters or years after the month in which work begins, e.g. on `2026-11-30T00:45`. Null if it
 * may begin in that month, or never, and of every other rule.
 */
export function nextLongDay(text: string, begins: string): Temporal.PlainDate | null {
  const long = isWritten(text) ? null : longRule(partsOf(text, begins).words);
  const month = Temporal.PlainDate.from(begins.slice(0, 10)).with({ day: 1 });
  if (long === null || long.fitting.includes(month.month)) return null;
  const first = Array.from({ length: 12 }, (_, index) => month.add({ months: index + 1 })).find(
    (one) => long.fitting.includes(one.month),
  );
  const read = readRecurrence(long.rule);
  if (first === undefined || !read.ok) return null;
  const [day = null] = daysOf(read.value, first, first);
  return day;
}

const longPeriods = [
  { months: 3, named: /\b(?:quarterly|(?:(?:every|each|the|a) )?quarter)\b/ },
  { months: 12, named: /\b(?:yearly|annually|(?:(?:every|each|the|a) )?year)\b/ },
] as const;

/** The months of the calendar in which a period of so many months has the days of a rule; none if they are in different ones. */
function fittingMonths(rule: string, months: number): readonly number[] {
  const read = readRecurrence(rule);
  if (!read.ok) return [];
  const { days, monthDays } = read.value;
  // The fifth Monday and the 31st may be in the month after.
  const counted = [
    ...days.map(({ nth }) => (Math.abs(nth) > 4 ? 0 : nth)),
    ...monthDays.map((day) => (Math.abs(day) > 28 ? 0 : day)),
  ];
  const rest = counted.every((nth) => nth > 0) ? 1 : counted.every((nth) => nth < 0) ? 0 : null;
  const all = Array.from({ length: 12 }, (_, index) => index + 1);
  return rest === null ? [] : all.filter((month) => month % months === rest);
}

const monthNames = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const orList = new Intl.ListFormat("en-GB", { type: "disjunction" });

const asSpaced = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s\u00a0\u202f]+/g, " ")
    .trim()
    .replace(/\.$/, "");

const cut = (words: string, tail: string): string => words.slice(0, words.length - tail.length);

interface TimeAndWords {
  readonly words: string;
  readonly time: string | null;
}

/** `daily 22:00`, `every Tuesday at 9 pm`: a number alone is a time only after “at”. */
function withoutTime(words: string): TimeAndWords {
  const [tail = "", at = "", said = ""] =
    /(?:^|,? )(at )?((?:\d{1,2}(?:[:.h]?\d{2}| ?h)?(?: ?[ap]\.?m\.?)?)|noon|midnight)$/.exec(
      words,
    ) ?? [];
  const isTime = at !== "" || /[:.h]|[ap]\.?m|n/.test(said);
  const time = typedTime(said);
  if (!isTime || !/^\d\d:\d\d$/.test(time)) return { words, time: null };
  return { words: cut(words, tail), time };
}
