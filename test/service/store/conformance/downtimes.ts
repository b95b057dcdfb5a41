import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayColumns, type DowntimeSpan } from "#service/store/day-table";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, minutes } from "#base/units";
import {
  assigned,
  at,
  failing,
  type OpenFresh,
  someLocation,
  someMonitor,
  someResult,
  someToken,
} from "./scene.ts";

const minute = minutes(1);
const begin = at("2026-08-12T00:00:00Z");
const end = at("2026-08-14T00:00:00Z");
/** Ten seconds into each minute is its check, which starts 40 ms later. */
const slotOf = (time: EpochMillis): EpochMillis => epochMillis(time + 10_000);
const span = (from: string, to: string): DowntimeSpan => ({
  from: startIn(from),
  to: startIn(to),
});
const startIn = (time: string): EpochMillis => epochMillis(slotOf(minuteAt(time)) + 40);
const minuteAt = (time: string): EpochMillis => at(`2026-08-${time}:00Z`);

/** What every engine says of how long a monitor was down in stretches of time. */
export function downtimesConform(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  /** A check a minute; those of these minutes failed. */
  const reported = (
    monitor: MonitorId,
    from: EpochMillis,
    until: EpochMillis,
    isFailed: (time: EpochMillis) => boolean,
  ): NewResult[] =>
    Array.from({ length: (until - from) / minute }, (_, index) => {
      const time = epochMillis(from + index * minute);
      return someResult(monitor, slotOf(time), {
        period: minute,
        ...(isFailed(time) ? failing : {}),
      });
    });
  const append = async (location: LocationId, results: readonly NewResult[]): Promise<void> => {
    for (let first = 0; first < results.length; first += 500) {
      const some = results.slice(first, first + 500);
      await store.results.append({ location, storedAt: begin, results: some });
    }
  };
  const another = (monitor: MonitorId): Promise<LocationId> =>
    store.state.locations.create(someLocation({ monitors: [monitor] }), someToken());
  /** In minutes, to a tenth, for each stretch. */
  const downIn = async (monitor: MonitorId, ...spans: DowntimeSpan[]): Promise<number[]> => {
    const found = await store.results.downtimes({ monitor, spans });
    const sums = found.map((days) => days.reduce((sum, { down }) => sum + down / minute, 0));
    return sums.map((sum) => Math.round(sum * 10) / 10);
  };
  const tableOf = async (monitor: MonitorId): Promise<ReadonlyMap<number, number>> => {
    const table = await store.results.days({ monitors: [monitor], from: begin, to: end });
    const days = new Map<number, number>();
    for (let row = 0; row < table.length; row += dayColumns.length)
      days.set(
        table[row + dayColumns.indexOf("begin")] ?? 0,
        table[row + dayColumns.indexOf("down")] ?? 0,
      );
    return days;
  };

  describe("a monitor was down in a stretch", () => {
    test("for as long as its checks failed there, whatever failed in the same hour outside of it", async () => {
      const one = await assigned(store);
      const [mine = one.monitors[0]!] = one.monitors;
      const isIn = (time: EpochMillis, from: string, to: string) =>
        time >= minuteAt(from) && time < minuteAt(to);
      const isFailed = (time: EpochMillis): boolean =>
        // Every other check, then all of them, a single one outside, and one stretch over hours and midnight.
        (isIn(time, "12T10:00", "12T10:20") && (time / minute) % 2 === 0) ||
        isIn(time, "12T10:20", "12T10:30") ||
        isIn(time, "12T10:45", "12T10:46") ||
        isIn(time, "12T21:50", "13T01:10");
      await append(
        one.location,
        reported(mine, minuteAt("12T09:00"), minuteAt("13T02:00"), isFailed),
      );
      const spans = [
        span("12T10:00", "12T10:20"),
        span("12T10:20", "12T10:30"),
        span("12T10:30", "12T10:45"),
        span("12T21:50", "13T01:10"),
        span("13T01:10", "13T02:00"),
      ];
      const seen = [10, 10, 0, 200, 0];
      expect(await downIn(mine, ...spans)).toEqual(seen);
      const [, , , overMidnight] = await store.results.downtimes({ monitor: mine, spans });
      expect(overMidnight).toEqual([
        { begin, down: minutes(130) },
        { begin: at("2026-08-13T00:00:00Z"), down: minutes(70) },
      ]);
      expect(await downIn(mine, span("12T23:30", "13T00:30"))).toEqual([60]);
      expect(await downIn(mine)).toEqual([]);
      expect(await downIn(mine, { from: end, to: begin }, spans[0]!)).toEqual([0, 10]);
      // Packed hours are read as rows are.
      while (await store.results.pack(end));
      expect(await downIn(mine, ...spans)).toEqual(seen);
    });

    test("from a check that a person asked for on, and at the end of the stretch no longer, though the next check is due later", async () => {
      const one = await assigned(store);
      const [mine = one.monitors[0]!] = one.monitors;
      const asked = (time: string, changes: Partial<NewResult>) =>
        append(one.location, [
          someResult(mine, at(`2026-08-12T${time}Z`), {
            trigger: "api",
            period: minute,
            ...changes,
          }),
        ]);
      const each = reported(
        mine,
        minuteAt("12T10:00"),
        minuteAt("12T10:10"),
        (time) => time === minuteAt("12T10:03"),
      );
      const stretch = (from: string, to: string): DowntimeSpan => ({
        from: at(`2026-08-12T${from}Z`),
        to: at(`2026-08-12T${to}Z`),
      });
      await append(one.location, each.slice(0, 6));
      await asked("10:05:40", failing);
      await append(one.location, each.slice(6, 7));
      await asked("10:06:30", failing);
      await asked("10:06:50", {});
      await append(one.location, each.slice(7));
      await asked("10:09:30", failing);
      await asked("10:09:40", {});
      await asked("10:09:50", failing);
      const spans = [
        stretch("10:03:00", "10:04:12"),
        stretch("10:05:30", "10:06:20"),
        stretch("10:06:30", "10:06:50"),
        stretch("10:09:20", "10:09:53"),
      ];
      const found = await store.results.downtimes({ monitor: mine, spans });
      // The last lasts: ten seconds, and three until now.
      expect(found.map((days) => days.map(({ down }) => down / 1_000))).toEqual([
        [60],
        [30],
        [20],
        [13],
      ]);
    });

    test("as far as is kept: what is forgotten of an hour or a day is shared by length, and is never longer than a stretch", async () => {
      const old = await assigned(store);
      const [mine = old.monitors[0]!] = old.monitors;
      const isFailed = (time: EpochMillis): boolean =>
        time >= minuteAt("12T10:10") && time < minuteAt("12T13:20") && (time / minute) % 2 === 0;
      await append(
        old.location,
        reported(mine, minuteAt("12T10:00"), minuteAt("12T14:00"), isFailed),
      );
      const spans = [span("12T10:10", "12T13:20"), span("12T13:40", "12T13:45")];
      expect(await downIn(mine, ...spans)).toEqual([95, 0]);
      const none = epochMillis(0);
      const forget = async (results: EpochMillis, hourly: EpochMillis): Promise<void> => {
        while (await store.results.forget({ details: end, results, hours: hourly, days: none }));
      };
      // Of the ten minutes of its last hour, eight are of the twenty minutes, and two of the five.
      await forget(end, none);
      expect(await downIn(mine, ...spans)).toEqual([93, 2]);
      await forget(end, minuteAt("12T12:00"));
      expect(await downIn(mine, ...spans)).toEqual([93, 2]);
      await forget(end, end);
      expect(await downIn(mine, ...spans)).toEqual([92.6, 2.4]);
      expect(await downIn(mine, span("12T11:00", "12T11:10"))).toEqual([10]);
    });

    test("by half of its locations, of those that the day has", async () => {
      const first = await assigned(store);
      const [mine = first.monitors[0]!] = first.monitors;
      const failsFrom = async (location: LocationId, from: string, to: string) =>
        append(
          location,
          reported(
            mine,
            minuteAt("12T10:00"),
            minuteAt("12T11:00"),
            (time) => time >= minuteAt(from) && time < minuteAt(to),
          ),
        );
      await failsFrom(first.location, "12T10:10", "12T10:30");
      await failsFrom(await another(mine), "12T10:15", "12T10:20");
      const whole = span("12T10:10", "12T10:30");
      expect(await downIn(mine, whole)).toEqual([20]);
      const third = await another(mine);
      await failsFrom(third, "12T10:00", "12T10:00");
      expect(await downIn(mine, whole)).toEqual([5]);
      await store.state.locations.delete(third);
      expect(await downIn(mine, whole)).toEqual([20]);
    });

    const minutesOf = fc.nat(2 * 24 * 60);
    /** What each location says of each tenth minute of two days. */
    const place = fc.array(
      fc.constantFrom("good", "good", "good", "slow", "failed", "failed", "excused", "silent"),
      { minLength: 1, maxLength: 288, size: "max" },
    );
    test("never for longer than on that day, and in stretches together for no longer at one location", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(place, { minLength: 1, maxLength: 3 }),
          fc.array(minutesOf, { minLength: 2, maxLength: 12, size: "max" }),
          fc.boolean(),
          async (places, cuts, isForgotten) => {
            const mine = await store.state.monitors.create(someMonitor({ at: begin }));
            for (const says of places) await append(await another(mine), resultsOf(mine, says));
            if (isForgotten)
              while (
                await store.results.forget({
                  details: end,
                  results: end,
                  hours: at("2026-08-12T12:00:00Z"),
                  days: epochMillis(0),
                })
              );
            const ordered = [...new Set(cuts)].toSorted((a, b) => a - b);
            const spans = ordered.slice(1).map((to, index) => ({
              from: epochMillis(begin + (ordered[index] ?? 0) * minute),
              to: epochMillis(begin + to * minute),
            }));
            const found = await store.results.downtimes({ monitor: mine, spans });
            const table = await tableOf(mine);
            for (const [day, longest] of table) {
              const parts = found.flat().filter((one) => one.begin === day);
              const sum = parts.reduce((total, { down }) => total + down, 0);
              for (const { down } of parts) expect(down).toBeLessThanOrEqual(longest);
              if (places.length === 1) expect(sum).toBeLessThanOrEqual(longest + spans.length);
            }
            expect(found.flat().filter((one) => !table.has(one.begin))).toEqual([]);
          },
        ),
        { numRuns: 15 },
      );
    });
  });
}

const resultsOf = (monitor: MonitorId, says: readonly string[]): NewResult[] =>
  says.flatMap((one, index) => {
    if (one === "silent") return [];
    const slot = begin + index * minutes(10);
    const excuse = { causeId: "link", sentence: "the link is away" };
    return [
      someResult(monitor, slot, {
        period: minutes(10),
        ...(one === "good" ? {} : one === "slow" ? { status: "degraded" } : failing),
        ...(one === "excused" ? { excuse } : {}),
      }),
    ];
  });
