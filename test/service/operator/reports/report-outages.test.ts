import { expect, test } from "vitest";
import type { Incident } from "#service/alerting/incident";
import { longestOutages } from "#service/operator/reports/report-outages";
import { epochMillis, type EpochMillis, minutes } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(text));
const month = { from: at("2026-11-01T00:00:00Z"), to: at("2026-11-22T12:00:00Z") };

const incident = (number: number, from: string, to: string | null, more = {}): Incident => ({
  number,
  subject: { kind: "monitor", id: number },
  severity: "error",
  worst: "error",
  startedAt: at(from),
  openedAt: at(from),
  ended: to === null ? null : { at: at(to), because: "recovered" },
  openings: [],
  flapping: null,
  noDataSince: null,
  acknowledged: null,
  well: [],
  ...more,
});

test("the longest outages of a month count their part in it, without the time in between, and none that was only slow", () => {
  const well = [{ from: at("2026-11-03T10:10:00Z"), to: at("2026-11-03T10:30:00Z") }];
  const found = longestOutages(
    [
      incident(1, "2026-11-03T10:00:00Z", "2026-11-03T10:40:00Z", { well }),
      incident(2, "2026-10-31T23:00:00Z", "2026-11-01T00:30:00Z"),
      incident(3, "2026-11-22T11:50:00Z", null),
      incident(4, "2026-11-04T00:00:00Z", "2026-11-05T00:00:00Z", { worst: "degraded" }),
      incident(5, "2026-10-31T22:00:00Z", "2026-10-31T23:00:00Z"),
      incident(6, "2026-11-22T11:00:00Z", null, { noDataSince: at("2026-11-22T11:05:00Z") }),
    ],
    month,
  );
  expect(found.map(({ number, lasted, isOpen }) => [number, lasted, isOpen])).toEqual([
    [2, minutes(30), false],
    [1, minutes(20), false],
    [3, minutes(10), true],
    [6, minutes(5), true],
  ]);
});
