import { expect, test } from "vitest";
import {
  downtimeOf,
  knownMillis,
  lengthOf,
  shortMillis,
  shortTook,
  span,
  wholeMillis,
} from "#web/page/format";
import { hours, millis, minutes, seconds } from "#base/units";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

test.each([
  [seconds(59), "59 s"],
  [millis(minutes(14) - 1), "13 min"],
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

test("what took less than half a millisecond is less than one, and never none", () => {
  for (const words of [wholeMillis, knownMillis, shortTook])
    expect(words(millis(0))).toBe("<\u00a01\u00a0ms");
  expect(wholeMillis(millis(0.4))).toBe("<\u00a01\u00a0ms");
  expect(knownMillis(millis(0.081))).toBe("0.081\u00a0ms");
  expect([wholeMillis, knownMillis, shortTook].map((words) => words(millis(1)))).toEqual(
    Array(3).fill("1\u00a0ms"),
  );
});

test("a downtime that is shorter than a second is one second, and never none", () => {
  expect([300, 999, 1_400].map((ms) => plain(downtimeOf(millis(ms))))).toEqual(
    Array(3).fill("1 s"),
  );
  expect(plain(downtimeOf(millis(0)))).toBe("0 s");
});

test("the ground of an axis is none", () => {
  expect(shortMillis(millis(0))).toBe("0\u00a0ms");
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
