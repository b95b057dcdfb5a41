import { expect, test } from "vitest";
import { rawWakeDelayMax } from "#limits/probes-limits";
import { WakeDelays } from "#probes/raw/wake-delays";
import { nanos } from "#base/units";

const after = (...times: readonly number[]): WakeDelays => {
  const wakes = new WakeDelays();
  for (const time of times) wakes.took(nanos(time));
  return wakes;
};
const times = (count: number, time: number): readonly number[] =>
  Array.from({ length: count }, () => time);

test("a wake-up mostly takes what the last ones took, and one that took far longer changes that little", () => {
  const usual = times(200, 60_000);
  expect(after(...usual).usual).toBeCloseTo(60_000, -3);
  expect(after(...usual, 5_000_000).usual).toBeLessThan(85_000);
});

test("a wake-up may take as long as the longest one took lately, and no longer than is believed of any", () => {
  expect(after().longest).toBe(rawWakeDelayMax);
  expect(after(...times(1_000, 30_000)).longest).toBe(30_000);
  expect(after(...times(1_000, 30_000), 5_000_000).longest).toBe(rawWakeDelayMax);
});

test("a packet that is stamped after the thread was ready took no time to wake it", () => {
  expect(after(...times(100, -40_000)).usual).toBe(0);
});
