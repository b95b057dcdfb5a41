import { expect, test } from "vitest";
import { lengthOfReport } from "#service/status-page/report-length";
import type { ReportStatus } from "#service/status-page/report-words";
import { after, epochMillis, minutes } from "#base/units";

const begin = epochMillis(Date.parse("2026-11-22T12:00:00Z"));

/** What was said, from the first word on, ten minutes after one another; null or minutes. */
function lengthOf(statuses: readonly ReportStatus[], nowMinutes = 60): number | null {
  const updates = statuses.map((status, id) => ({
    id,
    status,
    at: after(begin, minutes(10 * id)),
    message: "",
    impacts: [],
  }));
  const now = after(begin, minutes(nowMinutes));
  const length = lengthOfReport({ updates: updates.toReversed() }, now);
  return length === null ? null : length / minutes(1);
}

test("a report lasts until it says that it is over, whatever is added after that", () => {
  expect(lengthOf(["investigating", "identified", "resolved"])).toBe(20);
  expect(lengthOf(["investigating", "resolved", "resolved", "resolved"])).toBe(10);
});

test("a report that was opened again lasts until its last end", () => {
  expect(lengthOf(["investigating", "resolved", "monitoring", "resolved"])).toBe(30);
});

test("a report that is open, or said from the start that it is over, has no length", () => {
  expect(lengthOf(["investigating", "resolved", "monitoring"])).toBe(null);
  expect(lengthOf(["resolved"])).toBe(null);
  expect(lengthOf(["resolved", "resolved"])).toBe(null);
  expect(lengthOf([])).toBe(null);
  // Its end is not out yet.
  expect(lengthOf(["investigating", "resolved"], 5)).toBe(null);
});
