import fc from "fast-check";
import { expect, test } from "vitest";
import { daysIn, measuredDays } from "#service/status-site/measured-days";
import { dayColumns } from "#service/store/day-table";
import { halfDown } from "#service/store/half-down";
import { locationId, monitorId } from "#service/store/ids";
import type { Bucket } from "#service/store/result-store";
import { emptyRollup } from "#service/store/rollup";
import { after, epochMillis, hours, millis, minutes } from "#base/units";

const begin = epochMillis(Date.parse("2026-11-22T00:00:00Z"));
const monitor = monitorId(1);
const count = fc.nat(3_000);

/** One hour of a monitor at some locations, each of which was down for a part of what is known there. */
const places = fc.array(
  fc.record({
    success: count,
    degraded: count,
    error: count,
    known: fc.nat(3_600_000),
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

/** As the store adds them up: see its conformance. */
function rowOf(buckets: readonly Bucket[]): Float64Array {
  const sum = (of: (one: Bucket) => number): number =>
    buckets.reduce((total, one) => total + of(one), 0);
  const downs = buckets.flatMap(({ down }) => (down > 0 ? [down] : []));
  const row: Readonly<Record<(typeof dayColumns)[number], number>> = {
    monitor,
    begin,
    known: Math.max(...buckets.map(({ known }) => known)),
    down: halfDown(buckets.length, downs),
    checks: sum((one) => one.success + one.degraded + one.error),
    slow: sum((one) => one.degraded),
    errors: sum((one) => one.error),
  };
  return Float64Array.from(dayColumns, (column) => row[column]);
}

test("a day with maintenance is what its other hours are, as a day without is what the store says of it", () => {
  const later = after(begin, hours(20));
  const planned = [{ from: later, to: after(later, minutes(10)) }];
  fc.assert(
    fc.property(places, places, (morning, evening) => {
      const kept = bucketsOf(morning);
      const left = bucketsOf(evening).map((one) => ({ ...one, begin: later }));
      const [day] = daysIn(rowOf(kept));
      const { monitor: _monitor, ...sums } = day!;
      expect(measuredDays([day!], [...kept, ...left], planned)).toEqual([sums]);
      expect(measuredDays([day!], [...kept, ...left], [])).toEqual([day]);
    }),
  );
});

test("a day of a monitor that is younger than its results says is as long with planned work as without", () => {
  const planned = [{ from: after(begin, hours(5)), to: after(begin, hours(6)) }];
  fc.assert(
    fc.property(places, fc.nat(3_600_000), (all, existed) => {
      const buckets = bucketsOf(all);
      const [whole] = daysIn(rowOf(buckets));
      const { monitor: _monitor, ...sums } = whole!;
      const cut = (length: number) => millis(Math.min(length, existed));
      const day = { ...sums, known: cut(sums.known), down: cut(sums.down) };
      expect(measuredDays([day], buckets, planned)).toEqual([day]);
    }),
  );
});

test("an hour that maintenance touches is known for as long as it is without, and its checks do not count", () => {
  const hourOf = (known: number, location: number) => ({
    ...emptyRollup,
    success: 50,
    error: 50,
    known: minutes(known),
    down: minutes(known / 2),
    monitor,
    location: locationId(location),
    begin,
  });
  const day = { begin, success: 0, degraded: 0, error: 0, known: hours(24), down: hours(24) };
  const planned = [
    { from: begin, to: after(begin, minutes(10)) },
    { from: after(begin, minutes(55)), to: after(begin, hours(2)) },
  ];
  const knownOf = (...all: Bucket[]) => measuredDays([day], all, planned);
  const none = { ...day, known: millis(0), down: millis(0) };
  expect(knownOf(hourOf(60, 1), hourOf(40, 2))).toEqual([{ ...none, known: minutes(45) }]);
  expect(knownOf(hourOf(12, 1))).toEqual([none]);
});
