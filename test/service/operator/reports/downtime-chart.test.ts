import { expect, test } from "vitest";
import { downtimeChart, roundTimeAbove } from "#service/operator/reports/downtime-chart";
import { downtimeDays } from "#service/operator/reports/downtime-days";
import type { Html } from "#web/page/html";
import { epochMillis, hours, millis, minutes, seconds } from "#base/units";

const at = (day: string) => epochMillis(Date.parse(`${day}T00:00:00Z`));
const month = { from: at("2026-11-01"), to: epochMillis(at("2026-11-22") + hours(12)) };
const on = (day: string, down: number) => ({ begin: at(day), down: minutes(down) });
const plain = (words: Html | null): string => (words?.text ?? "").replaceAll(/[\u00a0\s]+/g, " ");

test("the days of a report add up the downtime of its monitors, each with its names", () => {
  const rows = [
    { name: "shop", downDays: [on("2026-11-16", 10), on("2026-11-11", 5)] },
    { name: "wiki", downDays: [on("2026-11-16", 30)] },
    { name: "mail", downDays: [] },
  ];
  expect(downtimeDays(rows)).toEqual([
    { begin: at("2026-11-11"), down: minutes(5), names: ["shop"] },
    { begin: at("2026-11-16"), down: minutes(40), names: ["wiki", "shop"] },
  ]);
});

test("a column says its day, the time and up to three monitors", () => {
  const names = ["a", "b", "c", "d", "e"];
  const days = [
    { begin: at("2026-11-11"), down: minutes(210), names: ["replica"] },
    { begin: at("2026-11-22"), down: seconds(9), names },
  ];
  const page = plain(downtimeChart(days, month));
  expect(page).toContain("<title>11 Nov: 3 h 30 min, replica</title>");
  expect(page).toContain("22 Nov: 9 s on 5 monitors: a, b, c and 2 more");
  expect(page).toContain(
    'aria-label="Downtime on 2 days, the most on 11 Nov: 3 h 30 min, replica"',
  );
  expect(page).toContain("2 days with downtime");
  // 22 days share the width, and each leaves a fifth of its part free; the least column is two pixels.
  expect(page).toContain('x="45.91%" width="3.64%" y="23" height="63"');
  expect(page).toContain('x="95.91%" width="3.64%" y="84" height="2"');
});

test("a report of one day is one narrow column with the name of its day", () => {
  const days = [{ begin: at("2026-11-11"), down: minutes(8), names: ["replica"] }];
  const span = { from: epochMillis(at("2026-11-11") + hours(9)), to: at("2026-11-12") };
  const page = plain(downtimeChart(days, span));
  expect(page).toContain('x="48%" width="4%"');
  const names = [...page.matchAll(/text-anchor="middle" ?>([^<]*)</g)].map(([, name = ""]) =>
    name.trim(),
  );
  expect(names).toEqual(["11 Nov"]);
});

test("all days of the period are there: a mark for each without downtime, and nothing before the first data", () => {
  const days = [{ begin: at("2026-11-21"), down: minutes(5), names: ["shop"] }];
  const page = plain(downtimeChart(days, month, epochMillis(at("2026-11-20") + hours(9))));
  expect(page.match(/class="quiet"/g)).toHaveLength(2);
  expect(page).toContain("<title>20 Nov: no downtime</title>");
  expect(page).toContain("<title>22 Nov: no downtime</title>");
  // The axis has the whole month.
  expect(page).toContain('x="91.36%" width="3.64%"');
  expect(page).toMatch(/> 5 Nov .*> 12 Nov .*> 19 Nov </);
});

test("a report without downtime has no columns", () => {
  expect(downtimeChart([], month)).toBe(null);
});

test("the axis of downtime ends at a time that is easy to halve", () => {
  const ends = [1, 2_001, 59_000, 61_000].map((one) => roundTimeAbove(millis(one)));
  expect(ends).toEqual([seconds(2), seconds(10), minutes(1), minutes(2)]);
  expect(roundTimeAbove(hours(13))).toBe(hours(24));
  expect(roundTimeAbove(hours(25))).toBe(hours(48));
  expect(roundTimeAbove(hours(49))).toBe(hours(96));
});
