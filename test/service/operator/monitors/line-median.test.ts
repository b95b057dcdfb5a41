import { expect, test } from "vitest";
import { hours, epochMillis, millis } from "#base/units";
import { lineMedian } from "#service/operator/monitors/line-median";
import type { PicturedMonitor } from "#service/operator/picture";

const monitor: PicturedMonitor = {
  id: 1,
  name: "shop",
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: millis(60_000),
  status: "active",
  since: epochMillis(0),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};
const daysOf = (...known: readonly number[]) =>
  known.map((length, n) => ({
    begin: epochMillis(n * hours(24)),
    known: hours(length),
    down: millis(0),
    checks: length,
    slow: 0,
  }));

test.each([
  [
    "of a week has no title",
    { usual: millis(42), days: daysOf(24, 24, 24, 24, 24, 24, 24, 3) },
    "42",
    null,
  ],
  [
    "of fewer days says of how many",
    { usual: millis(42), days: daysOf(0, 0, 0, 0, 0, 9, 24, 3) },
    "42",
    "Median of 2 days before today: the others of the week have no data",
  ],
  [
    "of a monitor without a whole day is that of today",
    { medianToday: millis(42) },
    "42",
    "Median of today (UTC): no check passed on the 7 days before",
  ],
  [
    "of a monitor of which nothing passed is a dash",
    {},
    "–",
    "No check has passed today or on the 7 days before",
  ],
] as const)("the median %s", (_name, more, figure, title) => {
  const { text } = lineMedian({ ...monitor, ...more });
  const words = text.replaceAll("\u00a0", " ");
  expect(words.replaceAll(/<[^>]*>|\s+/g, "")).toMatch(figure);
  expect(/title="([^"]*)"/.exec(words)?.[1] ?? null).toBe(title);
});
