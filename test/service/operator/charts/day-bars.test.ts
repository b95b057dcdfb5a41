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

test("the bars of a young monitor are its hours, each with its share of the hour that was down", () => {
  const hourAt = (at: number, down: number) => ({
    begin: epochMillis(begin + hours(at)),
    known: hours(1),
    down: minutes(down),
    checks: 60,
    slow: 0,
  });
  const shown = [hourAt(0, 0), hourAt(1, 9), hourAt(2, 40)];
  const { text } = dayBars(1, [day], [mark(7)], shown);
  const read = text.replaceAll("\u00a0", " ");
  expect(read).toContain(
    "3 hours: 1 up, 2 down (49 min of downtime in all). The first data is of 22 Nov.",
  );
  expect(read).toContain('aria-label="22 Nov, 01:00 to 02:00 UTC: down for 9 min"');
  expect(read).toContain('<li class="partly foot-1">');
  expect(read).toContain('<li class="partly foot-3">');
  expect(read).toContain("down for 9 min; Incident 7");
});
