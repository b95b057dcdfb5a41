import { parsed, type ParseResult, refused } from "#network/parsed";
import { daysOf, readRecurrence } from "#service/alerting/recurrence";
import { isTooLong, tooLongRule } from "#service/maintenance/maintenance-rules";
import { withoutClock, type WordsAndTime } from "#service/operator/planned/rule-clock";
import { endWritten, type TypedEnd, withoutEnd } from "#service/operator/planned/rule-end";
import { hourlessRule, unreadRule } from "#service/operator/planned/rule-hints";
import { monthNamed } from "#service/operator/planned/day-words";
import { spelled } from "#service/operator/planned/rule-spelling";
import type { Millis } from "#base/units";
import { wordedDays } from "#service/operator/planned/worded-days";

/**
 * The rule (RFC 5545) that a person typed, or said in words: `FREQ=WEEKLY;INTERVAL=2;BYDAY=TU` of `every second Tuesday`.
 * A time of day in the words is no part of it. `begins` is when the work begins, e.g. `2026-10-05T22:00`, or empty.
 */
export function ruleTyped(text: string, begins: string): ParseResult<string> {
  if (isTooLong(text)) return refused(tooLongRule);
  if (isWritten(text)) return parsed(text.trim().toUpperCase());
  const { words, end, time } = partsOf(text);
  const vague = time === null ? hourlessRule(text) : null;
  if (vague !== null) return refused(vague);
  const rule = ruleOf(words);
  const read = rule === null ? ofLongPeriod(words, begins) : parsed(rule);
  if (read === null) return refused(unreadRule(words));
  if (!read.ok) return read;
  const written = endWritten(end, begins, read.value);
  return written.ok ? parsed(`${read.value}${written.value}`) : written;
}

interface RuleParts {
  readonly words: string;
  readonly end: TypedEnd | null;
  readonly time: string | null;
  readonly length: Millis | null;
}

/** The time may be before the end, or after it. What is too long is not read: each of its words is compared with many. */
const partsOf = (text: string): RuleParts =>
  withoutTails({
    words: isTooLong(text) ? "" : spelled(text),
    end: null,
    time: null,
    length: null,
  });

function withoutTails(parts: RuleParts): RuleParts {
  const timed = withoutClock(parts.words);
  if (timed !== null && isNew(parts, timed)) {
    const { words, time, length } = timed;
    return withoutTails({
      ...parts,
      words,
      time: time ?? parts.time,
      length: length ?? parts.length,
    });
  }
  const ended = parts.end === null ? withoutEnd(parts.words) : null;
  return ended === null ? parts : withoutTails({ ...parts, ...ended });
}

/** Of two times of day, the rule has one too many. */
const isNew = (parts: RuleParts, { time, length }: WordsAndTime): boolean =>
  (time === null || parts.time === null) && (length === null || parts.length === null);

/** The time of day in the words of a rule, e.g. `03:00` of `weekdays at 3`, and how long work lasts; null: not said. */
export function clockOfRule(text: string): Pick<RuleParts, "time" | "length"> {
  if (isWritten(text)) return { time: null, length: null };
  const { time, length } = partsOf(text);
  return { time, length };
}

/** Not in words. */
const isWritten = (text: string): boolean => /^\s*(?:RRULE:)?\w+\s*=/i.test(text);

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
  const ofMonth = ruleOfMonth(words);
  if (ofMonth !== null) return ofMonth;
  for (const { months, named } of longPeriods) {
    const said = words.replace(named, `every ${months} months`);
    const rule = said === words || ruleOf(words) !== null ? null : ruleOf(said);
    if (rule !== null) return { rule, said, fitting: fittingMonths(rule, months) };
  }
  return null;
}

/** A day of one month of each year: `1st of january`, `every year on march 1`, `every first sunday of mar`. */
function ruleOfMonth(words: string): LongRule | null {
  const dated = words.replace(/\b([a-z]{3,9}) (?:the )?(\d{1,2}(?:st|nd|rd|th)?)$/, "$2 $1");
  const [named = "", name = ""] = /(?: of| in)? ([a-z]{3,9})$/.exec(dated) ?? [];
  const month = monthNamed(name);
  if (month === 0) return null;
  const day = dated
    .slice(0, -named.length)
    .replace(/^(?:(?:every|each) year|yearly|annually|every|each)\b,? ?(?:on )?(?:the )?/, "")
    .replace(/^(\d{1,2})$/, "$1.");
  const said = `every 12 months on the ${day}`;
  const rule = ruleOf(said);
  return rule === null || !rule.includes(";BY") ? null : { rule, said, fitting: [month] };
}

/**
 * The first day of a rule by quarters or years after the month in which work begins, e.g. on `2026-11-30T00:45`. Null if it
 * may begin in that month, or never, and of every other rule.
 */
export function nextLongDay(text: string, begins: string): Temporal.PlainDate | null {
  const long = isWritten(text) ? null : longRule(partsOf(text).words);
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
