import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  property,
  tuple,
  uniqueArray,
} from "fast-check";
import { describe, expect, test } from "vitest";
import {
  afterAnswer,
  afterCall,
  afterSettling,
  type Placing,
  placingOf,
  shareOf,
  type Sharer,
  unplaced,
} from "#service/agents/rendezvous";
import { epochMillis } from "#base/units";

const monitors = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, n) => `0192f0c1-0000-7000-8000-${String(n).padStart(12, "0")}`);

/** Reckoned at once, from no one. */
function sharesOf(
  ids: readonly string[],
  sharers: readonly Sharer[],
): ReadonlyMap<string, readonly string[]> {
  const placing = placingOf(unplaced(ids), sharers);
  return new Map(sharers.map(({ id }) => [id, shareOf(placing, id)]));
}

/** A location whose agents call as they like, and take at a later call what they were given at an earlier one. */
class Location {
  now = 1_000_000;
  serviceStartedAt = 0;
  sharers: readonly Sharer[] = [];
  readonly ids: readonly string[] = monitors(30);
  /** Reckoned call by call, each from the one before. */
  placing: Placing = unplaced(this.ids);
  readonly runs = new Map<string, readonly string[]>();

  /** An answer that is lost on the way changes nothing of what the caller runs. */
  call(id: string, { leaving = false, lost = false, impaired = false } = {}): void {
    const revision = String(this.runs.get(id) ?? "nothing");
    const call = { id, leaving, revision, impaired };
    this.sharers = afterCall(
      this.sharers,
      call,
      epochMillis(this.now),
      epochMillis(this.serviceStartedAt),
    );
    const wanted = sharesOf(this.ids, this.sharers);
    this.sharers = afterSettling(this.sharers, (one) => String(wanted.get(one)));
    this.placing = placingOf(this.placing, this.sharers);
    const own = shareOf(this.placing, id);
    if (String(own) !== String(sharesOf(this.ids, this.sharers).get(id) ?? []))
      throw new Error("the share is another one than where it is reckoned at once");
    this.sharers = afterAnswer(this.sharers, id, String(own));
    if (leaving) this.runs.delete(id);
    else if (!lost) this.runs.set(id, own);
  }

  /** How many of those that `ids` names run each monitor. */
  owners(ids: readonly string[]): readonly number[] {
    return this.ids.map((id) => ids.filter((one) => this.runs.get(one)?.includes(id)).length);
  }
}

describe("a location", () => {
  const seldom = constantFrom(...Array.from({ length: 7 }, () => false), true);
  const step = tuple(constantFrom("a", "b", "c", "d"), boolean(), seldom);

  test("has each monitor run by an agent at every instant, while agents come, cannot see, and answers are lost", () => {
    assert(
      property(array(step, { minLength: 1, maxLength: 60 }), (steps) => {
        const location = new Location();
        location.call("a");
        for (const [id, lost, impaired] of steps) {
          location.now += 40_000 / steps.length;
          location.call(id, { lost, impaired });
          expect(Math.min(...location.owners(["a", "b", "c", "d"]))).toBeGreaterThanOrEqual(1);
        }
      }),
    );
  });

  test("comes to rest with exactly one owner for each monitor, whatever happened before", () => {
    const anyStep = tuple(
      constantFrom("a", "b", "c", "d"),
      integer({ min: 0, max: 60_000 }),
      constantFrom(false, false, false, true),
    );
    assert(
      property(
        array(anyStep, { maxLength: 80 }),
        uniqueArray(constantFrom("a", "b", "c", "d"), { minLength: 1 }),
        (steps, living) => {
          const location = new Location();
          for (const [id, pause, leaving] of steps) {
            location.now += pause;
            location.call(id, { leaving });
          }
          for (let round = 0; round < 25; round += 1) {
            location.now += 10_000;
            for (const id of living) location.call(id);
          }
          expect(new Set(location.owners(living))).toEqual(new Set([1]));
          expect(
            location.sharers
              .filter(({ wanted }) => wanted)
              .map(({ id }) => id)
              .toSorted(),
          ).toEqual(living.toSorted());
        },
      ),
    );
  });

  test("leaves what runs where it is while one agent is lost and comes back again and again", () => {
    const location = new Location();
    const beat = (seconds: number, ids: readonly string[]): void => {
      for (let passed = 0; passed < seconds; passed += 10) {
        location.now += 10_000;
        for (const id of ids) location.call(id);
      }
    };
    beat(60, ["a", "b", "c"]);
    beat(70, ["a", "b"]);
    const without = new Map(location.runs);
    for (let turn = 0; turn < 5; turn += 1) {
      beat(60, ["a", "b", "c"]);
      beat(60, ["a", "b"]);
      for (const id of ["a", "b"]) expect(location.runs.get(id)).toEqual(without.get(id));
    }
    beat(150, ["a", "b", "c"]);
    expect(location.runs.get("c")?.length).toBeGreaterThan(0);
    expect(new Set(location.owners(["a", "b", "c"]))).toEqual(new Set([1]));
  });

  test("moves the share of an agent that cannot see to the others, and brings it back once it has proved itself", () => {
    const location = new Location();
    const beat = (seconds: number, impaired: readonly string[]): void => {
      for (let passed = 0; passed < seconds; passed += 10) {
        location.now += 10_000;
        for (const id of ["a", "b"]) location.call(id, { impaired: impaired.includes(id) });
      }
    };
    beat(30, []);
    expect(location.runs.get("a")?.length).toBeGreaterThan(5);
    beat(30, ["a"]);
    expect(location.runs.get("a")).toEqual([]);
    expect(location.runs.get("b")).toEqual(location.ids);
    // Where neither can see, nothing moves.
    beat(60, ["a", "b"]);
    expect(location.runs.get("b")).toEqual(location.ids);
    beat(110, []);
    expect(location.runs.get("a")).toEqual([]);
    beat(60, []);
    expect(new Set(location.owners(["a", "b"]))).toEqual(new Set([1]));
    expect(location.runs.get("a")?.length).toBeGreaterThan(5);
  });

  test("asks for no proof from agents whose way to the service was cut for all", () => {
    const location = new Location();
    for (const id of ["a", "b", "c", "a", "b", "c", "a", "b", "c"]) location.call(id);
    location.now += 300_000;
    location.call("b");
    expect(location.runs.get("b")).toEqual(location.ids);
    for (const id of ["a", "c", "b", "a", "c", "b", "a", "c", "b"]) location.call(id);
    expect(new Set(location.owners(["a", "b", "c"]))).toEqual(new Set([1]));
    for (const ids of location.runs.values()) expect(ids.length).toBeGreaterThan(0);
  });

  test("leaves its share to an agent that cannot see, until the other runs it: what that one said of an older share is past", () => {
    const location = new Location();
    for (const id of ["a", "a", "b", "b", "a"]) location.call(id);
    const share = location.runs.get("b");
    expect(share?.length).toBeGreaterThan(5);
    location.call("b", { impaired: true });
    expect(location.runs.get("b")).toEqual(share);
    for (const id of ["a", "a", "b"]) location.call(id);
    expect([location.runs.get("a"), location.runs.get("b")]).toEqual([location.ids, []]);
  });

  test("counts no agent as lost for the silence of a service that was away itself", () => {
    const location = new Location();
    for (const id of ["a", "b", "a", "b", "a", "b", "a"]) location.call(id);
    const shares = new Map(location.runs);
    location.now += 600_000;
    location.serviceStartedAt = location.now - 10_000;
    for (const id of ["a", "b"]) location.call(id);
    expect(location.runs).toEqual(shares);
    location.now += 600_000;
    location.serviceStartedAt = location.now - 26_000;
    location.call("a");
    expect(location.runs.get("a")).toEqual(location.ids);
  });
});
