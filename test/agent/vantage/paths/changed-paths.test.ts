import { describe, expect, test } from "vitest";
import { saidChangeWords } from "#check/path-words";
import { changeToSay } from "#agent/vantage/said-change";
import { after, epochMillis, minutes } from "#base/units";
import { seeded, type SimulatedHop, TracedNetwork } from "./simulated-network.ts";

const straight: readonly SimulatedHop[] = [
  "10.0.0.1",
  "10.0.1.1",
  "10.0.2.1",
  "10.0.3.1",
  "10.0.4.1",
];

/** A path that was traced often enough to be known. */
function knownPath(hops: readonly SimulatedHop[] = straight): TracedNetwork {
  const traced = new TracedNetwork({ hops, isTargetUp: true, loss: 0, chance: seeded(1) });
  for (let count = 0; count < 3; count += 1) traced.trace();
  return traced;
}

/** What is said of a failure whose path became another. */
function saidOf(
  now: readonly SimulatedHop[],
  {
    before = straight,
    isTargetUp = false,
  }: { before?: readonly SimulatedHop[]; isTargetUp?: boolean } = {},
): string | null {
  const traced = knownPath(before);
  traced.network.hops = now;
  traced.network.isTargetUp = isTargetUp;
  return traced.said(isTargetUp ? "stalled" : "unanswered");
}

describe("a failure whose path changed names", () => {
  test.each([
    [
      "a router that was replaced, and behind which all is silent",
      [...straight.slice(0, 2), "10.7.7.7", null, null],
      "replaced 3 10.0.2.1 10.7.7.7",
    ],
    [
      "the first router that is silent with all behind it",
      [...straight.slice(0, 2), null, null, null],
      "ended 3 10.0.2.1 10.0.1.1",
    ],
    [
      "the last router that is silent with its target",
      [...straight.slice(0, 4), null],
      "ended 5 10.0.4.1 10.0.3.1",
    ],
    [
      "two routers that send packets round",
      ["10.0.0.1", "10.0.1.1", "10.0.0.1", "10.0.1.1", "10.0.0.1"],
      "circle 1 10.0.1.1 10.0.0.1",
    ],
  ])("%s", (_, now, said) => {
    expect(saidOf(now)).toBe(said);
  });
  test.each([
    [
      "a router that is new on it",
      ["10.0.0.1", "10.7.7.7", ...straight.slice(1)],
      "gained 2 null 10.7.7.7",
    ],
    [
      "a router that is gone from it",
      ["10.0.0.1", ...straight.slice(2)],
      "lost 2 10.0.1.1 10.0.2.1",
    ],
    [
      "another router than before",
      ["10.0.0.1", "10.7.7.7", ...straight.slice(2)],
      "replaced 2 10.0.1.1 10.7.7.7",
    ],
  ])("%s, if its connection stalled", (_, now, said) => {
    expect(saidOf(now, { isTargetUp: true })).toBe(said);
  });
});

describe("a failure says nothing of", () => {
  test.each<readonly [string, readonly SimulatedHop[]]>([
    ["a path that is as it was", straight],
    [
      "a router that was replaced, if others answer behind it",
      ["10.0.0.1", "10.7.7.7", ...straight.slice(2)],
    ],
    ["one router that is silent", ["10.0.0.1", null, ...straight.slice(2)]],
    ["several routers that are silent in the middle", ["10.0.0.1", null, null, null, "10.0.4.1"]],
    ["a path of which nothing at all answers", [null, null, null, null, null]],
  ])("%s", (_, now) => {
    expect(saidOf(now)).toBeNull();
  });
  test("a path that was traced only once", () => {
    const traced = new TracedNetwork({
      hops: straight,
      isTargetUp: true,
      loss: 0,
      chance: seeded(1),
    });
    traced.trace();
    traced.network.hops = ["10.0.0.1", "10.7.7.7", null, null, null];
    traced.network.isTargetUp = false;
    expect(traced.said()).toBeNull();
  });
  test("a change over which a check has passed", () => {
    const traced = knownPath();
    traced.network.hops = ["10.0.0.1", "10.7.7.7", ...straight.slice(2)];
    traced.trace();
    traced.network.isTargetUp = false;
    expect(traced.known.changes.map(({ kind }) => kind)).toEqual(["replaced"]);
    expect(traced.said("stalled", traced.now)).toBeNull();
    expect(traced.said("stalled", after(traced.now, minutes(-20)))).toBe(
      "replaced 2 10.0.1.1 10.7.7.7",
    );
  });
  test("a path that goes back and forth between two routers", () => {
    const traced = knownPath();
    const other = ["10.0.0.1", "10.7.7.7", ...straight.slice(2)];
    for (let count = 0; count < 20; count += 1) {
      traced.network.hops = count % 2 === 0 ? other : straight;
      traced.trace();
    }
    expect(traced.known.changes.map(({ kind }) => kind)).toEqual(["replaced"]);
    traced.network.hops = ["10.0.0.1", "10.0.1.1", null, null, null];
    traced.network.isTargetUp = false;
    expect([traced.said("stalled"), traced.said()]).toEqual([
      "ended 3 10.0.2.1 10.0.0.1",
      "ended 3 10.0.2.1 10.0.0.1",
    ]);
    traced.network.hops = ["10.0.0.1", "10.7.7.7", null, null, null];
    expect(traced.said()).toBe("ended 3 10.0.2.1 10.0.0.1");
  });
});

const other: readonly SimulatedHop[] = ["10.0.0.1", "10.7.7.7", ...straight.slice(2)];
const cut: readonly SimulatedHop[] = [...straight.slice(0, 2), null, null, null];
const round: readonly SimulatedHop[] = ["10.0.0.1", "10.0.1.1", "10.0.0.1", "10.0.1.1", "10.0.0.1"];

/** A known path that traces then saw so, one after the other, while no check passed; and the time of the last that did. */
function tracedAs(...seen: readonly (readonly SimulatedHop[])[]) {
  const traced = knownPath();
  const passedAt = traced.now;
  traced.now = after(passedAt, minutes(5));
  for (const hops of seen) {
    traced.network.hops = hops;
    traced.network.isTargetUp = hops.at(-1) !== null && hops !== round;
    traced.trace();
  }
  traced.network.isTargetUp = false;
  return { traced, passedAt };
}

describe("a change that a trace saw before the failure", () => {
  test.each([
    ["an outage", cut, "ended"],
    ["a circle", round, "circle"],
  ])("is not said if it was %s and the path is back", (_, hops, kind) => {
    const { traced, passedAt } = tracedAs(hops);
    expect(traced.known.changes.map((one) => one.kind)).toEqual([kind]);
    traced.network.hops = straight;
    expect([traced.said("unanswered", passedAt), traced.said("stalled", passedAt)]).toEqual([
      null,
      null,
    ]);
  });
  test.each([
    ["an outage", cut, "ended 3 10.0.2.1 10.0.1.1"],
    ["a circle", round, "circle 1 10.0.1.1 10.0.0.1"],
  ])("is said if it is %s that lasts, with when it began", (_, hops, said) => {
    const { traced, passedAt } = tracedAs(hops);
    expect([traced.said("unanswered", passedAt), traced.said("stalled", passedAt)]).toEqual([
      said,
      said,
    ]);
    expect(traced.change("unanswered", passedAt)?.at).toBe(after(passedAt, minutes(5)));
  });
  test("is not said of an outage that ended and came again: the second one is", () => {
    const { traced, passedAt } = tracedAs(cut, straight);
    traced.network.hops = cut;
    expect(traced.said("unanswered", passedAt)).toBe("ended 3 10.0.2.1 10.0.1.1");
    expect(traced.change("unanswered", passedAt)?.at).toBe(traced.now);
  });
  test("is not said of an outage if the look at the failure could ask nothing", () => {
    const { traced, passedAt } = tracedAs(cut);
    const { known, now: at } = traced;
    expect(changeToSay({ known, answers: [], failure: "unanswered", passedAt, at })).toBeNull();
  });
  test.each([
    ["at once", [other, straight], ["replaced"]],
    ["after it was known", [other, other, other, straight], ["returned", "replaced"]],
  ])("is not said of a router if the one of before came back %s", (_, seen, kinds) => {
    const { traced, passedAt } = tracedAs(...seen);
    expect(traced.known.changes.map(({ kind }) => kind)).toEqual(kinds);
    expect(traced.said("stalled", passedAt)).toBeNull();
  });
  test.each([
    ["once", [other]],
    ["twice", [other, other]],
  ])("is not said of a router that was seen %s if the look finds the one of before", (_, seen) => {
    const { traced, passedAt } = tracedAs(...seen);
    expect(traced.said("stalled", passedAt)).toBe("replaced 2 10.0.1.1 10.7.7.7");
    traced.network.hops = straight;
    expect(traced.said("stalled", passedAt)).toBeNull();
    traced.network.hops = cut;
    expect(String(traced.said("unanswered", passedAt))).not.toContain("replaced");
  });
});

test("a sentence says how old the knowledge is, and when the change was seen", () => {
  const at = (hour: number, minute: number) => epochMillis(Date.UTC(2026, 0, 1, hour, minute));
  const lost = {
    kind: "lost",
    ttl: 3,
    gone: "10.1.9.1",
    came: null,
    before: at(13, 47),
    at: at(14, 2),
  } as const;
  const said = (failedAt: number) =>
    saidChangeWords({ change: lost, to: "10.2.0.7" }, at(14, failedAt));
  expect(said(4)).toBe(
    "the path to 10.2.0.7 lost its third hop 10.1.9.1 (as before at 13:47 UTC, 17 min before this failure; changed at 14:02 UTC, 2 min before it)",
  );
  expect(said(2)).toBe(
    "the path to 10.2.0.7 lost its third hop 10.1.9.1 (as before at 13:47 UTC, 15 min before this failure)",
  );
});
