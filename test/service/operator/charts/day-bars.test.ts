import { expect, test } from "vitest";
import { dayBars } from "#service/operator/charts/day-bars";
import { epochMillis, hours, minutes } from "#base/units";

const begin = epochMillis(Date.parse("2026-11-22T00:00:00Z"));
const day = { begin, known: hours(24), down: minutes(9), checks: 1_440, slow: 0 };
const mark = (number: number) => ({
  kind: "error" as const,
  words: `Incident ${number}`,
  address: null,
  from: begin,
  to: epochMillis(begin + minutes(9)),
});
const textOf = (...numbers: readonly number[]): string =>
  dayBars(1, [day], numbers.map(mark)).text.replaceAll("\u00a0", " ");

test("a day names an incident of several marks once, and counts those past the third", () => {
  expect(textOf(3, 3)).toContain("down for 9 min; Incident 3");
  expect(textOf(3, 3)).not.toContain("Incident 3; Incident 3");
  expect(textOf(1, 1, 2, 3, 4, 4)).toContain("Incident 3; 1 more incident<");
});

test("an axis of hours is below no bar: one or two days have none", () => {
  const days = [0, 1, 2].map((back) => ({ ...day, begin: epochMillis(begin - hours(24 * back)) }));
  expect(dayBars(1, days.slice(1), []).text).not.toContain("<svg");
  expect(dayBars(1, days, []).text).toContain("<svg");
});
