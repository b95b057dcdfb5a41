/**
 * The days of a rule in words, as a rule has them: `FREQ=MONTHLY;BYDAY=1MO` of `first monday of the month`. Null of what
 * is not understood as a whole, or means nothing that a rule can say.
 */
export function wordedDays(words: readonly string[]): string | null {
  let read: Read = nothing;
  for (const word of words) {
    const next = fillers.has(word) ? read : withWord(read, word);
    if (next === null) return null;
    read = next;
  }
  return ruleOf(read);
}

/** What the words up to one of them say. */
interface Read {
  readonly unit: Unit | null;
  readonly interval: number;
  /** The number after “every”, until it is known what it counts. */
  readonly every: number | null;
  /** Whether “every” is the word before. */
  readonly isAfterEvery: boolean;
  /** Numbers that wait for what they count: `first and third`. */
  readonly numbers: readonly number[];
  readonly days: readonly NamedDay[];
  readonly monthDays: readonly number[];
}

/** `nth` is 0 of every one. */
interface NamedDay {
  readonly code: string;
  readonly nth: number;
}

type Unit = "DAILY" | "WEEKLY" | "MONTHLY";

const nothing: Read = {
  unit: null,
  interval: 1,
  every: null,
  isAfterEvery: false,
  numbers: [],
  days: [],
  monthDays: [],
};

function withWord(read: Read, word: string): Read | null {
  if (word === "every" || word === "each") return { ...read, isAfterEvery: true };
  const after = { ...read, isAfterEvery: false };
  const number = word === "other" && read.isAfterEvery ? 2 : numberOf(word);
  if (number !== null) return withNumber(after, number, read.isAfterEvery);
  const often = adverbs.get(word);
  if (often !== undefined)
    return read.unit === null ? { ...after, unit: often.unit, interval: often.interval } : null;
  if (word === "day" || word === "days") return withDay(after);
  const unit = units.get(word);
  if (unit !== undefined) return withUnit(after, unit);
  const codes = codesOf(word);
  return codes === null ? null : withWeekdays(after, codes);
}

/** `second last` counts from the end. */
function withNumber(read: Read, number: number, isAfterEvery: boolean): Read | null {
  const before = read.numbers.at(-1);
  if (number === last && before !== undefined && before > 0)
    return { ...read, numbers: [...read.numbers.slice(0, -1), -before] };
  if (isAfterEvery && number > 0) return { ...read, every: number };
  return { ...read, numbers: [...read.numbers, number] };
}

/** A day that is counted is one of a month. */
function withDay(read: Read): Read | null {
  if (read.numbers.length > 0)
    return { ...read, numbers: [], monthDays: [...read.monthDays, ...read.numbers] };
  return withUnit(read, { unit: "DAILY", interval: 1 });
}

function withUnit(read: Read, { unit, interval }: Often): Read | null {
  // “first Monday of the month” and “second Tuesday of every month” name the month once more.
  if (read.unit !== null) return unit === read.unit && read.every === null ? read : null;
  const isCounted = read.days.length === 0 && read.monthDays.length === 0;
  if (read.every !== null && isCounted)
    return { ...read, unit, interval: interval * read.every, every: null };
  return { ...read, unit, interval };
}

function withWeekdays(read: Read, codes: readonly string[]): Read | null {
  // The first of all weekdays is the first of each to a rule.
  if (codes.length > 1 && (read.numbers.length > 0 || read.every !== null)) return null;
  const nths = read.numbers.length === 0 ? [0] : read.numbers;
  if (nths.some((nth) => Math.abs(nth) > 5)) return null;
  const days = nths.flatMap((nth) => codes.map((code) => ({ code, nth })));
  return { ...read, numbers: [], days: [...read.days, ...days] };
}

function ruleOf(read: Read): string | null {
  const { every, numbers, days } = read;
  const monthDays = [...read.monthDays, ...numbers];
  const isCounted = days.some(({ nth }) => nth !== 0);
  if (isCounted && days.some(({ nth }) => nth === 0)) return null;
  if (days.length > 0 && monthDays.length > 0) return null;
  if (every !== null) return ofEvery(read, every);
  const unit = read.unit ?? (isCounted ? "MONTHLY" : days.length > 0 ? "WEEKLY" : null);
  if (unit === null || (unit !== "MONTHLY" && (isCounted || monthDays.length > 0))) return null;
  // A month on a Monday may be the first one, or all of them.
  if (unit === "MONTHLY" && days.length > 0 && !isCounted) return null;
  return written(unit, read.interval, days, monthDays);
}

/** “every second Tuesday” is that of two weeks; with a month, it is the second one of each. */
function ofEvery({ unit, interval, days, monthDays, numbers }: Read, every: number): string | null {
  const [only, ...others] = days;
  if (only === undefined || monthDays.length > 0 || numbers.length > 0) return null;
  if (unit === null) return written("WEEKLY", every, days, []);
  if (unit !== "MONTHLY" || others.length > 0 || every > 5) return null;
  return written(unit, interval, [{ ...only, nth: every }], []);
}

function written(
  unit: Unit,
  interval: number,
  days: readonly NamedDay[],
  monthDays: readonly number[],
): string {
  const codes = days.map(({ code, nth }) => `${nth === 0 ? "" : nth}${code}`);
  return [
    `FREQ=${unit}`,
    ...(interval === 1 ? [] : [`INTERVAL=${interval}`]),
    ...(codes.length === 0 ? [] : [`BYDAY=${codes.join(",")}`]),
    ...(monthDays.length === 0 ? [] : [`BYMONTHDAY=${monthDays.join(",")}`]),
  ].join(";");
}

const last = -1;

/** `3`, `3rd`, `third`, `last`; null of any other word. */
function numberOf(word: string): number | null {
  const [, digits] = /^(\d{1,3})(?:st|nd|rd|th|\.)?$/.exec(word) ?? [];
  return digits === undefined ? (numberWords.get(word) ?? null) : Number(digits) || null;
}

const numberWords: ReadonlyMap<string, number> = new Map([
  ["last", last],
  ...["first", "second", "third", "fourth", "fifth", "sixth"].map(
    (word, index): [string, number] => [word, index + 1],
  ),
  ...["one", "two", "three", "four", "five", "six"].map((word, index): [string, number] => [
    word,
    index + 1,
  ]),
]);

interface Often {
  readonly unit: Unit;
  readonly interval: number;
}

const often = (unit: Unit, interval = 1): Often => ({ unit, interval });

const adverbs: ReadonlyMap<string, Often> = new Map([
  ["daily", often("DAILY")],
  ["nightly", often("DAILY")],
  ["weekly", often("WEEKLY")],
  ["fortnightly", often("WEEKLY", 2)],
  ["monthly", often("MONTHLY")],
  ["quarterly", often("MONTHLY", 3)],
  ["yearly", often("MONTHLY", 12)],
  ["annually", often("MONTHLY", 12)],
]);

const units: ReadonlyMap<string, Often> = new Map(
  [
    ["night", often("DAILY")] as const,
    ["week", often("WEEKLY")] as const,
    ["fortnight", often("WEEKLY", 2)] as const,
    ["month", often("MONTHLY")] as const,
    ["quarter", often("MONTHLY", 3)] as const,
    ["year", often("MONTHLY", 12)] as const,
  ].flatMap(([word, one]) => [[word, one] as const, [`${word}s`, one] as const]),
);

/** The days that a word names: `tuesdays`, `tue`, `weekday`; null of any other word. */
function codesOf(word: string): readonly string[] | null {
  const several = groups.get(word.replace(/s$/, ""));
  if (several !== undefined) return several;
  const found = weekdays.find(
    (day) => word === day || word === `${day}s` || (word.length > 2 && day.startsWith(word)),
  );
  return found === undefined ? null : [found.slice(0, 2).toUpperCase()];
}

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const groups: ReadonlyMap<string, readonly string[]> = new Map([
  ["weekday", ["MO", "TU", "WE", "TH", "FR"]],
  ["workday", ["MO", "TU", "WE", "TH", "FR"]],
  ["weekend", ["SA", "SU"]],
]);

const fillers: ReadonlySet<string> = new Set(["on", "the", "of", "in", "a", "and", "&", "+"]);
