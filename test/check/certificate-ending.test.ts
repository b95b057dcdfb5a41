import { describe, expect, test } from "vitest";
import { certificateEnding, endingWords, nextThresholdAt } from "#check/certificate-ending";
import { epochMillis } from "#base/units";

const day = 86_400_000;
const end = epochMillis(Date.parse("2026-12-07T10:00:00Z"));
const living = (days: number) => ({ begin: epochMillis(end - days * day), end });
const before = (days: number) => epochMillis(end - days * day);
const thresholdAt = (life: number, left: number, wanted: readonly number[] | null = null) =>
  certificateEnding(living(life), wanted, before(left))?.threshold ?? null;

describe("a certificate near its end", () => {
  test("has passed the threshold that is nearest, from its instant on", () => {
    const lefts = [29, 28, 20, 14, 10, 7, 1, -3];
    expect(lefts.map((left) => thresholdAt(90, left))).toEqual([null, 28, 28, 14, 14, 7, 7, 7]);
    expect(certificateEnding(living(90), null, before(10))?.since).toBe(before(14));
  });

  test("has the usual thresholds that lie in the last third of its life, and those that a person chose", () => {
    expect(thresholdAt(47, 20)).toBeNull();
    expect(thresholdAt(47, 14)).toBe(14);
    expect(thresholdAt(6, 1)).toBeNull();
    expect(thresholdAt(6, 1, [2])).toBe(2);
    expect(thresholdAt(90, 1, [])).toBeNull();
  });

  test("is looked at again when the next threshold comes", () => {
    expect(nextThresholdAt(living(90), null, before(20))).toBe(before(14));
    expect(nextThresholdAt(living(90), null, before(5))).toBeNull();
  });

  test("says how long it has left, on which day it ends, and what to do", () => {
    expect([13.5, 1.2, 0.3, -2].map((left) => endingWords({ end }, before(left)))).toEqual([
      "its certificate ends in 13 days, on 7 December: renew it",
      "its certificate ends in 1 day, on 7 December: renew it",
      "its certificate ends in less than a day, on 7 December: renew it",
      "its certificate ended on 7 December: renew it",
    ]);
  });
});
