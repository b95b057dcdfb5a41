import { assert, array, integer, property } from "fast-check";
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

test("a quantile is within 7.5 % of the true one", () => {
  assert(
    property(latencies, integer({ min: 1, max: 100 }), (all, percent) => {
      const sorted = all.toSorted((a, b) => a - b);
      const truth = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!;
      const told = quantile(addLatencies(noLatencies, all), percent / 100)!;
      expect(told / truth).toBeGreaterThan(1 / 1.075);
      expect(told / truth).toBeLessThan(1.075);
    }),
  );
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
