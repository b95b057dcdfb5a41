import { assert, array, integer, oneof, property } from "fast-check";
import { expect, test } from "vitest";
import {
  addLatencies,
  HistogramSum,
  mergeHistograms,
  noLatencies,
  quantile,
} from "#service/store/histogram";
import { readVarints, writeVarints } from "#service/store/varint";
import { millis } from "#base/units";

const latencies = array(integer({ min: 1, max: 120_000 }).map(millis), {
  minLength: 1,
  maxLength: 300,
});
/** In microseconds, half of them below one millisecond. */
const fine = array(
  oneof(integer({ min: 37, max: 999 }), integer({ min: 1_001, max: 20_000 })).map((micros) =>
    millis(micros / 1e3),
  ),
  { minLength: 1, maxLength: 300 },
);

test("a quantile is within 7.5 % of the true one", () => {
  assert(
    property(oneof(latencies, fine), integer({ min: 1, max: 100 }), (all, percent) => {
      const sorted = all.toSorted((a, b) => a - b);
      const truth = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!;
      const told = quantile(addLatencies(noLatencies, all), percent / 100)!;
      expect(told / truth).toBeGreaterThan(1 / 1.075);
      expect(told / truth).toBeLessThan(1.075);
    }),
  );
});
test("a histogram of whole milliseconds has no part of one, and what an older version left out is not made up", () => {
  expect(quantile(addLatencies(noLatencies, [0, 1, 1].map(millis)), 0.5)).toBe(1);
  const all = addLatencies(noLatencies, [0.2, 0.4, 0.4, 7].map(millis));
  const pairs = [...readVarints(all)];
  expect(pairs.slice(0, 2)).toEqual([0, 3]);
  // An older version reads the 85 ranges that it knows, and writes those.
  const older = mergeHistograms([writeVarints(pairs.slice(0, 4))]);
  expect([0.5, 1].map((share) => Math.round(quantile(older, share)!))).toEqual([1, 7]);
  const since = mergeHistograms([older, addLatencies(noLatencies, [millis(0.4)])]);
  expect(quantile(since, 0.5)).toBeCloseTo(0.4, 1);
});
test("two histograms add up to the one of all", () => {
  assert(
    property(latencies, latencies, (some, others) => {
      const apart = [addLatencies(noLatencies, some), addLatencies(noLatencies, others)];
      const together = addLatencies(addLatencies(noLatencies, some), others);
      expect(mergeHistograms(apart)).toEqual(together);
    }),
  );
});
test("histograms in hexadecimal digits add up to the same, whatever case their letters have", () => {
  assert(
    property(array(latencies, { maxLength: 4 }), (all) => {
      const histograms = all.map((some) => addLatencies(noLatencies, some));
      const [sum, ofHex] = [new HistogramSum(), new HistogramSum()];
      for (const histogram of histograms) sum.add(histogram);
      const digits = histograms.map((one) => Buffer.from(one).toString("hex")).join();
      ofHex.addHex(all.length % 2 === 0 ? digits : digits.toUpperCase());
      expect(ofHex.counts).toEqual(sum.counts);
    }),
  );
});
test("a histogram has no quantile of nothing, and puts what is longer than two minutes into its last range", () => {
  expect(quantile(noLatencies, 0.5)).toBeNull();
  const long = addLatencies(noLatencies, [millis(0), millis(9e9)]);
  expect(quantile(long, 0)).toBe(1);
  expect(quantile(long, 1)).toBeGreaterThan(110_000);
});
test("stays small: a day of a monitor at 30 s is under a hundred bytes", () => {
  const day = Array.from({ length: 2_880 }, (_, n) => millis(20 + (n % 200)));
  expect(addLatencies(noLatencies, day).length).toBeLessThan(100);
});
test("numbers are the same after they were written in few bytes", () => {
  assert(
    property(array(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })), (all) => {
      expect(readVarints(writeVarints(all))).toEqual(all);
    }),
  );
  expect(readVarints(Uint8Array.of(0x05, 0xff))).toEqual([5]);
});
