import { expect, test } from "vitest";
import { addLatencies, noLatencies, quantile } from "#service/store/histogram";
import { emptyRollup, latencyAt } from "#service/store/rollup";
import { type Millis, millis } from "#base/units";

const rollupOf = (all: readonly number[]) => ({
  latencies: addLatencies(noLatencies, all.map(millis)),
  latencyMax: millis(Math.round(Math.max(...all))),
  latencySum: millis(all.reduce((sum, one) => sum + Math.round(one), 0)),
  success: all.length,
  degraded: 0,
});
const at = (all: readonly number[], share: number): Millis | null =>
  latencyAt(rollupOf(all), share);

test("a p99 is never above the longest latency of all", () => {
  const all = [12, 18, 345];
  expect(quantile(rollupOf(all).latencies, 0.99)).toBeGreaterThan(345);
  expect(at(all, 0.99)).toBe(345);
});
test("a quantile is never below what the sum of all allows", () => {
  const all = Array.from({ length: 100 }, (_, n) => 1_001 + (n % 3));
  expect(quantile(rollupOf(all).latencies, 0.95)).toBeLessThan(1_000);
  for (const share of [0.5, 0.95, 0.99]) {
    expect(at(all, share)).toBeGreaterThan(1_000);
    expect(at(all, share)).toBeLessThanOrEqual(1_003);
  }
  // What is shorter is not made longer by it.
  expect(at([20, 20, 20, 5_000], 0.5)).toBeLessThan(21);
});
test("what is shown with parts of a millisecond is not cut to the whole ones of the longest", () => {
  expect(at([0.42, 0.44], 0.99)).toBeCloseTo(0.44, 1);
  expect(at([9.4, 9.45], 0.99)).toBeGreaterThan(9.2);
});
test("nothing has no latency", () => {
  expect(latencyAt(emptyRollup, 0.5)).toBeNull();
});
