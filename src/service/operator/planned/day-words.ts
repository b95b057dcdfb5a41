/* The words of which a rule in words consists: numbers, units of time, and days. */

export type Unit = "DAILY" | "WEEKLY" | "MONTHLY";

/** A number as it was typed: `3`, `two` and `other` count, `3rd` and `second` name one of several. */
export interface TypedNumber {
  readonly value: number;
  readonly isOrdinal: boolean;
}

export const last = -1;

/** Null of any other word. */
export function numberOf(word: string): TypedNumber | null {
  const [, digits, suffix] = /^(\d{1,3})(st|nd|rd|th|\.)?$/.exec(word) ?? [];
  if (digits === undefined) return numberWords.get(word) ?? null;
  const value = Number(digits);
  return value === 0 ? null : { value, isOrdinal: suffix !== undefined };
}

const counted = (words: readonly string[], isOrdinal: boolean): readonly [string, TypedNumber][] =>
  words.map((word, index) => [word, { value: index + 1, isOrdinal }]);

const numberWords: ReadonlyMap<string, TypedNumber> = new Map([
  ["last", { value: last, isOrdinal: true }],
  ...counted(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" "),
    true,
  ),
  ...counted("one two three four five six seven eight nine ten eleven twelve".split(" "), false),
]);

/** A unit of time, and how many of it. */
export interface Often {
  readonly unit: Unit;
  readonly interval: number;
  /** Of a quarter or a year, a rule by months has a day only if work begins in the right month. */
  readonly isLong: boolean;
}

const often = (unit: Unit, interval = 1): Often => ({
  unit,
  interval,
  isLong: unit === "MONTHLY" && interval > 1,
});

export const adverbs: ReadonlyMap<string, Often> = new Map([
  ["daily", often("DAILY")],
  ["nightly", often("DAILY")],
  ["weekly", often("WEEKLY")],
  ["fortnightly", often("WEEKLY", 2)],
  ["monthly", often("MONTHLY")],
  ["quarterly", often("MONTHLY", 3)],
  ["yearly", often("MONTHLY", 12)],
  ["annually", often("MONTHLY", 12)],
]);

export const units: ReadonlyMap<string, Often> = new Map(
  [
    ["day", often("DAILY")] as const,
    ["night", often("DAILY")] as const,
    ["week", often("WEEKLY")] as const,
    ["fortnight", often("WEEKLY", 2)] as const,
    ["month", often("MONTHLY")] as const,
    ["quarter", often("MONTHLY", 3)] as const,
    ["year", often("MONTHLY", 12)] as const,
  ].flatMap(([word, one]) => [[word, one] as const, [`${word}s`, one] as const]),
);

/** The days that a word names: `tuesdays`, `tue`, `weekday`; null of any other word. */
export function codesOf(word: string): readonly string[] | null {
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

/** The number of a month in a year, of `march` or `mar`; 0 of any other word. */
export const monthNamed = (word: string): number =>
  word.length < 3 ? 0 : monthNames.findIndex((name) => name.startsWith(word)) + 1;

const monthName = new Intl.DateTimeFormat("en", { month: "long", timeZone: "UTC" });
const monthNames = Array.from({ length: 12 }, (_, month) =>
  monthName.format(Date.UTC(2000, month)).toLowerCase(),
);

export const fillers: ReadonlySet<string> = new Set([
  ..."on the of in a and & +".split(" "),
  // What a comma divides is not one word after the other.
  ",",
]);
