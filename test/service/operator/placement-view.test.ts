import { expect, test } from "vitest";
import { placementOf } from "#service/operator/placement-view";
import { Owners } from "#service/agents/owners";
import { storedAgent as agent } from "../../support/stored-agent.ts";

test("each monitor is shown at the agent that the assignment gives it to, and at one that runs all", () => {
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  const [one, two, all] = placementOf(
    [agent("one", "share"), agent("two", "share"), agent("all", "everywhere")],
    ids,
  );
  const owners = Owners.noneOf(ids.map(String)).among(["one", "two"]);
  const ownerOf = (id: string): string | null => owners.at(Number(id) - 1);
  expect(one?.monitors).toEqual(ids.map(String).filter((id) => ownerOf(id) === "one"));
  expect(two?.monitors).toEqual(ids.map(String).filter((id) => ownerOf(id) === "two"));
  expect(one?.monitors.length).toBeGreaterThan(5);
  expect(all?.monitors.length).toBe(40);
});
