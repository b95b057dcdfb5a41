import { expect, test } from "vitest";
import type { StoredInstance } from "#service/instances";
import { placementOf } from "#service/pages/placement-view";
import { ownerAmong } from "#service/rendezvous";
import { epochMillis } from "#units";

const agent = (id: string, placement: StoredInstance["placement"]): StoredInstance => ({
  id,
  placement,
  live: true,
  left: false,
  lastSeenAt: epochMillis(0),
  revision: "",
  wanted: placement === "share",
  settled: placement === "share",
  steadyFrom: null,
  report: {
    hostname: id,
    node: "",
    labels: {},
    version: "",
    monitorCount: 0,
    resultsWaiting: 0,
    checksRun: 9,
    clockAhead: null,
    missedSlots: 0,
    missedSlotsOwn: 0,
    resultsGivenUp: 0,
    resultsRejected: 0,
    resultsUnassigned: 0,
    spells: [],
    conditions: [],
  },
});

test("each monitor is shown at the agent that the assignment gives it to, and at one that runs all", () => {
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const [one, two, all] = placementOf(
    [agent("one", "share"), agent("two", "share"), agent("all", "everywhere")],
    ids,
  );
  const ownerOf = ownerAmong(["one", "two"]);
  expect(one?.monitors).toEqual(ids.map(String).filter((id) => ownerOf(id) === "one"));
  expect(two?.monitors).toEqual(ids.map(String).filter((id) => ownerOf(id) === "two"));
  expect(one?.monitors.length).toBeGreaterThan(5);
  expect(all?.monitors.length).toBe(40);
});
