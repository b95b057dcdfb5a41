import { expect, test } from "vitest";
import type { Incident } from "#service/alerting/incident";
import { incidentsToRead, longestOutages } from "#service/operator/reports/report-outages";
import type { IncidentTurn } from "#service/store/alert-store";
import type { DayDown, DowntimeSpan, SpansQuery } from "#service/store/day-table";
import { epochMillis, type EpochMillis, hours, type Millis, millis, minutes } from "#base/units";

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
  passedSince: null,
  passes: [],
  ...more,
});

const dayOf = (time: number): EpochMillis => epochMillis(Math.floor(time / hours(24)) * hours(24));
/** On each day of the month so far. */
const downDays = (down: Millis = hours(9)): readonly DayDown[] =>
  Array.from({ length: 22 }, (_, day) => ({
    begin: epochMillis(period.from + day * hours(24)),
    down,
  }));
const days = new Map([1, 2, 3, 4, 5, 6, 7].map((id) => [id, downDays()] as const));
/** Every check of a stretch failed. */
const allFailed = ({ from, to }: DowntimeSpan): readonly DayDown[] => [
  { begin: dayOf(from), down: millis(to - from) },
];
const results = { downtimes: async ({ spans }: SpansQuery) => spans.map(allFailed) };
const turn = (kind: IncidentTurn["kind"], when: string): IncidentTurn => ({
  kind,
  severity: kind === "eased" ? "degraded" : "error",
  at: at(when),
});

test("the longest outages of a month count their part in it, without the time in between, and none that was only slow", async () => {
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
    days,
    period,
  );
  expect(read.map(({ number }) => number)).toEqual([2, 1, 3, 6, 7]);
  const found = await longestOutages(read, { turns: new Map(), days, results }, period);
  expect(found.map(({ number, from, to, lasted }) => [number, from, to, lasted])).toEqual([
    [2, period.from, at("2026-11-01T00:30:00Z"), minutes(30)],
    [1, at("2026-11-03T10:30:00Z"), at("2026-11-03T10:41:00Z"), minutes(11)],
    [1, at("2026-11-03T10:00:00Z"), at("2026-11-03T10:10:00Z"), minutes(10)],
    [3, at("2026-11-22T11:52:00Z"), null, minutes(8)],
    [6, at("2026-11-22T11:00:00Z"), at("2026-11-22T11:05:00Z"), minutes(5)],
  ]);
});

test("an incident that opened again has an outage for each time that it was down, without the time that it was slow", async () => {
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
  const outagesOf = async (
    all: readonly IncidentTurn[],
    down: readonly DayDown[] = downDays(),
    part = period,
  ) => {
    const facts = { turns: new Map([[1, all]]), days: new Map([[1, down]]), results };
    const found = await longestOutages([open], facts, part);
    return found.map(({ from, to, lasted }) => [from, to, lasted]);
  };
  expect(await outagesOf(turns)).toEqual([
    [at("2026-11-22T11:05:00Z"), at("2026-11-22T11:09:00Z"), minutes(4)],
    [at("2026-11-22T11:00:00Z"), at("2026-11-22T11:03:00Z"), minutes(3)],
  ]);
  // It becomes worse, and is down since.
  const worse = [...turns, turn("worsened", "2026-11-22T11:50:00Z")];
  expect((await outagesOf(worse))[0]).toEqual([at("2026-11-22T11:50:00Z"), null, minutes(10)]);
  // Together they are no longer than what the table has of the day: the longest are whole.
  const lengths = async (down: Millis) =>
    (await outagesOf(worse, downDays(down))).map(([, , lasted]) => lasted);
  expect(await lengths(minutes(15))).toEqual([minutes(10), minutes(4), minutes(1)]);
  expect(await lengths(minutes(2))).toEqual([minutes(2)]);
  expect(await lengths(minutes(0))).toEqual([]);
  // What went on as its month ended is over there.
  const ended = await outagesOf(worse, downDays(), { ...period, hasEnded: true });
  expect(ended[0]?.[1]).toBe(period.to);
});

test("checks are counted only of the monitors that can have one of the longest outages", async () => {
  const asked: number[] = [];
  const counting = {
    downtimes: async ({ monitor, spans }: SpansQuery) => {
      asked.push(monitor);
      // Of the first, every other check failed.
      return spans.map((span) =>
        allFailed(span).map((day) => ({
          ...day,
          down: millis(day.down / (monitor === 1 ? 2 : 1)),
        })),
      );
    },
  };
  const all = Array.from({ length: 20 }, (_, index) =>
    incident(index + 1, "2026-11-03T10:00:00Z", `2026-11-03T10:${50 - index}:00Z`),
  );
  const known = new Map(all.map(({ number }) => [number, downDays()] as const));
  const facts = { turns: new Map(), days: known, results: counting };
  const found = await longestOutages(all, facts, period);
  expect(found.map(({ monitor, lasted }) => [monitor, lasted / minutes(1)])).toEqual([
    [2, 49],
    [3, 48],
    [4, 47],
    [5, 46],
    [6, 45],
  ]);
  expect(asked).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
