import { array, assert, nat, property, uniqueArray, uuid } from "fast-check";
import { describe, expect, test } from "vitest";
import { Owners } from "#service/agents/owners";

const monitors = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `0192f0c1-0000-7000-8000-${String(n).padStart(12, "0")}`);
const agents = uniqueArray(uuid(), { minLength: 1, maxLength: 12 });

const ownerAmong =
  (ids: readonly string[]) =>
  (monitor: string): string | null =>
    Owners.noneOf([monitor]).among(ids).at(0);

describe("an owner", () => {
  test("is one of those that are there, whatever their order", () => {
    assert(
      property(uuid(), agents, (monitor, ids) => {
        const owner = ownerAmong(ids)(monitor);
        expect(ids).toContain(owner);
        expect(ownerAmong(ids.toReversed())(monitor)).toBe(owner);
      }),
    );
    expect(ownerAmong([])("m")).toBeNull();
  });
  test("keeps its monitors when another comes or goes: only those of that one move", () => {
    assert(
      property(agents, uuid(), (ids, other) => {
        if (ids.includes(other)) return;
        for (const monitor of monitors(50)) {
          const together = ownerAmong([...ids, other])(monitor);
          if (together !== other) expect(together).toBe(ownerAmong(ids)(monitor));
        }
      }),
    );
  });
  test("has about its part: 300 monitors on three agents, of whatever names", () => {
    const names = [
      ["agent-0", "agent-1", "agent-2"],
      ["a", "b", "c"],
      ["picket-5d9f-abcde", "picket-5d9f-abcdf", "picket-5d9f-abcdg"],
      ["10.0.0.1", "10.0.0.2", "10.0.0.11"],
    ];
    for (const ids of names) {
      const counts = [...Map.groupBy(monitors(300), (id) => ownerAmong(ids)(id)).values()];
      expect(counts).toHaveLength(3);
      // Five standard deviations of a fair draw (8.2) around 100.
      for (const { length } of counts) expect(Math.abs(length - 100)).toBeLessThan(41);
    }
  });
  test("gives a newcomer its part of each other's, and a leaver's part goes to all", () => {
    const three = ["agent-0", "agent-1", "agent-2"];
    const moved = monitors(3_000).filter(
      (id) => ownerAmong(three)(id) !== ownerAmong(three.slice(1))(id),
    );
    expect(moved.length).toBeGreaterThan(850);
    expect(moved.length).toBeLessThan(1_150);
    const heirs = Map.groupBy(moved, (id) => ownerAmong(three.slice(1))(id));
    for (const heir of heirs.values()) expect(heir.length / moved.length).toBeGreaterThan(0.4);
  });
  test("is the same if it is calculated at once or agent by agent", () => {
    const all = monitors(40);
    const listOf = (owners: Owners): readonly (string | null)[] =>
      all.map((_, index) => owners.at(index));
    assert(
      property(array(uniqueArray(uuid(), { maxLength: 6 }), { maxLength: 5 }), (steps) => {
        let owners = Owners.noneOf(all);
        for (const ids of steps) {
          owners = owners.among(ids);
          expect(listOf(owners)).toEqual(listOf(Owners.noneOf(all).among(ids)));
          expect(owners.distanceTo(ids)).toBe(0);
        }
      }),
    );
  });
  test("is the same if monitors came and went since, or if it is asked of a monitor that is not there", () => {
    const ids = uniqueArray(nat(60).map(String), { maxLength: 30 });
    const inOrder = (all: readonly string[]) => all.toSorted((a, b) => Number(a) - Number(b));
    assert(
      property(agents, ids, ids, (names, before, after) => {
        const [was, is] = [new Set(before), new Set(after)];
        const changed = Owners.noneOf(inOrder(before))
          .among(names)
          .withMonitors(is, new Set([...was].filter((id) => !is.has(id))));
        const anew = Owners.noneOf(inOrder(after)).among(names);
        expect(changed.monitorIds).toEqual(anew.monitorIds);
        for (const [index, id] of anew.monitorIds.entries()) {
          expect(changed.at(index)).toBe(anew.at(index));
          expect(changed.ownerOf(id)).toBe(anew.at(index));
        }
        const others = names.slice(1);
        expect(changed.among(others).at(0)).toBe(anew.among(others).at(0));
      }),
    );
  });
});
