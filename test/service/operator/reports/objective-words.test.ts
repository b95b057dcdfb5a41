import { describe, expect, test } from "vitest";
import { objectivesInWords, objectiveState } from "#service/operator/reports/objective-words";
import { monthOf, type ReportPeriod } from "#service/operator/reports/report-period";
import type { ReportRow } from "#service/operator/reports/uptime-report";
import { monitorId } from "#service/store/ids";
import { epochMillis, hours, millis, minutes } from "#base/units";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const month = (name: string): ReportPeriod => monthOf(name, now)!;
const [ended, current] = [month("2026-10"), month("2026-11")];

/** A monitor of a month of thirty days, which may be down for 43 min 12 s. */
const row = (name: string, downMinutes: number, changes: Partial<ReportRow> = {}): ReportRow => {
  const [known, down] = [hours(30 * 24), minutes(downMinutes)];
  return {
    id: monitorId(1),
    name,
    uptime: 100 * (1 - down / known),
    down,
    known,
    since: null,
    before: { known: millis(0), down: millis(0) },
    downDays: [],
    incidents: 0,
    downIncidents: 0,
    checks: 1,
    median: null,
    objective: { percent: 99.9, days: 30 },
    budgetLeft: millis(minutes(43.2) - down),
    isFailing: false,
    ...changes,
  };
};

describe("an objective in a month", () => {
  test("is missed once its budget is used up, in the current month and in one that has ended", () => {
    const states = (some: ReportRow) => [ended, current].map((one) => objectiveState(some, one));
    expect(states(row("shop", 43))).toEqual(["met", "on_track"]);
    expect(states(row("shop", 44))).toEqual(["missed", "missed"]);
    expect(states(row("shop", 0, { budgetLeft: null }))).toEqual([null, null]);
  });

  test.each<readonly [string, readonly ReportRow[], ReportPeriod, string | null]>([
    ["none", [row("a", 50, { objective: null, budgetLeft: null })], ended, null],
    [
      "one that is missed, which is said once",
      [row("b", 74)],
      ended,
      "The objective is missed: b (99.82\u00a0% of 99.9\u00a0%, 30\u00a0min\u00a048\u00a0s too much).",
    ],
    ["one that is met", [row("a", 1)], ended, "The objective is met."],
    ["all on track", [row("a", 1), row("b", 2)], current, "All 2 objectives are on track."],
    [
      "one of two missed",
      [row("a", 1), row("b", 74)],
      ended,
      "1 of 2 objectives are met. Missed: b (99.82\u00a0% of 99.9\u00a0%, 30\u00a0min\u00a048\u00a0s too much).",
    ],
    [
      "many missed: the worst are named",
      [row("a", 60), row("b", 70), row("c", 90), row("d", 80), row("e", 75)],
      current,
      "0 of 5 objectives are on track. Missed: c (99.79\u00a0% of 99.9\u00a0%, 46\u00a0min\u00a048\u00a0s too much); " +
        "d (99.81\u00a0% of 99.9\u00a0%, 36\u00a0min\u00a048\u00a0s too much); e (99.82\u00a0% of 99.9\u00a0%, 31\u00a0min\u00a048\u00a0s too much); 2 other monitors.",
    ],
  ])("is said in one sentence: %s", (_what, rows, of, words) => {
    expect(objectivesInWords(rows, of)).toBe(words);
  });
});
