import fc from "fast-check";
import { expect, test } from "vitest";
import { workedDaysAtOnce } from "#limits/pages-limits";
import { countedDays } from "#service/status-site/counted-days";
import { measuredDays } from "#service/status-site/measured-days";
import { locationId, monitorId } from "#service/store/ids";
import type { Bucket, BucketsQuery } from "#service/store/result-store";
import { emptyRollup } from "#service/store/rollup";
import type { Stretch } from "#service/store/stretch";
import { after, epochMillis, hours, millis, minutes } from "#base/units";

const began = epochMillis(Date.parse("2026-11-16T00:00:00Z"));
const dayCount = 7;

const days = Array.from({ length: dayCount }, (_, day) => ({
  begin: after(began, hours(24 * day)),
  success: 24,
  degraded: 0,
  error: 0,
  known: hours(24),
  down: millis(0),
}));

/** One hour after the other, at two locations, no two alike. */
const bucketsOf = (number: number): readonly Bucket[] =>
  Array.from({ length: dayCount * 24 * 2 }, (_, index) => ({
    ...emptyRollup,
    success: index + 1,
    degraded: number,
    error: index % 7,
    known: hours(1),
    down: minutes(index % 50),
    monitor: monitorId(number),
    location: locationId(1 + (index % 2)),
    begin: after(began, hours(Math.floor(index / 2))),
  }));

/** Answers as a store does, one question at a time. */
function asked(all: readonly Bucket[]) {
  const questions: BucketsQuery[] = [];
  let isBusy = false;
  const buckets = async (query: BucketsQuery): Promise<readonly Bucket[]> => {
    expect(isBusy).toBe(false);
    isBusy = true;
    questions.push(query);
    await Promise.resolve();
    isBusy = false;
    return all.filter(
      ({ monitor, begin }) =>
        query.monitors.includes(monitor) && begin >= query.from && begin < query.to,
    );
  };
  return { questions, results: { buckets, stretches: async () => [] } };
}

const spans = fc
  .array(
    fc.tuple(fc.integer({ min: -600, max: dayCount * 1_440 }), fc.integer({ min: 1, max: 3_000 })),
  )
  .map((all) => all.toSorted(([a], [b]) => a - b))
  .map((all) =>
    all.filter(([begin], index) => all.slice(0, index).every(([b, long]) => b + long < begin)),
  )
  .map((all) =>
    all.map(([begin, long]) => {
      const from = epochMillis(began + minutes(begin));
      return { from, to: after(from, minutes(long)) };
    }),
  );

test("what counts of the days is the same as if all their hours were read", async () => {
  await fc.assert(
    fc.asyncProperty(spans, spans, async (first, second) => {
      const all = [first, second].map((planned, index) => ({
        monitor: monitorId(index + 1),
        planned,
        days: days.map((day) => ({ ...day })),
      }));
      const hoursOf = all.map((_, index) => bucketsOf(index + 1));
      const counted = await countedDays(asked(hoursOf.flat()).results, all);
      all.forEach(({ monitor, planned }, index) =>
        expect(counted.get(monitor)).toEqual(measuredDays(days, hoursOf[index] ?? [], planned)),
      );
    }),
    { numRuns: 50 },
  );
});

test("hours of days without planned work are not read, and those of few monitors at once", async () => {
  const at = (day: number) => {
    const from = after(began, hours(24 * day + 3));
    return { from, to: after(from, hours(1)) };
  };
  const all = Array.from({ length: workedDaysAtOnce + 1 }, (_, index) => ({
    monitor: monitorId(index + 1),
    planned: [at(1), at(5)],
    days: days.map((day) => ({ ...day })),
  }));
  const { questions, results } = asked([]);
  await countedDays(results, all);
  expect(
    questions.map(({ from, to, monitors }) => [
      (from - began) / hours(24),
      to - from,
      monitors.length,
    ]),
  ).toEqual([
    [1, hours(24), workedDaysAtOnce],
    [1, hours(24), 1],
    [5, hours(24), workedDaysAtOnce],
    [5, hours(24), 1],
  ]);
});

const today = epochMillis(Date.parse("2026-11-22T00:00:00Z"));
const noon = epochMillis(today + hours(12));
const young = monitorId(1);

/** A monitor that began at noon, with planned work from eight minutes later on. */
async function countedOf(success: number, error: number): Promise<readonly number[]> {
  const day = {
    begin: today,
    success: 0,
    degraded: 0,
    error: 0,
    known: minutes(10),
    down: millis(0),
  };
  const [passed, failed] = [success * 1.25, error * 1.25];
  const whole = { ...day, success: passed, error: failed, down: minutes(failed) };
  const before: Stretch = {
    begin: noon,
    success,
    degraded: 0,
    error,
    p50: null,
    p95: null,
    phases: new Map(),
    echoes: null,
  };
  const results = {
    buckets: async () => [],
    stretches: async ({ from }: { readonly from: number }) => (from === noon ? [before] : []),
  };
  const planned = [{ from: epochMillis(noon + minutes(8)), to: epochMillis(noon + hours(1)) }];
  const counted = await countedDays(results, [{ monitor: young, days: [whole], planned }]);
  return (counted.get(young) ?? []).flatMap(({ known, down }) => [known, down]);
}

test("a young monitor has the time before planned work, with its downtime", async () => {
  expect(await countedOf(8, 0)).toEqual([minutes(8), 0]);
  // One that never passed has an uptime of 0 % also with planned work.
  expect(await countedOf(0, 8)).toEqual([minutes(8), minutes(8)]);
  expect(await countedOf(4, 4)).toEqual([minutes(8), minutes(4)]);
});

test("the checks before, between and behind two works of one hour count once", async () => {
  const at = (minute: number) => epochMillis(noon + minutes(minute));
  const planned = [
    { from: at(10), to: at(12) },
    { from: at(20), to: at(21) },
  ];
  const day = {
    begin: today,
    success: 30,
    degraded: 0,
    error: 0,
    known: minutes(30),
    down: millis(0),
  };
  const results = {
    buckets: async () => [],
    // A check each minute of the half hour from noon on.
    stretches: async ({ from, to }: { readonly from: number; readonly to: number }) => {
      const success = Math.max(0, (Math.min(to, at(30)) - from) / minutes(1));
      const none = { degraded: 0, error: 0, p50: null, p95: null, phases: new Map(), echoes: null };
      return success === 0 ? [] : [{ begin: epochMillis(from), success, ...none }];
    },
  };
  const counted = await countedDays(results, [{ monitor: young, days: [day], planned }]);
  expect(counted.get(young)).toEqual([{ ...day, success: 27, known: minutes(27) }]);
});
