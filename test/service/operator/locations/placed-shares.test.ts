import { expect, test } from "vitest";
import { placementsKeptMax } from "#limits/service-limits";
import { PlacedShares } from "#service/operator/locations/placed-shares";
import { storedAgent } from "../../../support/stored-agent.ts";

const ids = Array.from({ length: 40 }, (_, index) => String(index + 1));
const one = storedAgent("one", "share");
const two = storedAgent("two", "share");
const three = storedAgent("three", "share");

test("an agent that shares with no other has all monitors, and nothing is calculated for that", () => {
  const gone = { ...two, wanted: false, settled: false };
  // The list itself: a calculated share would be another one.
  for (const agents of [[one], [one, gone], [{ ...one, wanted: false }]])
    expect(new PlacedShares().of(ids, agents).get("one")).toBe(ids);
  expect(new PlacedShares().of(ids, [one, gone]).has("two")).toBe(false);
  expect(new PlacedShares().of(ids, [gone])).toEqual(new Map());
});

test("the split of the same monitors among the same agents is calculated once", () => {
  const placed = new PlacedShares();
  const first = placed.of(ids, [one, two]);
  expect(placed.of([...ids], [two, { ...one, revision: "new" }])).toBe(first);
  const more = placed.of(ids, [one, two, three]);
  expect(more).toEqual(new PlacedShares().of(ids, [one, two, three]));
  expect(more.get("three")?.length).toBeGreaterThan(3);
  expect(placed.of(ids, [one, two])).toEqual(first);
});

test("as many splits are kept as the limit says, and the oldest goes first", () => {
  const placed = new PlacedShares();
  const split = (from: number) => placed.of(ids.slice(from), [one, two]);
  const oldest = split(0);
  const second = split(1);
  for (let from = 2; from < placementsKeptMax + 1; from += 1) split(from);
  expect(split(1)).toBe(second);
  expect(split(0)).not.toBe(oldest);
});
