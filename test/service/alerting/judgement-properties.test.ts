import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EventKind } from "#service/alerting/incident";
import { epochMillis, seconds } from "#base/units";
import { period, Rounds, round } from "./rounds.ts";

/** Whatever comes, in whatever order, with whatever clock. */
const step = fc.record({
  location: fc.constantFrom("A", "B", "C"),
  word: fc.constantFrom("s", "d", "e"),
  /** Slots before the present: what was kept comes late. */
  lateness: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 80 })),
  moves: fc.integer({ min: -3, max: 12 }),
  silence: fc.constantFrom("none", "none", "none", "goes", "comes"),
  isActive: fc.boolean(),
  isMaintained: fc.boolean(),
});

interface Seen {
  readonly kind: EventKind;
  readonly fresh: number;
  readonly newestTrouble: boolean;
  readonly isOpenAfter: boolean;
}

function play(steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]): {
  rounds: Rounds;
  seen: readonly Seen[];
} {
  const rounds = new Rounds();
  let slot = 100;
  const seen: Seen[] = [];
  for (const one of steps) {
    slot = Math.max(0, slot + one.moves);
    rounds.result(one.location, Math.max(0, slot - one.lateness), one.word);
    if (one.silence === "goes") rounds.silence(one.location);
    if (one.silence === "comes") rounds.hear(one.location);
    const now = epochMillis(round(slot) + seconds(1));
    const views = rounds.views(now);
    const { isMaintained } = one;
    const events = rounds.look(now, { isMaintained, isActive: one.isActive || slot % 3 > 0 });
    const newestTrouble = views.some(({ recent }) => recent[0] !== "success");
    const isOpenAfter = rounds.incident?.ended === null;
    seen.push(...events.map((kind) => ({ kind, fresh: views.length, newestTrouble, isOpenAfter })));
  }
  return { rounds, seen };
}

describe("of whatever results, clocks and silences", () => {
  test("no two incidents are open at one time, and they follow each other", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { rounds } = play(steps);
        const open = rounds.incidents.filter(({ ended }) => ended === null);
        expect(open.length).toBeLessThanOrEqual(1);
        expect(rounds.incidents.slice(0, -1).every(({ ended }) => ended !== null)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  test("nothing opens, worsens or opens again but by a fresh view that sees trouble", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const alerts = play(steps).seen.filter(({ kind }) =>
          ["opened", "reopened", "worsened", "flapping"].includes(kind),
        );
        expect(alerts.every(({ fresh, newestTrouble }) => fresh > 0 && newestTrouble)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
  test("nothing ends as recovered without fresh data", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const { seen, rounds } = play(steps);
        const isClosing = ({ kind }: Seen): boolean => kind === "closed" || kind === "settled";
        const silent = seen.filter((one) => isClosing(one) && one.fresh === 0).length;
        const deactivated = rounds.incidents.filter(
          ({ ended }) => ended?.because === "deactivated",
        );
        expect(silent).toBeLessThanOrEqual(deactivated.length);
      }),
      { numRuns: 500 },
    );
  });
  test("an up has a down before it: openings and ends alternate", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
        let isDown = false;
        for (const { kind, isOpenAfter } of play(steps).seen) {
          if (["opened", "reopened"].includes(kind)) expect(isDown).toBe(false);
          // It flaps because it opened again, or because single checks passed while it was open.
          if (["opened", "reopened", "flapping"].includes(kind)) isDown = true;
          if (kind === "closed") {
            expect(isDown).toBe(true);
            isDown = false;
          }
          if (kind === "settled") isDown = isOpenAfter;
        }
      }),
      { numRuns: 500 },
    );
  });
  test("an incident began before it was noticed, and ended after it began", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        for (const { startedAt, openedAt } of play(steps).rounds.incidents)
          expect(startedAt - openedAt).toBeLessThanOrEqual(0);
        expect(period).toBe(30_000);
      }),
      { numRuns: 300 },
    );
  });
});
