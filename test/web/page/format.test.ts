import { latencyShown } from "#browser/latency-shown";
import { expect, test } from "vitest";
import {
  downtimeOf,
  latencyWords,
  lengthOf,
  limitWords,
  setLimit,
  shareWords,
  span,
} from "#web/page/format";
import { hours, millis, minutes, seconds } from "#base/units";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test.each([
  [seconds(59), "59 s"],
  [millis(minutes(14) - 1), "13 min 59 s"],
  [minutes(14), "14 min"],
  [hours(1), "1 h"],
  [minutes(90), "1 h 30 min"],
  [millis(hours(2) - 1), "1 h 59 min"],
  [hours(24), "1 d"],
  [millis(hours(28) - 1), "1 d 3 h"],
  [millis(-1), "0 s"],
])("a length of %i ms is %s: two units at most, rounded down", (duration, words) => {
  expect(plain(lengthOf(duration))).toBe(words);
});

test("what is said in one unit begins with the same figure", () => {
  for (const duration of [seconds(59), minutes(59), minutes(90), hours(47)])
    expect(lengthOf(duration).startsWith(span(duration))).toBe(true);
});

const latencies: readonly (readonly [took: number, words: string])[] = [
  [0.0004, "0.0004 ms"],
  [0.081, "0.081 ms"],
  [0.999, "1 ms"],
  [1, "1 ms"],
  [7.14, "7.1 ms"],
  [9.94, "9.9 ms"],
  [9.96, "10 ms"],
  [303.6, "304 ms"],
  [1500, "1\u202f500 ms"],
  [1503.9, "1\u202f504 ms"],
  [9_999.6, "10 s"],
  [12_340, "12.3 s"],
  [45_000, "45 s"],
  [1_234_500, "1\u202f234.5 s"],
];

test.each(latencies)(
  "a latency of %d is %j on every page, and in a chart's words",
  (took, words) => {
    expect([latencyWords(millis(took)), latencyShown(took)].map(plain)).toEqual([words, words]);
    expect(latencyWords(millis(took))).not.toContain(" ");
  },
);

test("a check that took no whole millisecond took less than one, and a limit that was set is not rounded", () => {
  expect(plain(latencyWords(millis(0)))).toBe("< 1 ms");
  expect([0, 500, 12_000, 12_345].map((ms) => plain(limitWords(millis(ms))))).toEqual([
    "0 ms",
    "500 ms",
    "12 s",
    "12\u202f345 ms",
  ]);
});

test("a share has two digits", () => {
  expect([11.11, 0.0347].map((share) => shareWords(share))).toEqual(["11\u00a0%", "0.035\u00a0%"]);
});

test("a downtime that is shorter than a second is one second, and never none", () => {
  expect([300, 999, 1_400].map((ms) => plain(downtimeOf(millis(ms))))).toEqual(
    Array(3).fill("1 s"),
  );
  expect(plain(downtimeOf(millis(0)))).toBe("0 s");
});

test.each([
  [0, "0 s"],
  [29_600, "30 s"],
  [250_000, "4 min 10 s"],
  [6_270_000, "1 h 44 min 30 s"],
  [3_600_000, "1 h"],
  [96_645_000, "1 d 2 h 50 min"],
])("a downtime of %d ms is %s, so that parts add up to their sum", (duration, words) => {
  expect(plain(downtimeOf(millis(duration)))).toBe(words);
});

test.each([
  [5000, "5 s"],
  [90_000, "1 min 30 s"],
  [1500, "1\u202f500 ms"],
  [250, "250 ms"],
])("a length of %d ms that a person has set is %s", (length, words) => {
  expect(plain(setLimit(millis(length)))).toBe(words);
});
