import { expect, test } from "vitest";
import { speedOf, stateAfter } from "#check/slowness";
import { millis, nanos } from "#base/units";

test.each([
  // latency, error bar, threshold, what it is
  [612, 0, 500, "slow"],
  [500, 0, 500, "quick"],
  [501, 0, 500, "slow"],
  [501, 1, 500, "unsure"],
  [500, 0.001, 500, "unsure"],
  [499, 1, 500, "quick"],
  [499, 1.5, 500, "unsure"],
  [1010, 342, 100, "slow"],
  [1010, 910, 100, "unsure"],
  [900, 499.9, 400, "slow"],
  [900, 500, 400, "unsure"],
  [10, 2_000, 400, "unsure"],
  [9_999, 0, null, "quick"],
  [9_999, 0, 0, "quick"],
] as const)("%d ± %d ms against a threshold of %s ms is %s", (latency, bar, threshold, speed) => {
  const degradedAt = threshold === null ? null : millis(threshold);
  expect(speedOf(millis(latency), nanos(bar * 1e6), degradedAt)).toBe(speed);
});

test.each([
  [null, "success", false, "success"],
  [null, "success", true, "success"],
  [null, "degraded", false, "degraded"],
  ["success", "success", true, "success"],
  ["success", "degraded", false, "degraded"],
  ["degraded", "success", false, "success"],
  ["degraded", "success", true, "degraded"],
  ["degraded", "error", false, "error"],
  // It answers: that is no error any more, whatever the time that it took.
  ["error", "success", true, "success"],
  ["error", "degraded", false, "degraded"],
] as const)("%s, then %s (perhaps slow: %s), makes %s", (before, status, perhapsSlow, after) => {
  expect(stateAfter(before, { status, perhapsSlow })).toBe(after);
});
