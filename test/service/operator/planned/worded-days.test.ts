import { expect, test } from "vitest";
import { readRecurrence } from "#service/alerting/recurrence";
import { recurrenceWords } from "#service/operator/planned/repeat-words";
import { ruleTyped } from "#service/operator/planned/rule-words";
import { wordedDays } from "#service/operator/planned/worded-days";
import { epochMillis } from "#base/units";

const wall = "2026-08-12T22:00";
const from = epochMillis(Date.parse(`${wall}:00Z`));
const ruleIn = (words: string): string | null => wordedDays(words.toLowerCase().split(" "));

const nths = { first: 1, second: 2, third: 3, "second last": -2, last: -1 };
const months = {
  "every month": 1,
  "every other month": 2,
  "every second month": 2,
  "every 3 months": 3,
  "each third month": 3,
};
const days = { Monday: "MO", Thu: "TH", Sundays: "SU" };

test("a day and a month are the same rule, whichever of them is typed first", () => {
  for (const [nthWord, nth] of Object.entries(nths))
    for (const [dayWord, day] of Object.entries(days))
      for (const [often, interval] of Object.entries(months)) {
        const every = interval === 1 ? "" : `;INTERVAL=${interval}`;
        const rule = `FREQ=MONTHLY${every};BYDAY=${nth}${day}`;
        expect.soft(ruleIn(`${nthWord} ${dayWord} of ${often}`)).toBe(rule);
        expect.soft(ruleIn(`the ${nthWord} ${dayWord} ${often}`)).toBe(rule);
        expect.soft(ruleIn(`${often} on the ${nthWord} ${dayWord}`)).toBe(rule);
        const date = `FREQ=MONTHLY${every};BYMONTHDAY=${nth}`;
        expect.soft(ruleIn(`${nthWord} day of ${often}`)).toBe(date);
        expect.soft(ruleIn(`${often} on the ${nthWord}`)).toBe(date);
      }
});

/** All sequences of these words, of as many as that at most. */
function* sequences(words: readonly string[], lengthMax: number): Generator<readonly string[]> {
  if (lengthMax === 0) return;
  for (const word of words) {
    yield [word];
    for (const rest of sequences(words, lengthMax - 1)) yield [word, ...rest];
  }
}

const vocabulary = "every other second 4 last Monday Friday month weeks day of"
  .toLowerCase()
  .split(" ");
const numbers: Readonly<Record<string, number>> = {
  other: 2,
  second: 2,
  third: 3,
  "4": 4,
  last: 1,
};

/** What a rule says, without what says nothing: its numbers, by size, and its weekdays. */
function partsOf(rule: string): string {
  const read = readRecurrence(rule);
  if (!read.ok) return read.message;
  const { interval, days: named, monthDays } = read.value;
  const counted = [interval, ...named.map(({ nth }) => nth), ...monthDays].map(Math.abs);
  return said(
    counted.filter((number) => number > 1),
    named.map(({ day }) => day),
  );
}

const said = (counted: readonly number[], named: readonly number[]): string =>
  `${sorted(counted)} on ${sorted(named)}`;

const sorted = (some: readonly number[]): string =>
  [...new Set(some)].toSorted((one, other) => one - other).join();

test("no rule leaves out a number or a day that was typed, and each is typed again as its page says it", () => {
  const wrong: string[] = [];
  let taken = 0;
  for (const words of sequences(vocabulary, 5)) {
    const rule = wordedDays(words);
    if (rule === null) continue;
    taken += 1;
    const counted = words.map((word) => numbers[word] ?? 0).filter((number) => number > 1);
    const named = words.flatMap((word) => (word === "monday" ? [1] : word === "friday" ? [5] : []));
    const again = ruleTyped(recurrenceWords({ recurrence: rule, from, timeZone: "UTC" }), "");
    // A rule without days is said with the day on which it begins.
    const isSame =
      again.ok && (rule.includes("BY") ? again.value === rule : again.value.startsWith(rule));
    if (partsOf(rule) !== said(counted, named) || !isSame)
      wrong.push(`${words.join(" ")}: ${rule}`);
  }
  expect(wrong.slice(0, 30)).toEqual([]);
  expect(taken).toBeGreaterThan(1_000);
});
