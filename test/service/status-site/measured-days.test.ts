import fc from "fast-check";
import { expect, test } from "vitest";
import { daysIn, daysOfBuckets } from "#service/status-site/measured-days";
import { dayColumns, type DayTable } from "#service/store/day-table";
import { locationId, monitorId } from "#service/store/ids";
import type { Bucket } from "#service/store/result-store";
import { emptyRollup } from "#service/store/rollup";
import { epochMillis, millis } from "#base/units";

const begin = epochMillis(Date.parse("2026-11-22T00:00:00Z"));
const monitor = monitorId(1);
const count = fc.nat(3_000);

/** One day of a monitor at some locations, each of which was down for a part of what is known there. */
const places = fc.array(
  fc.record({
    success: count,
    degraded: count,
    error: count,
    known: fc.nat(86_400_000),
    down: fc.nat(100),
  }),
  { minLength: 1, maxLength: 5 },
);

const bucketsOf = (all: typeof places extends fc.Arbitrary<infer T> ? T : never): Bucket[] =>
  all.map(({ known, down, ...counts }, index) => ({
    ...emptyRollup,
    ...counts,
    known: millis(known),
    down: millis(Math.floor((known * down) / 100)),
    monitor,
    location: locationId(index + 1),
    begin,
  }));

/** As the store adds them up. */
function tableOf(buckets: readonly Bucket[]): DayTable {
  const sum = (of: (one: Bucket) => number): number =>
    buckets.reduce((total, one) => total + of(one), 0);
  const row: Readonly<Record<(typeof dayColumns)[number], number>> = {
    monitor,
    begin,
    longest: Math.max(...buckets.map(({ known }) => known)),
    known: sum((one) => one.known),
    down: sum((one) => one.down),
    checks: sum((one) => one.success + one.degraded + one.error),
    slow: sum((one) => one.degraded),
    errors: sum((one) => one.error),
    worst: Math.max(...buckets.map(({ down }) => down)),
    places: buckets.length,
  };
  return Float64Array.from(dayColumns, (column) => row[column]);
}

test("a day of sums says the same as its locations apart, wherever it does not ask for those", () => {
  fc.assert(
    fc.property(places, (all) => {
      const buckets = bucketsOf(all);
      const [day] = daysIn(tableOf(buckets));
      const [exact] = daysOfBuckets(buckets);
      expect(day?.isSplit).toBe(buckets.length > 2 && buckets.some(({ down }) => down > 0));
      const { down } = day?.isSplit === true ? { down: exact?.down } : { down: day?.down };
      expect({ ...day, down }).toEqual({ ...exact, monitor, isSplit: day?.isSplit });
    }),
  );
});
