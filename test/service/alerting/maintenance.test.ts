import { describe, expect, test } from "vitest";
import {
  coveredWindows,
  lastWindow,
  type Maintenance,
  maintenanceOver,
  type MovedWindow,
  windowAt,
  windowFrom,
  windowsAfter,
} from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(text));

function planned(from: string, to: string, rule: string, timeZone = "Europe/Berlin"): Maintenance {
  const read = rule === "" ? null : readRecurrence(rule);
  if (read?.ok === false) throw new Error(read.message);
  return {
    id: 1,
    title: "update",
    message: "",
    from: at(from),
    to: at(to),
    recurrence: read === null ? null : read.value,
    timeZone,
    monitors: [3],
    locations: [7],
    movedEnds: [],
  };
}
/** A window from a time until another, which was to end at a third. */
const moved = (from: string, to: string, plannedEnd: string): MovedWindow => ({
  from: at(from),
  to: at(to),
  planned: at(plannedEnd),
});
/** Begins, as UTC. */
const begins = (one: Maintenance, after: string, count: number): readonly string[] =>
  windowsAfter(one, at(after), count).map(({ from }) => new Date(from).toISOString().slice(0, 16));

describe("a window", () => {
  test("that does not repeat is open from its beginning until its end", () => {
    const once = planned("2026-08-12T14:00:00Z", "2026-08-12T14:30:00Z", "");
    expect(windowAt(once, at("2026-08-12T13:59:59Z"))).toBeNull();
    expect(windowAt(once, at("2026-08-12T14:00:00Z"))).not.toBeNull();
    expect(windowAt(once, at("2026-08-12T14:30:00Z"))).toBeNull();
  });
  test("that repeats stays at its wall-clock time when the clocks change", () => {
    const weekly = planned("2026-03-21T01:00:00Z", "2026-03-21T03:00:00Z", "FREQ=WEEKLY");
    // Berlin is at +1 until the 29th of March: 02:00 is 01:00Z, then 00:00Z.
    expect(begins(weekly, "2026-03-21T04:00:00Z", 2)).toEqual([
      "2026-03-28T01:00",
      "2026-04-04T00:00",
    ]);
  });
  test("on the day of 23 hours begins an hour later if its time is skipped, and is as long as the clocks say", () => {
    const daily = planned("2026-03-28T01:30:00Z", "2026-03-28T03:30:00Z", "FREQ=DAILY");
    const [short] = windowsAfter(daily, at("2026-03-28T12:00:00Z"), 1);
    expect(short).toEqual({ from: at("2026-03-29T01:30:00Z"), to: at("2026-03-29T02:30:00Z") });
  });
  test("on the day of 25 hours has the hour twice", () => {
    const daily = planned("2026-10-24T00:30:00Z", "2026-10-24T02:30:00Z", "FREQ=DAILY");
    const [long] = windowsAfter(daily, at("2026-10-24T12:00:00Z"), 1);
    expect(long).toEqual({ from: at("2026-10-25T00:30:00Z"), to: at("2026-10-25T03:30:00Z") });
  });
  test("that was ended early covers nothing from then on, and the next one is as planned", () => {
    const daily: Maintenance = {
      ...planned("2026-08-10T14:00:00Z", "2026-08-10T15:00:00Z", "FREQ=DAILY;COUNT=4"),
      movedEnds: [moved("2026-08-12T14:00:00Z", "2026-08-12T14:20:00Z", "2026-08-12T15:00:00Z")],
    };
    const target = { monitor: 3, locations: [1], labels: {} };
    const over = (time: string) => maintenanceOver([daily], target, at(`2026-08-${time}:00Z`));
    expect(over("12T14:19")?.until).toBe(at("2026-08-12T14:20:00Z"));
    expect(over("12T14:20")).toBeNull();
    expect(over("12T14:59")).toBeNull();
    expect(over("13T14:59")?.until).toBe(at("2026-08-13T15:00:00Z"));
    expect(over("11T14:59")).not.toBeNull();
    const last = moved("2026-08-13T14:00:00Z", "2026-08-13T14:05:00Z", "2026-08-13T15:00:00Z");
    expect(lastWindow({ ...daily, movedEnds: [last] })?.to).toBe(at("2026-08-13T14:05:00Z"));
  });
  test("that was extended by days is found among those that follow it", () => {
    const daily: Maintenance = {
      ...planned("2026-08-01T14:00:00Z", "2026-08-01T15:00:00Z", "FREQ=DAILY"),
      movedEnds: [moved("2026-08-03T14:00:00Z", "2026-08-12T18:00:00Z", "2026-08-03T15:00:00Z")],
    };
    const now = at("2026-08-12T17:00:00Z");
    expect(windowAt(daily, now)).toEqual({
      from: at("2026-08-03T14:00:00Z"),
      to: at("2026-08-12T18:00:00Z"),
    });
    expect(windowAt(daily, at("2026-08-12T18:00:00Z"))).toBeNull();
  });
  test("is found by its beginning, on days of another clock too", () => {
    const daily = planned("2026-03-27T01:30:00Z", "2026-03-27T03:30:00Z", "FREQ=DAILY;COUNT=4");
    const ends = (from: string) => windowFrom(daily, at(from))?.to ?? null;
    expect(ends("2026-03-27T01:30:00Z")).toBe(at("2026-03-27T03:30:00Z"));
    expect(ends("2026-03-29T01:30:00Z")).toBe(at("2026-03-29T02:30:00Z"));
    expect(ends("2026-03-29T01:31:00Z")).toBeNull();
    expect(ends("2026-04-29T01:30:00Z")).toBeNull();
    const once = planned("2026-03-27T01:30:00Z", "2026-03-27T03:30:00Z", "");
    expect(windowFrom(once, once.from)).toEqual({ from: once.from, to: once.to });
    expect(windowFrom(once, once.to)).toBeNull();
  });
  test("covers its monitors, and what only its locations see", () => {
    const once = planned("2026-08-12T14:00:00Z", "2026-08-12T14:30:00Z", "");
    const now = at("2026-08-12T14:10:00Z");
    const over = (monitor: number, locations: readonly number[]): boolean =>
      maintenanceOver([once], { monitor, locations, labels: {} }, now) !== null;
    expect(over(3, [1, 2])).toBe(true);
    expect(over(4, [7])).toBe(true);
    expect(over(4, [7, 8])).toBe(false);
    expect(over(4, [])).toBe(false);
  });
});

describe("work at several locations", () => {
  const begin = "2026-08-12T14:00:00Z";
  const north = { ...planned(begin, "2026-08-12T15:00:00Z", ""), title: "north", monitors: [] };
  const south: Maintenance = {
    ...planned("2026-08-12T14:20:00Z", "2026-08-12T14:40:00Z", ""),
    title: "south",
    monitors: [],
    locations: [8],
  };
  const both = { monitor: 4, locations: [7, 8], labels: {} };
  const titles = (all: readonly Maintenance[]): readonly string[] => all.map(({ title }) => title);

  test("covers a monitor that they name all locations of together, until the first of them ends", () => {
    const over = (time: string) => maintenanceOver([north, south], both, at(`2026-08-12T${time}Z`));
    expect(over("14:19:59")).toBeNull();
    expect(over("14:20:00")?.until).toBe(south.to);
    expect(over("14:40:00")).toBeNull();
    const named = { ...north, monitors: [4], to: at("2026-08-12T14:30:00Z") };
    expect(maintenanceOver([named, south], both, at("2026-08-12T14:25:00Z"))?.until).toBe(named.to);
  });

  test("is all named for the time of each, and what concerns other monitors is not", () => {
    const other = { ...north, title: "other", locations: [9], monitors: [5] };
    const day = { from: at("2026-08-12T00:00:00Z"), to: at("2026-08-13T00:00:00Z") };
    const during = (...works: readonly Maintenance[]) =>
      titles(coveredWindows(works, both, day, 5).map(({ maintenance }) => maintenance));
    expect(during(north, south, other)).toEqual(["north", "south"]);
    expect(during(north)).toEqual([]);
    expect(during(north, { ...south, from: north.to, to: at("2026-08-12T16:00:00Z") })).toEqual([]);
    expect(during({ ...north, monitors: [4] })).toEqual(["north"]);
    expect(during({ ...north, locations: [7, 8] })).toEqual(["north"]);
  });

  test("of thirty days calculates the windows of each work once", () => {
    const zones: string[] = [];
    const daily = Array.from({ length: 10 }, (_, id) => ({
      ...planned("2026-07-01T01:00:00Z", "2026-07-01T02:00:00Z", "FREQ=DAILY"),
      id,
      monitors: id % 2 === 0 ? [4] : [],
      locations: [7 + (id % 2)],
      get timeZone(): string {
        zones.push(String(id));
        return "UTC";
      },
    }));
    const month = { from: at("2026-07-10T00:00:00Z"), to: at("2026-08-09T00:00:00Z") };
    for (const one of daily) windowsAfter(one, month.from, 50);
    const once = zones.splice(0);
    const { length } = coveredWindows(daily, both, month, 50);
    expect(zones).toEqual(once);
    expect(length).toBe(300);
  });
});

describe("a recurrence", () => {
  const from = ["2026-01-05T10:00:00Z", "2026-01-05T11:00:00Z"] as const;
  const next = (rule: string, after: string, count = 3): readonly string[] =>
    begins(planned(...from, rule, "UTC"), after, count).map((text) => text.slice(0, 10));
  test.each([
    ["FREQ=DAILY", "2026-02-01", ["2026-02-01", "2026-02-02", "2026-02-03"]],
    ["FREQ=DAILY;INTERVAL=10", "2026-02-01", ["2026-02-04", "2026-02-14", "2026-02-24"]],
    ["FREQ=DAILY;BYDAY=SA,SU", "2026-02-02", ["2026-02-07", "2026-02-08", "2026-02-14"]],
    [
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR",
      "2026-01-06",
      ["2026-01-09", "2026-01-19", "2026-01-23"],
    ],
    ["FREQ=MONTHLY", "2026-01-06", ["2026-02-05", "2026-03-05", "2026-04-05"]],
    ["FREQ=MONTHLY;BYMONTHDAY=31", "2026-02-01", ["2026-03-31", "2026-05-31", "2026-07-31"]],
    ["FREQ=MONTHLY;BYMONTHDAY=-1", "2026-02-01", ["2026-02-28", "2026-03-31", "2026-04-30"]],
    ["FREQ=MONTHLY;BYDAY=1MO,-1FR", "2026-02-01", ["2026-02-02", "2026-02-27", "2026-03-02"]],
    ["FREQ=DAILY;COUNT=3", "2026-01-06", ["2026-01-06", "2026-01-07"]],
    ["FREQ=DAILY;UNTIL=20260107T100000Z", "2026-01-06", ["2026-01-06", "2026-01-07"]],
    ["FREQ=DAILY;UNTIL=20260107", "2026-01-07", ["2026-01-07"]],
  ])("%s", (rule, after, days) => {
    expect(next(rule, `${after}T00:00:00Z`)).toEqual(days);
  });
  test("that never comes has no windows, and is not looked for without end", () => {
    expect(next("FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO", "2026-01-06")).toEqual([]);
    expect(last("FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO;UNTIL=99991231")).toBeNull();
    expect(last("FREQ=MONTHLY;BYMONTHDAY=31;BYDAY=1MO;COUNT=3")).toBeNull();
  });
  const last = (rule: string): string | null => {
    const window = lastWindow(planned(...from, rule, "UTC"));
    return window === null ? null : new Date(window.to).toISOString();
  };
  test.each([
    ["", "2026-01-05"],
    ["FREQ=DAILY;COUNT=20", "2026-01-24"],
    ["FREQ=DAILY;COUNT=1000", "2028-09-30"],
    ["FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4", "2026-01-16"],
    ["FREQ=DAILY;UNTIL=20260107T100000Z", "2026-01-07"],
    ["FREQ=DAILY;UNTIL=20260107T095959Z", "2026-01-06"],
    ["FREQ=DAILY;UNTIL=20260107", "2026-01-07"],
    ["FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;UNTIL=20260131", "2026-01-23"],
    ["FREQ=MONTHLY;BYMONTHDAY=31;UNTIL=20270715", "2027-05-31"],
    ["FREQ=MONTHLY;BYMONTHDAY=29;INTERVAL=12;UNTIL=99991231", "9999-01-29"],
    ["FREQ=DAILY;INTERVAL=730;UNTIL=20281231", "2028-01-05"],
  ])("%s has its last window on %s", (rule, day) => {
    expect(last(rule)).toBe(`${day}T11:00:00.000Z`);
  });
  test("without end has no last window", () => {
    expect(last("FREQ=DAILY")).toBeNull();
  });
  test("of ten years is found as soon as one of a week", () => {
    expect(next("FREQ=DAILY;INTERVAL=2", "2036-01-01", 1)).toEqual(["2036-01-01"]);
  });
  test.each([
    ["FREQ=YEARLY", "needs FREQ=DAILY, WEEKLY or MONTHLY"],
    ["FREQ=DAILY;BYHOUR=3", "has BYHOUR"],
    ["FREQ=DAILY;INTERVAL=0", "needs an INTERVAL from 1 to"],
    ["FREQ=DAILY;COUNT=5;UNTIL=20260101", "has UNTIL and COUNT"],
    ["FREQ=DAILY;UNTIL=20261399", "needs an UNTIL like 20261231T235959Z"],
    ["FREQ=DAILY;UNTIL=20270229T120000Z", "needs an UNTIL"],
    ["FREQ=DAILY;UNTIL=20261231T250000", "needs an UNTIL"],
    ["FREQ=WEEKLY;BYDAY=1MO", "has numbers in its BYDAY"],
    ["FREQ=WEEKLY;BYDAY=XX", "needs a BYDAY"],
    ["FREQ=MONTHLY;BYMONTHDAY=32", "needs a BYMONTHDAY"],
    ["FREQ=DAILY;FREQ=DAILY", "has FREQ twice: write it once"],
    [
      "every tuesday",
      'has "every tuesday", which is not NAME=VALUE: write for example FREQ=WEEKLY;BYDAY=TU',
    ],
  ])("%s is refused by name", (rule, message) => {
    const read = readRecurrence(rule);
    expect(read).toMatchObject({ ok: false });
    expect(read.ok ? "" : read.message).toContain(message);
  });
});
