import { describe, expect, test } from "vitest";
import { isLasting, withSpells } from "#service/agents/agent-spells";
import { saidBy } from "#service/agents/instances";
import type { InstanceReport } from "#service/store/instance-report";
import { epochMillis, millis } from "#base/units";

type Figures = Partial<
  Pick<
    InstanceReport,
    | "checksRun"
    | "clockAhead"
    | "missedSlotsOwn"
    | "resultsGivenUp"
    | "resultsRejected"
    | "resultsUnassigned"
  >
>;

/** One heartbeat every 30 s; what is concluded from all of them. */
function heard(...beats: readonly Figures[]): readonly string[] {
  const last = beats.reduce<InstanceReport>(
    (before, figures, index) =>
      withSpells(
        { report: before },
        { ...before, ...figures, spells: [] },
        epochMillis(index * 30_000),
      ),
    saidBy({ report: null }),
  );
  return last.spells.map(
    (spell) => `${spell.trouble} ${spell.amount}${isLasting(spell) ? " lasts" : ""}`,
  );
}

const same = {};

describe("what an agent dropped", () => {
  test("is lost with the first heartbeat that says so", () => {
    expect(heard(same, { resultsGivenUp: 12 })).toEqual(["results-dropped 12 lasts"]);
    expect(heard({ resultsGivenUp: 7 })).toEqual(["results-dropped 7 lasts"]);
  });
  test("adds up while it drops, and is over after five minutes without more", () => {
    const dropping = [{ resultsGivenUp: 2 }, { resultsGivenUp: 5 }];
    const quiet = (count: number) => Array.from({ length: count }, () => same);
    expect(heard(...dropping, ...quiet(9))).toEqual(["results-dropped 5 lasts"]);
    expect(heard(...dropping, ...quiet(10))).toEqual([]);
  });
  test("counts again when the agent starts again", () => {
    expect(heard({ resultsGivenUp: 5 }, { resultsGivenUp: 0 }, { resultsGivenUp: 1 })).toEqual([
      "results-dropped 6 lasts",
    ]);
  });
});

describe("what the service rejects", () => {
  test("is trouble when it shows in heartbeats a minute apart", () => {
    const [first, second, third] = [1, 2, 3].map((resultsRejected) => ({ resultsRejected }));
    expect(heard(first ?? same, second ?? same)).toEqual(["results-rejected 2"]);
    expect(heard(first ?? same, second ?? same, third ?? same)).toEqual([
      "results-rejected 3 lasts",
    ]);
  });
  test("is none if the location runs the monitor no more", () => {
    const beats = [1, 2, 3].map((count) => ({ resultsRejected: count, resultsUnassigned: count }));
    expect(heard(...beats)).toEqual([]);
  });
});

describe("a clock", () => {
  test("that is off by more than a minute is trouble a minute later, whichever side it is off", () => {
    const beats = (clockAhead: number) => [0, 1, 2].map(() => ({ clockAhead: millis(clockAhead) }));
    expect(heard(...beats(75_000))).toEqual(["clock-off 75000 lasts"]);
    expect(heard(...beats(-75_000))).toEqual(["clock-off -75000 lasts"]);
    expect(heard(...beats(60_000))).toEqual([]);
  });
  test("that was off in one heartbeat is none: the heartbeat or the service may have been late", () => {
    expect(heard({ clockAhead: millis(-90_000) }, { clockAhead: millis(0) })).toEqual([
      "clock-off -90000",
    ]);
  });
  test("explains why results are rejected", () => {
    const beats = [1, 2, 3].map((resultsRejected) => ({
      resultsRejected,
      clockAhead: millis(400_000),
    }));
    const inTime = { resultsRejected: 9, clockAhead: millis(0) };
    expect(heard(...beats, inTime)).toEqual(["clock-off 400000 lasts"]);
  });
  test("of an agent that does not say it is taken for right", () => {
    expect(heard({ clockAhead: null }, { clockAhead: null })).toEqual([]);
  });
});

describe("slots that an agent misses by its own fault", () => {
  const missing = (missed: number, run: number) =>
    [1, 2, 3].map((beat) => ({ missedSlotsOwn: beat * missed, checksRun: beat * run }));
  test("are trouble when they are one in a hundred for a minute, and three", () => {
    expect(heard(...missing(1, 99))).toEqual(["slots-missed 3 lasts"]);
    expect(heard(...missing(1, 100))).toEqual([]);
    expect(heard({ missedSlotsOwn: 1 }, same, { missedSlotsOwn: 2 })).toEqual(["slots-missed 2"]);
  });
  test("in one moment are none: a machine was asleep", () => {
    expect(heard(same, { missedSlotsOwn: 500 }, same, same)).toEqual(["slots-missed 500"]);
  });
});
