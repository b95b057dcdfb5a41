import { expect, test } from "vitest";
import { daysShown } from "#limits/pages-limits";
import { KeptPast } from "#service/operator/kept-past";
import { monitorId } from "#service/store/ids";
import { epochMillis, hours, millis, seconds } from "#base/units";

const id = monitorId(7);
const today = Date.parse("2026-11-29T00:00:00Z");
const yesterday = today - hours(24);

test("a check of today lays out today alone, and the days before it stay as they are", async () => {
  let checks = 1;
  const past = new KeptPast({
    days: async ({ from, to }) => {
      const rows = [
        [id, yesterday, hours(24), 0, 2_880, 0, 0],
        [id, today, hours(1), 0, checks, 0, 0],
      ];
      return Float64Array.from(rows.filter(([, begin = 0]) => begin >= from && begin < to).flat());
    },
    medians: async () => new Map(),
  });
  const daysNow = async () =>
    (await past.daysAt([id], epochMillis(today + hours(1)))).days.get(id) ?? [];
  const first = await daysNow();
  expect(await daysNow()).toBe(first);
  checks = 2;
  const second = await daysNow();
  expect(second).toHaveLength(daysShown);
  expect(second.map((day, index) => day === first[index])).toEqual([
    ...Array.from({ length: daysShown - 1 }, () => true),
    false,
  ]);
  expect(second.slice(-2)).toEqual([
    { begin: yesterday, known: hours(24), down: 0, checks: 2_880, slow: 0 },
    { begin: today, known: hours(1), down: 0, checks: 2, slow: 0 },
  ]);
});

test("a monitor without a whole day has the median of today, which is read again after a minute", async () => {
  const [old, young] = [monitorId(7), monitorId(8)];
  let medianNow = 30;
  const asked: (readonly number[])[] = [];
  const past = new KeptPast({
    days: async () => Float64Array.from([]),
    medians: async ({ monitors, from }) => {
      if (from < today) return new Map([[old, millis(20)]]);
      asked.push(monitors);
      return new Map([[young, millis(medianNow)]]);
    },
  });
  const at = (after: number) =>
    past.daysAt([old, young], epochMillis(today + hours(1) + after)).then((found) => found.today);
  expect(await at(0)).toEqual(new Map([[young, 30]]));
  medianNow = 40;
  expect(await at(seconds(30))).toEqual(new Map([[young, 30]]));
  expect(await at(seconds(60))).toEqual(new Map([[young, 40]]));
  expect(asked).toEqual([[young], [young]]);
});
