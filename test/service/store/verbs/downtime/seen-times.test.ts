import { expect, test } from "vitest";
import {
  addCheck,
  type SeenAs,
  type SeenStretch,
  seenTimes,
} from "#service/store/verbs/downtime/seen-times";
import { seconds } from "#base/units";

const period = seconds(30);

/** What one location saw, a check each 30 s: good, slow, failed, or none. */
function seen(checks: string): readonly SeenStretch[] {
  const stretches: SeenStretch[] = [];
  for (const [index, check] of checks.split("").entries()) {
    const as = words[check];
    if (as !== undefined)
      addCheck(stretches, { startedAt: index * period, as, stands: period }, period);
  }
  return stretches;
}

const words: { readonly [letter: string]: SeenAs } = { ".": "good", s: "slow", x: "failed" };

test.each([
  [["xxss.."], 2, 0],
  [["xx  .."], 0, 2],
  [["xxss..", "......"], 2, 0],
  [["ssss..", "xxxx.."], 0, 0],
  [["ss....", "      "], 2, 0],
  [["ss....", "......", "......"], 0, 0],
  [["xx  ..", "xxxx.."], 0, 0],
  [["x     "], 0, 5],
] as const)("of %j it is slow for %d checks and not known for %d", (places, slow, unknown) => {
  const times = seenTimes(places.map(seen), { from: 0, to: 6 * period }, period);
  expect(times).toEqual({ slow: slow * period, unknown: unknown * period });
});

test("a check that is late by less than half a period leaves no time unknown", () => {
  const stretches: SeenStretch[] = [];
  for (const startedAt of [0, 40_000, 70_000])
    addCheck(stretches, { startedAt, as: "failed", stands: period }, period);
  expect(seenTimes([stretches], { from: 0, to: 110_000 }, period).unknown).toBe(0);
  expect(seenTimes([stretches], { from: 0, to: 120_000 }, period).unknown).toBe(20_000);
});
