import { expect, test } from "vitest";
import { addLatencies, noLatencies, quantile } from "#service/store/histogram";
import { latencyAt } from "#service/store/rollup";
import { type Millis, millis } from "#base/units";

const rollupOf = (all: readonly number[]) => ({
  latencies: addLatencies(noLatencies, all.map(millis)),
  latencyMax: millis(Math.round(Math.max(...all))),
});
const at = (all: readonly number[], share: number): Millis | null =>
  latencyAt(rollupOf(all), share);

test("a p99 is never above the longest latency of all", () => {
  const all = [12, 18, 345];
  expect(quantile(rollupOf(all).latencies, 0.99)).toBeGreaterThan(345);
  expect(at(all, 0.99)).toBe(345);
});
test("what is shown with parts of a millisecond is not cut to the whole ones of the longest", () => {
  expect(at([0.42, 0.44], 0.99)).toBeCloseTo(0.44, 1);
  expect(at([9.4, 9.45], 0.99)).toBeGreaterThan(9.2);
});
test("nothing has no latency", () => {
  expect(latencyAt({ latencies: noLatencies, latencyMax: millis(0) }, 0.5)).toBeNull();
});
