import { expect, test } from "vitest";
import { epochMillis } from "#base/units";
import { stateAfterRemoval } from "#service/operator/publishing/state-after-removal";
import type { ReportStatus } from "#service/status-page/report-words";

/** Updates of these ids and states, the newest first. */
const updatesOf = (...states: readonly ReportStatus[]) =>
  states.map((status, index) => ({
    id: states.length - index,
    status,
    at: epochMillis(Date.parse("2026-11-22T12:00:00Z") - index * 60_000),
    createdAt: epochMillis(0),
    message: "Words",
    impacts: [],
  }));

const without = (id: number, ...states: readonly ReportStatus[]): readonly string[] =>
  stateAfterRemoval({ updates: updatesOf(...states) }, { id }).map((one) =>
    typeof one === "string" ? one : one.text.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " "),
  );

test("without its newest update, a report has the state of the one before", () => {
  expect(without(3, "monitoring", "identified", "investigating")).toEqual([
    "The report is then in the state “Identified”, as the update before it says.",
  ]);
  expect(without(2, "resolved", "investigating")).toEqual([
    "The report is then open again: its state is “Investigating”, as the update before it says.",
  ]);
  expect(without(2, "identified", "identified")).toEqual([
    "The report stays “Identified”, as the update before it says.",
  ]);
});

test("without an update in the middle, a report keeps the state of its newest", () => {
  expect(without(2, "resolved", "identified", "investigating")).toEqual([
    "The report stays “Resolved”, as its newest update says.",
  ]);
});

test("without its first update, a report begins later", () => {
  expect(without(1, "resolved", "identified", "investigating")).toEqual([
    "The report stays “Resolved”, as its newest update says.",
    "The report then begins with the update after it, of 22 Nov, 11:59:00 UTC.",
  ]);
});

test("the only update of a report stays", () => {
  expect(without(1, "resolved")).toEqual([
    "It is the only update of its report: correct it, or delete the report.",
  ]);
});
