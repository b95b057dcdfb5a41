import { expect, test } from "vitest";
import { lengthOf, span } from "#web/page/format";
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
