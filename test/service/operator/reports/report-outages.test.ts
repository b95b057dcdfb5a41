import { expect, test } from "vitest";
import type { Incident } from "#service/alerting/incident";
import { incidentsToRead, longestOutages } from "#service/operator/reports/report-outages";
import type { IncidentTurn } from "#service/store/alert-store";
import { epochMillis, type EpochMillis, hours, minutes } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(text));
const period = {
  from: at("2026-11-01T00:00:00Z"),
  to: at("2026-11-22T12:00:00Z"),
  hasEnded: false,
};

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
  unwatchedSince: null,
  notBefore: null,
  acknowledged: null,
  well: [],
  ...more,
});

const down = new Map([1, 2, 3, 4, 5, 6, 7].map((id) => [id, hours(9)] as const));
const turn = (kind: IncidentTurn["kind"], when: string): IncidentTurn => ({
  kind,
  severity: kind === "eased" ? "degraded" : "error",
  at: at(when),
});

test("the longest outages of a month count their part in it, without the time in between, and none that was only slow", () => {
  const well = [{ from: at("2026-11-03T10:10:00Z"), to: at("2026-11-03T10:30:00Z") }];
  const read = incidentsToRead(
    [
      incident(1, "2026-11-03T10:00:00Z", "2026-11-03T10:41:00Z", { well }),
      incident(2, "2026-10-31T23:00:00Z", "2026-11-01T00:30:00Z"),
      incident(3, "2026-11-22T11:52:00Z", null),
      incident(4, "2026-11-04T00:00:00Z", "2026-11-05T00:00:00Z", { worst: "degraded" }),
      incident(5, "2026-10-31T22:00:00Z", "2026-10-31T23:00:00Z"),
      incident(6, "2026-11-22T11:00:00Z", null, { noDataSince: at("2026-11-22T11:05:00Z") }),
      // Nothing is known of it since the earlier of the two.
      incident(7, "2026-11-22T10:00:00Z", null, {
        unwatchedSince: at("2026-11-22T10:30:00Z"),
        noDataSince: at("2026-11-22T10:02:00Z"),
      }),
    ],
    period,
  );
  expect(read.map(({ number }) => number)).toEqual([2, 1, 3, 6, 7]);
  const found = longestOutages(read, { turns: new Map(), down }, period);
  expect(found.map(({ number, from, to, lasted }) => [number, from, to, lasted])).toEqual([
    [2, period.from, at("2026-11-01T00:30:00Z"), minutes(30)],
    [1, at("2026-11-03T10:30:00Z"), at("2026-11-03T10:41:00Z"), minutes(11)],
    [1, at("2026-11-03T10:00:00Z"), at("2026-11-03T10:10:00Z"), minutes(10)],
    [3, at("2026-11-22T11:52:00Z"), null, minutes(8)],
    [6, at("2026-11-22T11:00:00Z"), at("2026-11-22T11:05:00Z"), minutes(5)],
  ]);
});

test("an incident that opened again has an outage for each time that it was down, without the time that it was slow", () => {
  const well = [
    { from: at("2026-11-22T11:03:00Z"), to: at("2026-11-22T11:05:00Z") },
    { from: at("2026-11-22T11:10:00Z"), to: at("2026-11-22T11:12:00Z") },
  ];
  const open = incident(1, "2026-11-22T11:00:00Z", null, { well });
  const slow: IncidentTurn = {
    ...turn("reopened", "2026-11-22T11:12:20Z"),
    severity: "degraded",
  };
  const turns = [
    turn("opened", "2026-11-22T11:00:30Z"),
    turn("reopened", "2026-11-22T11:05:20Z"),
    turn("eased", "2026-11-22T11:09:00Z"),
    slow,
  ];
  const outagesOf = (all: readonly IncidentTurn[], seenDown = hours(1), part = period) =>
    longestOutages(
      [open],
      { turns: new Map([[1, all]]), down: new Map([[1, seenDown]]) },
      part,
    ).map(({ from, to, lasted }) => [from, to, lasted]);
  expect(outagesOf(turns)).toEqual([
    [at("2026-11-22T11:05:00Z"), at("2026-11-22T11:09:00Z"), minutes(4)],
    [at("2026-11-22T11:00:00Z"), at("2026-11-22T11:03:00Z"), minutes(3)],
  ]);
  // It becomes worse, and is down since.
  const worse = [...turns, turn("worsened", "2026-11-22T11:50:00Z")];
  expect(outagesOf(worse)[0]).toEqual([at("2026-11-22T11:50:00Z"), null, minutes(10)]);
  // None is longer than all that the checks saw of the month.
  expect(outagesOf(worse, minutes(2)).map(([, , lasted]) => lasted)).toEqual(
    Array.from({ length: 3 }, () => minutes(2)),
  );
  expect(outagesOf(worse, minutes(0))).toEqual([]);
  // What went on as its month ended is over there.
  expect(outagesOf(worse, hours(1), { ...period, hasEnded: true })[0]?.[1]).toBe(period.to);
});
