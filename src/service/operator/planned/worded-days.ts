import {
  adverbs,
  codesOf,
  fillers,
  last,
  numberOf,
  type Often,
  type TypedNumber,
  type Unit,
  units,
} from "#service/operator/planned/day-words";

/**
 * The days of a rule in words, as a rule has them: `FREQ=MONTHLY;BYDAY=1MO` of `first monday of the month`. Null of what
 * is not understood as a whole, has two readings, or means nothing that a rule can say.
 */
export function wordedDays(words: readonly string[]): string | null {
  let read: Read = nothing;
  for (const word of words) {
    const next = fillers.has(word) ? withFiller(read, word) : withWord(read, word);
    if (next === null) return null;
    read = next;
  }
  return ruleOf(read);
}

/** What the words up to one of them say. */
interface Read {
  readonly often: Often | null;
  readonly interval: number;
  /** The number after “every”, until it is known what it counts. */
  readonly every: TypedNumber | null;
  /** That number if it counts the day: “every second Tuesday” is that of two weeks, or the second one of a month. */
  readonly everyDay: TypedNumber | null;
  readonly isAfterEvery: boolean;
  readonly isAfterNumber: boolean;
  /** Numbers that wait for what they count: `first and third`. */
  readonly numbers: readonly TypedNumber[];
  readonly days: readonly NamedDay[];
  readonly monthDays: readonly number[];
}

/** `nth` is 0 of every one. */
interface NamedDay {
  readonly code: string;
  readonly nth: number;
}

const nothing: Read = {
  often: null,
  interval: 1,
  every: null,
  everyDay: null,
  isAfterEvery: false,
  isAfterNumber: false,
  numbers: [],
  days: [],
  monthDays: [],
};

/** “every 15th of the month” counts days, not months. */
function withFiller(read: Read, word: string): Read | null {
  const after = { ...read, isAfterNumber: false };
  return read.every !== null && (word === "of" || word === "in") ? withEveryAsNumber(after) : after;
}

/** “every second and fourth Tuesday” names two, so its first number is no interval. */
function withEveryAsNumber(read: Read): Read | null {
  const { every, numbers } = read;
  if (every === null) return read;
  return every.isOrdinal ? { ...read, every: null, numbers: [...numbers, every] } : null;
}

function withWord(read: Read, word: string): Read | null {
  if (word === "every" || word === "each")
    return read.every === null ? { ...read, isAfterEvery: true, isAfterNumber: false } : null;
  const after = { ...read, isAfterEvery: false, isAfterNumber: false };
  const number =
    word === "other" && read.isAfterEvery ? { value: 2, isOrdinal: false } : numberOf(word);
  if (number !== null) return withNumber(read, number);
  // “3 monthly” is not on the third of a month.
  const often = adverbs.get(word);
  if (often !== undefined)
    return read.often === null && !read.isAfterNumber
      ? { ...after, often, interval: often.interval }
      : null;
  if ((word === "day" || word === "days") && read.numbers.length > 0) return withMonthDays(after);
  const unit = units.get(word);
  if (unit !== undefined)
    return read.isAfterNumber ? withCounted(after, unit) : withUnit(read, unit);
  const codes = codesOf(word);
  return codes === null ? null : withWeekdays(after, codes);
}

/** Two numbers without a word between them are one only in `second last`, which counts from the end. */
function withNumber(read: Read, number: TypedNumber): Read | null {
  const after = { ...read, isAfterEvery: false, isAfterNumber: true };
  // “every first Monday” is not every Monday.
  const isFirst = number.isOrdinal && number.value <= 1;
  if (read.isAfterEvery && !isFirst)
    return read.every === null ? { ...after, every: number } : null;
  const waiting = withEveryAsNumber(after);
  if (waiting === null || !read.isAfterNumber)
    return waiting && { ...waiting, numbers: [...waiting.numbers, number] };
  const before = waiting.numbers.at(-1);
  if (number.value !== last || before === undefined || !before.isOrdinal || before.value < 2)
    return null;
  const fromEnd = { value: -before.value, isOrdinal: true };
  return { ...waiting, numbers: [...waiting.numbers.slice(0, -1), fromEnd] };
}

/** `2 days` are not the second one. */
function withMonthDays(read: Read): Read | null {
  if (read.every !== null || !read.numbers.every(({ isOrdinal }) => isOrdinal)) return null;
  const monthDays = [...read.monthDays, ...read.numbers.map(({ value }) => value)];
  return { ...read, numbers: [], monthDays };
}

/** “every 3 months”; of “the third month”, a rule knows nothing. */
function withCounted(read: Read, often: Often): Read | null {
  const { every } = read;
  if (every === null || read.often !== null) return null;
  return withUnit({ ...read, every: null, interval: every.value }, often);
}

function withUnit(read: Read, often: Often): Read | null {
  if (read.every !== null) return null;
  const after = { ...read, isAfterEvery: false, isAfterNumber: false };
  if (read.often !== null) return isNamedAgain(read, read.often, often) ? after : null;
  // “two a month” says no days.
  if (!read.numbers.every(({ isOrdinal }) => isOrdinal)) return null;
  const whole = { ...after, often, interval: read.interval * often.interval };
  return often.unit === "MONTHLY" && read.everyDay !== null ? withNth(whole, read.everyDay) : whole;
}

/** “every 2 months on the first Monday of the month”, but not “of every month”. */
const isNamedAgain = (read: Read, before: Often, again: Often): boolean =>
  again.unit === before.unit &&
  again.interval === 1 &&
  before.interval === 1 &&
  (read.interval === 1 || !read.isAfterEvery);

/** “every second Tuesday of the month” is the second one of each; “every 2 Tuesdays of the month” may be any two. */
function withNth(read: Read, { value, isOrdinal }: TypedNumber): Read | null {
  if (!isOrdinal || value > nthMax) return null;
  return { ...read, everyDay: null, days: read.days.map(({ code }) => ({ code, nth: value })) };
}

function withWeekdays(read: Read, codes: readonly string[]): Read | null {
  const { every, everyDay, numbers } = read;
  // Whether “every second Tuesday and Friday” is every Friday, it does not say.
  if (everyDay !== null) return null;
  // The first of all weekdays is the first of each to a rule.
  if (codes.length > 1 && (numbers.length > 0 || every !== null)) return null;
  if (every !== null && (numbers.length > 0 || read.days.length > 0)) return null;
  if (numbers.some(({ value, isOrdinal }) => !isOrdinal || Math.abs(value) > nthMax)) return null;
  const nths = numbers.length === 0 ? [0] : numbers.map(({ value }) => value);
  const days = nths.flatMap((nth) => codes.map((code) => ({ code, nth })));
  return { ...read, every: null, everyDay: every, numbers: [], days: [...read.days, ...days] };
}

function ruleOf(read: Read): string | null {
  const { often, everyDay, interval, days } = read;
  if (read.every !== null || read.isAfterEvery) return null;
  const monthDays = [...read.monthDays, ...read.numbers.map(({ value }) => value)];
  const isCounted = days.some(({ nth }) => nth !== 0);
  if (isCounted && days.some(({ nth }) => nth === 0)) return null;
  if (days.length > 0 && monthDays.length > 0) return null;
  if (everyDay !== null) return often === null ? ofEveryDay(everyDay, days) : null;
  const unit = often?.unit ?? (isCounted ? "MONTHLY" : days.length > 0 ? "WEEKLY" : null);
  if (unit === null || (unit !== "MONTHLY" && (isCounted || monthDays.length > 0))) return null;
  // A month on a Monday may be the first one, or all of them.
  if (unit === "MONTHLY" && days.length > 0 && !isCounted) return null;
  // The first Monday of a year is not that of each twelfth month.
  if (often?.isLong === true && (days.length > 0 || monthDays.length > 0)) return null;
  // Every 3 days on Monday may be each Monday, or every third.
  if (unit === "DAILY" && interval > 1 && days.length > 0) return null;
  return written(unit, interval, days, monthDays);
}

/** “every third Tuesday” may be that of a month; “every second Tuesday” is said of two weeks. */
const ofEveryDay = ({ value, isOrdinal }: TypedNumber, days: readonly NamedDay[]): string | null =>
  value === 1 || (isOrdinal && value > 2) ? null : written("WEEKLY", value, days, []);

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

/** A month has no sixth Monday. */
const nthMax = 5;
