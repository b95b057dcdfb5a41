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
import { type Millis, millis } from "#base/units";

const latencies = array(integer({ min: 1, max: 120_000 }).map(millis), {
  minLength: 1,
  maxLength: 300,
});
/** In microseconds, half of them below one millisecond. */
const fine = array(
  oneof(integer({ min: 1, max: 999 }), integer({ min: 1_001, max: 20_000 })).map((micros) =>
    millis(micros / 1e3),
  ),
  { minLength: 1, maxLength: 300 },
);

/** By what a quantile is off at most, as a ratio; of what an older version wrote, if it was the one that wrote. */
function expectWithin(most: number, all: readonly Millis[], percent: number, isOlder = false) {
  const sorted = all.toSorted((a, b) => a - b);
  const truth = sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)]!;
  const histogram = addLatencies(noLatencies, all);
  const told = quantile(isOlder ? asOlderWrote(histogram) : histogram, percent / 100)!;
  expect(told / truth).toBeGreaterThan(1 / most);
  expect(told / truth).toBeLessThan(most);
}

/** How many ranges a version knew, which are those that it wrote. */
const [beforeQuarters, beforeFineQuarters] = [109, 445];
function asOlderWrote(histogram: Uint8Array, known = beforeQuarters): Uint8Array {
  const pairs = [...readVarints(histogram)];
  let range = 0;
  const end = pairs.findIndex((number, at) => {
    if (at % 2 === 0) range += number + 1;
    return at % 2 === 0 && range > known;
  });
  return writeVarints(end === -1 ? pairs : pairs.slice(0, end));
}

test("a quantile is within 1.8 % of the true one, down to the microsecond", () => {
  assert(
    property(oneof(latencies, fine), integer({ min: 1, max: 100 }), (all, percent) => {
      expectWithin(1.018, all, percent);
    }),
  );
});
test("checks of a few microseconds differ, and 0.85 ms is not shown as 0.81", () => {
  const local = addLatencies(noLatencies, [0.007, 0.009, 0.011, 0.015].map(millis));
  const found = [0.25, 0.5, 0.75, 1].map((share) => quantile(local, share)!.toFixed(3));
  expect(found).toEqual(["0.007", "0.009", "0.011", "0.015"]);
  const one = quantile(addLatencies(noLatencies, [millis(0.85)]), 0.5)!;
  expect(Math.abs(one / 0.85 - 1)).toBeLessThan(0.018);
});
test("parts of a millisecond that an older version counted are still read, next to newer ones", () => {
  const older = asOlderWrote(
    addLatencies(noLatencies, Array<Millis>(9).fill(millis(0.85))),
    beforeFineQuarters,
  );
  expect(quantile(older, 0.5)).toBeCloseTo(0.81, 2);
  const since = addLatencies(older, [millis(0.85), millis(0.2)]);
  expect(quantile(since, 0.5)).toBeCloseTo(0.85, 1);
  expect(quantile(since, 0)).toBeCloseTo(0.2, 2);
});
test("a quantile of what an older version wrote is within 7.5 %, also if some of it is of this one", () => {
  assert(
    property(latencies, integer({ min: 1, max: 100 }), (all, percent) => {
      expectWithin(1.075, all, percent, true);
    }),
  );
  const older = asOlderWrote(addLatencies(noLatencies, Array<Millis>(9).fill(millis(33))));
  expect(quantile(older, 0.5)).toBeCloseTo(35.3, 1);
  // The quarter that is known says where in its range the others are.
  expect(quantile(addLatencies(older, [millis(33)]), 0.5)).toBeCloseTo(33.5, 1);
});
test("a histogram of whole milliseconds has no part of one, and what an older version left out is not made up", () => {
  expect(quantile(addLatencies(noLatencies, [0, 1, 1].map(millis)), 0.5)).toBe(1);
  const all = addLatencies(noLatencies, [0.2, 0.4, 0.4, 7].map(millis));
  const pairs = [...readVarints(all)];
  expect(pairs.slice(0, 2)).toEqual([0, 3]);
  // The oldest version reads the first 85 ranges, and writes those.
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
test("histograms that lie one behind the other add up to the same, whatever counts they have", () => {
  assert(
    property(
      array(oneof(latencies, fine), { maxLength: 4 }),
      integer({ min: 1, max: 1e6 }),
      (all, times) => {
        const histograms = all
          .map((some) => addLatencies(noLatencies, some))
          .map((one) =>
            writeVarints(
              readVarints(one).map((value, at) => (at % 2 === 0 ? value : value * times)),
            ),
          );
        const pairs = histograms.map((one) => readVarints(one));
        const expected = new Map<number, number>();
        for (const one of pairs) {
          let range = 0;
          for (let at = 0; at < one.length; at += 2) {
            range += one[at]!;
            expected.set(range, (expected.get(range) ?? 0) + one[at + 1]!);
            range += 1;
          }
        }
        const sum = new HistogramSum();
        const joined = Uint8Array.from(histograms.flatMap((one) => [...one]));
        let from = 0;
        for (const { length } of histograms) {
          sum.add(joined, from, from + length);
          from += length;
        }
        const found = [...sum.counts.entries()].filter(([, count]) => count > 0);
        expect(new Map(found)).toEqual(expected);
      },
    ),
  );
});
test("a histogram that is cut off in the middle of a number is read up to there", () => {
  const sum = new HistogramSum();
  sum.add(Uint8Array.of(3, 5, 0, 0xff));
  expect([...sum.counts.entries()].filter(([, count]) => count > 0)).toEqual([[3, 5]]);
  sum.add(Uint8Array.of(3, 5, 0x80));
  expect([...sum.counts.entries()].filter(([, count]) => count > 0)).toEqual([[3, 10]]);
  // What follows is another one's.
  for (const cut of [[0], [0x80], [0, 0x80], [0, 0x80, 0x80]])
    sum.add(Uint8Array.of(3, 5, ...cut, 1, 1, 1, 1), 0, 2 + cut.length);
  expect([...sum.counts.entries()].filter(([, count]) => count > 0)).toEqual([[3, 30]]);
});
test("a histogram has no quantile of nothing, and puts what is longer than two minutes into its last range", () => {
  expect(quantile(noLatencies, 0.5)).toBeNull();
  const long = addLatencies(noLatencies, [millis(0), millis(9e9)]);
  expect(quantile(long, 0)).toBe(1);
  expect(quantile(long, 1)).toBeGreaterThan(110_000);
});
test("stays small: a day of a monitor at 30 s is under 200 bytes, and under 50 if the answers are alike", () => {
  const day = Array.from({ length: 2_880 }, (_, n) => millis(20 + (n % 200)));
  const alike = day.map((_, n) => millis(30 + (n % 10)));
  const sizes = [day, alike].map((some) => addLatencies(noLatencies, some).length);
  expect(sizes[0]).toBeLessThan(200);
  expect(sizes[1]).toBeLessThan(50);
});
test("numbers are the same after they were written in few bytes", () => {
  assert(
    property(array(integer({ min: 0, max: Number.MAX_SAFE_INTEGER })), (all) => {
      expect(readVarints(writeVarints(all))).toEqual(all);
    }),
  );
  expect(readVarints(Uint8Array.of(0x05, 0xff))).toEqual([5]);
});

test("latencies that are added one by one, or merged, make the same histogram as all at once", () => {
  assert(
    property(oneof(latencies, fine), (all) => {
      const whole = addLatencies(noLatencies, all);
      const each = all.reduce((sum, one) => addLatencies(sum, [one]), noLatencies);
      expect(each).toEqual(whole);
      expect(mergeHistograms(all.map((one) => addLatencies(noLatencies, [one])))).toEqual(whole);
    }),
  );
});

test("ranges that only a newer version knows stay where a latency is added", () => {
  const newer = writeVarints([2_000, 7]);
  const added = addLatencies(newer, [millis(40)]);
  const pairs = readVarints(added);
  const ranges = pairs.filter((_, at) => at % 2 === 0);
  expect(ranges.reduce((sum, left) => sum + left + 1, -1)).toBe(2_000);
  expect(pairs.at(-1)).toBe(7);
});
