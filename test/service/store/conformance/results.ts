import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as storeLimits from "#limits/store-limits";
import { countedDays } from "#service/status-site/counted-days";
import { daysIn } from "#service/status-site/measured-days";
import { dayColumns } from "#service/store/day-table";
import { quantile } from "#service/store/histogram";
import { locationId, type MonitorId, monitorId } from "#service/store/ids";
import type { NewResult, Window } from "#service/store/result-store";
import { mergeRollups } from "#service/store/rollup";
import type { Store } from "#service/store/store";
import { noPhases } from "#check/outcome";
import { daysLookedUpMax } from "#limits/store-limits";
import { epochMillis, type EpochMillis, hours, millis, minutes, nanos, seconds } from "#base/units";
import {
  assigned,
  type Assigned,
  at,
  failedChecks,
  failing,
  noon,
  type OpenFresh,
  period,
  slotAfter,
  someLocation,
  someResult,
  someToken,
} from "./scene.ts";

/** What every engine says of results. */
export function resultsConform(open: OpenFresh): void {
  let store: Store;
  let one: Assigned;
  let monitor: ReturnType<typeof monitorId>;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());
  beforeEach(async () => {
    one = await assigned(store);
    monitor = one.monitors[0]!;
  });
  const everything = (changes: Partial<Window> = {}): Window => ({
    monitor,
    location: null,
    from: epochMillis(0),
    to: at("2100-01-01T00:00:00Z"),
    order: "oldest first",
    cursor: null,
    skip: 0,
    limit: 100,
    ...changes,
  });

  describe("a result", () => {
    test("is accepted once, and is a duplicate after that, in one batch too", async () => {
      const result = someResult(monitor, noon);
      expect(await one.append(result, result)).toEqual(["accepted", "duplicate"]);
      expect(await one.append({ ...result, status: "error" })).toEqual(["duplicate"]);
      const { results } = await store.results.window(everything());
      expect(results.map(({ status }) => status)).toEqual(["success"]);
    });
    test("of a monitor that is not assigned to its location is not taken, and the others of the batch are", async () => {
      const receipts = await one.append(
        someResult(monitorId(999), noon),
        someResult(monitor, noon),
      );
      expect(receipts).toEqual(["unassigned", "accepted"]);
    });
    test("comes back as it went in, phases to the microsecond", async () => {
      const sent = someResult(monitor, noon, { ...failing, trigger: "api", attempts: 4 });
      await one.append(sent);
      const key = { monitor, location: one.location, slot: noon };
      const {
        monitor: _,
        period: __,
        perhapsSlow: ___,
        excuse: ____,
        certificate: _____,
        ...facts
      } = sent;
      expect(await store.results.result(key)).toEqual({
        ...key,
        ...facts,
        storedAt: noon + 1_000,
      });
      expect(await store.results.result({ ...key, slot: slotAfter(1) })).toBeNull();
    });
    test("keeps its detail when it is not well, and the first good one after; other good ones do not", async () => {
      const statuses = ["success", "success", "error", "degraded", "success", "success"] as const;
      for (const [index, status] of statuses.entries())
        await one.append(someResult(monitor, slotAfter(index), { status }));
      const kept: boolean[] = [];
      for (const index of statuses.keys()) {
        const key = { monitor, location: one.location, slot: slotAfter(index) };
        kept.push((await store.results.result(key))?.detail !== null);
      }
      // The first of all is one in a hundred.
      expect(kept).toEqual([true, false, true, true, true, false]);
    });
    test("of 500 in a batch is one of 500", async () => {
      const results = Array.from({ length: 500 }, (_, index) =>
        someResult(monitor, slotAfter(index)),
      );
      expect(new Set(await one.append(...results))).toEqual(new Set(["accepted"]));
      expect(new Set(await one.append(...results))).toEqual(new Set(["duplicate"]));
      expect((await store.results.totals(one.location, [monitor]))[0]?.success).toBe(500);
    });
  });

  describe("a view", () => {
    test("is moved by newer slots alone, and its time begins with the first result of its status", async () => {
      await one.append(someResult(monitor, slotAfter(3), failing));
      await one.append(someResult(monitor, slotAfter(4), failing));
      await one.append(someResult(monitor, slotAfter(1)));
      const [view] = await store.results.views([monitor]);
      expect(view).toMatchObject({ monitor, location: one.location, newestSlot: slotAfter(4) });
      expect(view?.seen).toMatchObject({ slot: slotAfter(4), status: "error" });
      expect(view?.seen?.since).toBe(slotAfter(3));
    });
    test("from ahead of its time is moved by what comes now, and not by what is old", async () => {
      const { location } = one;
      const storedAt = slotAfter(1);
      const append = (slot: number, changes = {}): Promise<unknown> =>
        store.results.append({ location, storedAt, results: [someResult(monitor, slot, changes)] });
      await append(slotAfter(5));
      await append(slotAfter(-10), failing);
      expect((await store.results.views([monitor]))[0]?.seen).toMatchObject({ status: "success" });
      await append(slotAfter(0), failing);
      await append(slotAfter(1), failing);
      const down = { slot: slotAfter(1), status: "error", since: slotAfter(0) };
      expect((await store.results.views([monitor]))[0]?.seen).toMatchObject(down);
    });
    test("is not moved by what says nothing of the target", async () => {
      await one.append(someResult(monitor, noon));
      const agent = { code: "agent_error", phase: "agent" };
      await one.append(someResult(monitor, slotAfter(1), { status: "error", failure: agent }));
      const [view] = await store.results.views([monitor]);
      expect(view?.newestSlot).toBe(slotAfter(1));
      expect(view?.seen).toMatchObject({ slot: noon, status: "success" });
    });
    test("is moved by a check that was asked for, but the agent that takes the monitor over continues from its slots", async () => {
      await one.append(someResult(monitor, noon));
      await one.append(someResult(monitor, slotAfter(1), { ...failing, trigger: "api" }));
      const [view] = await store.results.views([monitor]);
      expect(view).toMatchObject({ newestSlot: noon, seen: { status: "error" } });
    });
    test("that is degraded stays so after a success that may have been slow", async () => {
      await one.append(someResult(monitor, noon, { status: "degraded" }));
      await one.append(someResult(monitor, slotAfter(1), { perhapsSlow: true }));
      const slow = { slot: slotAfter(1), status: "degraded", since: noon };
      expect((await store.results.views([monitor]))[0]?.seen).toMatchObject(slow);
      await one.append(someResult(monitor, slotAfter(2)));
      const quick = { status: "success", since: slotAfter(2) };
      expect((await store.results.views([monitor]))[0]?.seen).toMatchObject(quick);
    });
    test("of a monitor that is assigned no longer is not shown", async () => {
      await one.append(someResult(monitor, noon));
      const change = { name: null, metadata: null, ownership: null, at: noon };
      await store.state.locations.update(one.location, { ...change, monitors: [] });
      expect(await store.results.views([monitor])).toEqual([]);
      expect(await store.results.newestSlots(one.location, [monitor])).toEqual(new Map());
    });
    test("gives each monitor's newest slot to whoever takes it over", async () => {
      await one.append(someResult(monitor, slotAfter(2)), someResult(monitor, noon));
      const ids = [monitor, monitorId(monitor + 1)];
      expect(await store.results.newestSlots(one.location, ids)).toEqual(
        new Map([[monitor, slotAfter(2)]]),
      );
      expect(await store.results.newestSlots(one.location, [])).toEqual(new Map());
    });
  });

  describe("slots of which nothing was learned", () => {
    const excuse = { causeId: "c1", sentence: "the gateway 10.0.0.1 does not answer" };
    const gone = (slot: number, why = excuse) => ({
      monitor,
      period,
      excuse: why,
      slot: slotAfter(slot),
    });
    const miss = (...missed: ReturnType<typeof gone>[]): Promise<void> =>
      store.results.miss({ location: one.location, storedAt: noon, missed });
    const gaps = () =>
      store.results.gaps({ monitor, location: null, from: noon, to: slotAfter(100) });

    test("are one gap for one cause, however often and in however many calls they come", async () => {
      await miss(gone(1), gone(2));
      await miss(gone(3));
      await miss(gone(2), gone(3));
      const { location } = one;
      const first = { location, from: slotAfter(1), to: slotAfter(3), slots: 3, excuse };
      expect(await gaps()).toEqual([first]);
      const other = { causeId: "c2", sentence: "eth0 has no carrier" };
      await miss(gone(4, other), gone(9, other));
      expect((await gaps()).map(({ from, to, slots }) => [from, to, slots])).toEqual([
        [slotAfter(9), slotAfter(9), 1],
        [slotAfter(4), slotAfter(4), 1],
        [slotAfter(1), slotAfter(3), 3],
      ]);
      expect(await store.results.views([monitor])).toMatchObject([
        { blindSlot: slotAfter(9), newestSlot: 0, seen: null },
      ]);
    });
    test("neither move a view nor count in uptime, also if a result came of them", async () => {
      await one.append(someResult(monitor, noon));
      await one.append(someResult(monitor, slotAfter(1), { ...failing, excuse }));
      const [view] = await store.results.views([monitor]);
      expect(view).toMatchObject({ blindSlot: slotAfter(1), seen: { slot: noon } });
      const asked = { monitors: [monitor], location: null, grain: "hour" } as const;
      const [hour] = await store.results.buckets({
        ...asked,
        from: at("2026-08-12T00:00:00Z"),
        to: slotAfter(9),
      });
      expect(hour).toMatchObject({ success: 1, error: 0, unknown: 1, known: period, down: 0 });
      expect(await gaps()).toMatchObject([{ from: slotAfter(1), slots: 1 }]);
      expect(await failedChecks(store.alerts, monitor, noon, slotAfter(9))).toBe(0);
      await miss({ ...gone(3), monitor: monitorId(monitor + 1_000) });
      expect(await store.results.views([monitor])).toHaveLength(1);
    });
  });

  describe("a window", () => {
    test("is read page by page in both directions, over locations that share slots", async () => {
      const { locations } = store.state;
      const other = await locations.create(someLocation({ monitors: [monitor] }), someToken());
      for (let index = 0; index < 7; index += 1) {
        await one.append(someResult(monitor, slotAfter(index)));
        const results = [someResult(monitor, slotAfter(index))];
        await store.results.append({ location: other, storedAt: noon, results });
      }
      const places = async (asked: Window): Promise<string[]> => {
        const { results, next } = await store.results.window(asked);
        const own = results.map(({ slot, location }) => `${slot} ${location}`);
        return next === null ? own : [...own, ...(await places({ ...asked, cursor: next }))];
      };
      const all = Array.from({ length: 7 }, (_, index) => [
        `${slotAfter(index)} ${one.location}`,
        `${slotAfter(index)} ${other}`,
      ]).flat();
      for (const limit of [1, 2, 3, 5, 14, 100]) {
        expect(await places(everything({ limit }))).toEqual(all);
        const newestFirst = everything({ limit, order: "newest first" });
        expect(await places(newestFirst)).toEqual(all.toReversed());
      }
      const middle = everything({ from: slotAfter(2), to: slotAfter(4), location: other });
      expect(await places(middle)).toEqual([all[5], all[7]]);
      const skipped = await store.results.window(everything({ skip: 13 }));
      expect(skipped.results.map(({ location }) => location)).toEqual([other]);
      expect(skipped.next).toBeNull();
    });
    test("says of each result the sentence that is kept of it", async () => {
      await one.append(someResult(monitor, noon), someResult(monitor, slotAfter(1), failing));
      const { results } = await store.results.window(everything());
      expect(results.map(({ message }) => message)).toEqual(["", failing.detail?.message]);
    });
  });

  describe("a bucket", () => {
    test("adds up results in any order, by hour and by day", async () => {
      await one.append(someResult(monitor, at("2026-08-12T13:00:00Z"), failing));
      await one.append(
        someResult(monitor, at("2026-08-12T12:59:30Z"), {
          latency: millis(400),
          status: "degraded",
        }),
      );
      await one.append(someResult(monitor, at("2026-08-12T12:00:00Z")));
      const config = { code: "invalid_url", phase: "config" };
      await one.append(someResult(monitor, noon, { status: "error", failure: config }));
      const asked = {
        monitors: [monitor],
        location: null,
        from: epochMillis(0),
        to: at("2027-01-01T00:00:00Z"),
      };
      const hours = await store.results.buckets({ ...asked, grain: "hour" });
      expect(hours).toMatchObject([
        {
          begin: at("2026-08-12T12:00:00Z"),
          success: 1,
          degraded: 1,
          error: 0,
          unknown: 1,
          known: 2 * period,
          down: 0,
          latencySum: 500,
          latencyMax: 400,
        },
        { begin: at("2026-08-12T13:00:00Z"), error: 1, known: period, down: period, latencySum: 0 },
      ]);
      const [day, ...others] = await store.results.buckets({ ...asked, grain: "day" });
      expect(others).toEqual([]);
      expect(day).toMatchObject(mergeRollups(hours));
      expect(quantile(day!.latencies, 0.99)).toBeGreaterThan(400 / 1.075);
      const after = { ...asked, from: at("2026-08-12T12:00:01Z") };
      expect(await store.results.buckets({ ...after, grain: "hour" })).toHaveLength(1);
    });
  });

  describe("the days of monitors", () => {
    test("have all locations of each together, the oldest first, and those alone that are asked for", async () => {
      const both = await assigned(store, 2);
      const [mine = monitor, other = monitor] = both.monitors;
      const made = someLocation({ monitors: [mine] });
      const elsewhere = await store.state.locations.create(made, someToken());
      await both.append(
        someResult(mine, at("2026-08-11T23:59:30Z")),
        someResult(mine, noon, failing),
        someResult(mine, slotAfter(1), { status: "degraded" }),
        someResult(other, noon),
      );
      await store.results.append({
        location: elsewhere,
        storedAt: noon,
        results: [someResult(mine, noon)],
      });
      const days = async (from: string, monitors: readonly (typeof monitor)[]) => [
        ...(await store.results.days({ monitors, from: at(from), to: at("2026-08-13T00:00:00Z") })),
      ];
      const [first, second] = ["2026-08-11T00:00:00Z", "2026-08-12T00:00:00Z"];
      const ofFirst = [mine, at(first), period, 0, 1, 0, 0];
      const ofOther = [other, at(second), period, 0, 1, 0, 0];
      const ofBoth = [mine, at(second), 2 * period, period, 3, 1, 1];
      // Who is named again is read once.
      for (const times of [1, storeLimits.daysLookedUpMax + 1]) {
        const asked = (...some: readonly (typeof monitor)[]) => Array(times).fill(some).flat();
        expect(await days(first, asked(mine))).toEqual([...ofFirst, ...ofBoth]);
        expect(await days(second, asked(mine, other))).toEqual([...ofBoth, ...ofOther]);
      }
      expect(await days(first, [])).toEqual([]);
    });

    test("were down for no longer than they existed, nor beyond the end of what is asked for", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      await first.append(...[0, 1, 2, 3].map((slot) => someResult(mine, slotAfter(slot), failing)));
      const seen = async (to: EpochMillis): Promise<readonly (number | undefined)[]> => {
        const range = { from: at("2026-08-12T00:00:00Z"), to };
        const table = await store.results.days({ monitors: [mine], ...range });
        return [table[dayColumns.indexOf("known")], table[dayColumns.indexOf("down")]];
      };
      // Four checks failed within three periods of the monitor's life, and the last one stands for a fourth.
      expect(await seen(slotAfter(3))).toEqual([3 * period, 3 * period]);
      expect(await seen(at("2026-08-13T00:00:00Z"))).toEqual([4 * period, 4 * period]);
    });

    /** What is known of the day of noon, and downtime, in seconds. */
    const secondsOf = async (mine: MonitorId, to: number): Promise<readonly number[]> => {
      const range = { from: at("2026-08-12T00:00:00Z"), to: epochMillis(to) };
      const table = await store.results.days({ monitors: [mine], ...range });
      const asked = { monitors: [mine], since: range.from, ...range };
      const sum = (await store.results.sums(asked)).get(mine);
      const said = ["known", "down"] as const;
      const day = said.map((column) => (table[dayColumns.indexOf(column)] ?? 0) / 1_000);
      expect(said.map((column) => (sum?.[column] ?? 0) / 1_000)).toEqual(day);
      return day;
    };
    const ofMidnight = at("2026-08-13T00:00:00Z");

    test("count a result until the next one of its location, and no longer than a period", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      // The check of a new monitor, and nine seconds later that of its schedule.
      await first.append(someResult(mine, noon, failing));
      await first.append(someResult(mine, noon + seconds(9), failing));
      expect(await secondsOf(mine, ofMidnight)).toEqual([39, 39]);
      // In one call, after a pause; the second says nothing of the target.
      const config = { code: "invalid_url", phase: "config" };
      await first.append(
        someResult(mine, noon + seconds(100), failing),
        someResult(mine, noon + seconds(104)),
        someResult(mine, noon + seconds(110), { status: "error", failure: config }),
      );
      expect(await secondsOf(mine, ofMidnight)).toEqual([49, 43]);
      // A shorter period of its monitor takes what the longer one was counted for.
      await first.append(
        someResult(mine, noon + seconds(200), { ...failing, period: minutes(5) }),
        someResult(mine, noon + seconds(230)),
      );
      expect(await secondsOf(mine, ofMidnight)).toEqual([109, 73]);
    });

    test("are known up to now, also of a monitor that never failed", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      await first.append(someResult(mine, noon, { period: hours(1) }));
      expect(await secondsOf(mine, noon + seconds(12))).toEqual([12, 0]);
      const second = await store.state.locations.create(
        someLocation({ monitors: [mine] }),
        someToken(),
      );
      const seen = [someResult(mine, noon + seconds(5), { period: hours(1) })];
      await store.results.append({ location: second, storedAt: noon, results: seen });
      expect(await secondsOf(mine, noon + seconds(20))).toEqual([20, 0]);
      expect(await secondsOf(mine, noon + hours(2))).toEqual([3_600, 0]);
    });

    test("count a check that is made up for from when it began, and what ran past its next slot until the one after its end", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      const seenFrom = async (from: number): Promise<number> => {
        const asked = { monitor: mine, from: epochMillis(noon + seconds(from)), period };
        const { times } = await store.alerts.evidence.checked({ ...asked, to: slotAfter(20) });
        return times.unknown / 1_000;
      };
      // The agent stopped after the first, and was back 20 s after the sixth.
      const late = { ...failing, startedAt: epochMillis(slotAfter(5) + seconds(20)) };
      await first.append(someResult(mine, noon, failing));
      await first.append(someResult(mine, slotAfter(5), late));
      expect(await secondsOf(mine, ofMidnight)).toEqual([40, 40]);
      // Two attempts of 25 s each end after two slots that were skipped for them.
      const hung = { ...failing, latency: seconds(25), attempts: 2 };
      await first.append(someResult(mine, slotAfter(6), hung));
      expect(await secondsOf(mine, slotAfter(20))).toEqual([100, 100]);
      await first.append(someResult(mine, slotAfter(8)));
      expect(await secondsOf(mine, ofMidnight)).toEqual([130, 100]);
      // An agent that is back at once is late by less than half a period: what was seen before stands until then.
      const soon = { startedAt: epochMillis(slotAfter(9) + seconds(14)) };
      await first.append(someResult(mine, slotAfter(9), soon));
      expect(await secondsOf(mine, ofMidnight)).toEqual([160, 100]);
      // An existing agent says when its last attempt began, and not how many there were.
      const plain = {
        ...failing,
        attempts: 0,
        startedAt: epochMillis(slotAfter(10) + seconds(21)),
      };
      await first.append(someResult(mine, slotAfter(10), plain));
      expect(await secondsOf(mine, ofMidnight)).toEqual([190, 130]);
      // Of 600 s, 470 s have no check: pages of an incident say the same.
      expect(await seenFrom(0)).toBe(600 - 190);
    });

    test("count a result up to now, also a good one, and at several locations each up to its own next", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      await first.append(someResult(mine, noon), someResult(mine, slotAfter(1), failing));
      expect(await secondsOf(mine, slotAfter(1) + seconds(10))).toEqual([40, 10]);
      expect(await secondsOf(mine, slotAfter(2))).toEqual([60, 30]);
      await first.append(someResult(mine, slotAfter(2)));
      expect(await secondsOf(mine, slotAfter(2) + seconds(6))).toEqual([66, 30]);
      const second = await store.state.locations.create(
        someLocation({ monitors: [mine] }),
        someToken(),
      );
      const seen = [1, 2].map((slot) => someResult(mine, slotAfter(slot) + seconds(3), failing));
      await store.results.append({ location: second, storedAt: noon, results: seen });
      // One was down for 30 s, the other for 33 s: half of them is the one that saw more.
      expect(await secondsOf(mine, slotAfter(2) + seconds(6))).toEqual([66, 33]);
      expect(await secondsOf(mine, slotAfter(5))).toEqual([90, 60]);
    });

    test("were down from a check that a person asked for on, or until it, and are no longer with it than without", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      const asked = (afterNoon: number, changes = {}) =>
        first.append(
          someResult(mine, epochMillis(noon + seconds(afterNoon)), { trigger: "api", ...changes }),
        );
      const downAt = async (to: number): Promise<readonly number[]> => {
        const range = { from: at("2026-08-12T00:00:00Z"), to: epochMillis(noon + seconds(to)) };
        const [day] = daysIn(await store.results.days({ monitors: [mine], ...range }));
        return [day?.known ?? 0, day?.down ?? 0].map((time) => time / 1_000);
      };
      await first.append(someResult(mine, noon));
      await asked(10, failing);
      expect(await downAt(12)).toEqual([12, 2]);
      // Another agent of the location began a moment before, and its answer comes later.
      await asked(9);
      await asked(15, failing);
      expect(await downAt(20)).toEqual([20, 10]);
      await first.append(someResult(mine, slotAfter(1), failing));
      expect(await downAt(40)).toEqual([40, 30]);
      await asked(45);
      expect(await downAt(50)).toEqual([50, 35]);
      await first.append(someResult(mine, slotAfter(2)));
      expect(await downAt(70)).toEqual([70, 35]);
      // What says nothing of the target, and what was asked for while no result stood, changes nothing.
      const agent = { code: "agent_error", phase: "agent" };
      await asked(75, { status: "error", failure: agent });
      await asked(95, failing);
      expect(await downAt(100)).toEqual([90, 35]);
    });

    test("are as long with checks that a person asked for as without, also if an hour without results had planned work", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      const asked = (afterNoon: number, changes = {}) =>
        someResult(mine, noon + afterNoon, { trigger: "api", ...changes });
      await first.append(
        ...[0, 1, 2, 3].map((slot) => someResult(mine, slotAfter(slot), slot < 2 ? failing : {})),
        ...[31, 34, 37, 40, 43].map((after) => asked(seconds(after), failing)),
        asked(seconds(50)),
      );
      const range = { from: at("2026-08-12T00:00:00Z"), to: at("2026-08-13T00:00:00Z") };
      const days = [...daysIn(await store.results.days({ monitors: [mine], ...range }))];
      const planned = [{ from: at("2026-08-12T06:00:00Z"), to: at("2026-08-12T07:00:00Z") }];
      const counted = await countedDays(store.results, [{ monitor: mine, days, planned }]);
      const checks = { success: 3, degraded: 0, error: 7 };
      const day = { begin: range.from, ...checks, known: 4 * period, down: seconds(50) };
      expect(days).toEqual([{ monitor: mine, ...day }]);
      expect(counted.get(mine)).toEqual([day]);
    });

    test("were down for as long as half of the locations saw", async () => {
      const first = await assigned(store, 1);
      const [mine = monitor] = first.monitors;
      const append = async (failed: number): Promise<void> => {
        const made = someLocation({ monitors: [mine] });
        const location = await store.state.locations.create(made, someToken());
        const results = [1, 2, 3].map((slot) =>
          someResult(mine, slotAfter(slot), slot <= failed ? failing : {}),
        );
        await store.results.append({ location, storedAt: noon, results });
      };
      const downNow = async (): Promise<number | undefined> => {
        const range = { from: at("2026-08-12T00:00:00Z"), to: at("2026-08-13T00:00:00Z") };
        const table = await store.results.days({ monitors: [mine], ...range });
        return table[dayColumns.indexOf("down")];
      };
      const seen: (number | undefined)[] = [];
      for (const failed of [3, 0, 1, 0, 2]) {
        await append(failed);
        seen.push(await downNow());
      }
      // Of 3; 3 and 0; 3, 1 and 0; 3, 1, 0 and 0; 3, 2, 1, 0 and 0.
      expect(seen).toEqual([3 * period, 3 * period, period, period, period]);
    });

    test("come to the sums of their days, each cut to its length, with downtime or without", async () => {
      const both = await assigned(store, 3);
      const [mine = monitor, other = monitor, unseen = monitor] = both.monitors;
      const apart = await assigned(store);
      const [ended, first] = [at("2026-08-13T00:00:00Z"), at("2026-08-10T00:00:00Z")];
      const long = { period: hours(10) };
      await both.append(
        ...[0, 1, 2].map((slot) => someResult(mine, epochMillis(first + hours(10 * slot)), long)),
        someResult(mine, at("2026-08-11T12:00:00Z")),
        ...[0, 1, 2, 3].map((slot) => someResult(mine, slotAfter(slot), failing)),
        someResult(other, at("2026-08-11T12:00:00Z"), { status: "degraded" }),
        someResult(other, noon),
        someResult(other, slotAfter(1), failing),
      );
      // Well on the day on which it was made, and down on the next.
      const [late = monitor] = apart.monitors;
      await apart.append(
        someResult(late, noon, { period: hours(20) }),
        someResult(late, ended, failing),
      );
      const monitors = [...both.monitors, late];
      for (const to of [slotAfter(3), ended, epochMillis(ended + hours(30))]) {
        const range = { monitors, from: first, to };
        const table = await store.results.days(range);
        const expected = new Map<number, number[]>();
        for (let row = 0; row < table.length; row += dayColumns.length) {
          const [id = 0, , known = 0, down = 0, checks = 0] = table.slice(row);
          const sum = expected.getOrInsert(id, [0, 0, 0]);
          expected.set(
            id,
            sum.map((one, index) => one + ([known, down, checks][index] ?? 0)),
          );
        }
        const sums = await store.results.sums({ ...range, since: first });
        const found = [...sums].map(([id, { known, down, checks }]) => [id, [known, down, checks]]);
        const order = (some: readonly unknown[][]) =>
          some.toSorted((a, b) => Number(a[0]) - Number(b[0]));
        expect(order(found)).toEqual(order([...expected]));
        expect(sums.has(unseen)).toBe(false);
        const lasted = to === slotAfter(3) ? 3 * period : 4 * period;
        expect(sums.get(mine)).toEqual({
          known: hours(24) + period + lasted,
          down: lasted,
          checks: 8,
          before: { known: 0, down: 0, checks: 0 },
          downDays: [{ begin: at("2026-08-12T00:00:00Z"), down: lasted }],
        });
        // Those before a day are added up apart.
        const from = at("2026-08-12T00:00:00Z");
        const compared = (await store.results.sums({ ...range, from, since: first })).get(mine);
        expect(compared).toEqual({
          known: lasted,
          down: lasted,
          checks: 4,
          before: { known: hours(24) + period, down: 0, checks: 4 },
          downDays: [{ begin: from, down: lasted }],
        });
      }
      const none = { from: first, to: ended };
      expect(await store.results.sums({ ...none, since: first, monitors: [] })).toEqual(new Map());
    });

    test("are summed up for monitors with one location and with several in one question", async () => {
      const first = await assigned(store, 3);
      const [alone = monitor, twice = monitor, left = monitor] = first.monitors;
      const elsewhere = async (mine: MonitorId) => {
        const made = someLocation({ monitors: [mine] });
        const location = await store.state.locations.create(made, someToken());
        const results = [someResult(mine, noon), someResult(mine, slotAfter(1), failing)];
        await store.results.append({ location, storedAt: noon, results });
        return location;
      };
      const on = (mine: MonitorId) =>
        [0, 1, 2, 3].map((slot) => someResult(mine, slotAfter(slot), slot === 1 ? failing : {}));
      await first.append(...first.monitors.flatMap(on));
      await elsewhere(twice);
      await store.state.locations.delete(await elsewhere(left));
      const [since, to] = [at("2026-08-11T00:00:00Z"), at("2026-08-14T00:00:00Z")];
      const asked = { monitors: first.monitors, since, from: since, to };
      const before = { known: 0, down: 0, checks: 0 };
      const sum = (checks: number) => ({
        known: 4 * period,
        down: period,
        checks,
        before,
        downDays: [{ begin: at("2026-08-12T00:00:00Z"), down: period }],
      });
      expect(await store.results.sums(asked)).toEqual(
        new Map([
          [alone, sum(4)],
          [twice, sum(6)],
          [left, sum(4)],
        ]),
      );
    });
  });

  describe("the medians of monitors", () => {
    test("are of what passed on these days at all locations, and of those alone that are asked for", async () => {
      const both = await assigned(store, 2);
      const [mine = monitor, other = monitor] = both.monitors;
      const passing = (latency: number) => ({ latency: millis(latency) });
      await both.append(
        someResult(mine, at("2026-08-10T12:00:00Z"), passing(9_000)),
        someResult(mine, at("2026-08-11T12:00:00Z"), passing(10)),
        someResult(mine, noon, passing(200)),
        someResult(mine, slotAfter(1), passing(210)),
        someResult(mine, slotAfter(2), { ...failing, ...passing(5_000) }),
        someResult(other, noon, failing),
      );
      const medians = async (monitors: readonly (typeof monitor)[]) => [
        ...(await store.results.medians({
          monitors,
          from: at("2026-08-11T00:00:00Z"),
          to: at("2026-08-13T00:00:00Z"),
        })),
      ];
      const [found, ...others] = await medians([mine, other]);
      expect([found?.[0], others]).toEqual([mine, []]);
      expect(Math.abs((found?.[1] ?? 0) / 200 - 1)).toBeLessThan(0.08);
      expect(await medians([other])).toEqual([]);
      // Of many, a range of the days is read, and adds up to the same.
      const many = Array.from({ length: daysLookedUpMax }, (_, index) => monitorId(9_000 + index));
      expect(await medians([other, mine, ...many])).toEqual([found]);
    });
  });

  describe("the past", () => {
    test("adds up to stretches with quantiles and the mean of each phase of good checks, and none if there was no result", async () => {
      const ms = (value: number) => nanos(value * 1e6);
      const phases = { ...noPhases, connect: ms(2), wait: ms(10) };
      await one.append(
        ...[10, 20, 30, 40].map((latency, index) =>
          someResult(monitor, slotAfter(index), {
            latency: millis(latency),
            phases: index === 0 ? { ...phases, connect: null } : phases,
          }),
        ),
        someResult(monitor, slotAfter(4), {
          ...failing,
          phases: { ...phases, connect: ms(5_000) },
        }),
        someResult(monitor, slotAfter(40), failing),
      );
      const found = await store.results.stretches({
        monitor,
        location: null,
        from: noon,
        to: slotAfter(100),
        length: millis(10 * period),
      });
      expect(
        found.map(({ begin, success, error, p50, p95 }) => [begin, success, error, p50, p95]),
      ).toEqual([
        [noon, 4, 1, 20, 40],
        [slotAfter(40), 0, 1, null, null],
      ]);
      expect(found[0]?.phases.get("connect")).toBe(1.5);
      expect(found[0]?.phases.get("wait")).toBe(10);
      expect(found[0]?.phases.get("tls")).toBe(0);
    });
    test("adds up what the echoes of pings came to, and has their latency in microseconds", async () => {
      const us = (value: number) => nanos(value * 1e3);
      const ping = (index: number, changes: Partial<NewResult>) =>
        someResult(monitor, slotAfter(index), {
          latency: millis(0),
          phases: { ...noPhases, connect: us(80) },
          own: null,
          ...changes,
        });
      const echoes = { sent: 3, received: 3, least: us(70), most: us(95) };
      await one.append(
        ping(0, { echoes }),
        ping(1, { echoes: { sent: 3, received: 1, least: us(61), most: us(61) } }),
        ping(2, {
          ...failing,
          phases: noPhases,
          echoes: { sent: 3, received: 0, least: null, most: null },
        }),
        someResult(monitor, slotAfter(50)),
      );
      const found = await store.results.stretches({
        monitor,
        location: null,
        from: noon,
        to: slotAfter(100),
        length: millis(10 * period),
      });
      expect(found.map((stretch) => [stretch.echoes, stretch.p50])).toEqual([
        [{ sent: 9, received: 4, least: us(61), most: us(95) }, 0.08],
        [null, 100],
      ]);
      const single = await store.results.result({
        monitor,
        location: one.location,
        slot: slotAfter(0),
      });
      expect(single).toMatchObject({ echoes, own: null });
    });
    test("keeps of what took less than ten milliseconds its tenths, in what was seen last and in hours and days", async () => {
      const took = (micros: number): Partial<NewResult> => ({
        latency: millis(Math.round(micros / 1e3)),
        phases: { ...noPhases, connect: nanos(micros * 1e3) },
      });
      await one.append(
        ...[430, 410, 420, 2_440].map((micros, index) =>
          someResult(monitor, slotAfter(index), took(micros)),
        ),
      );
      const seen = async () => (await store.results.views([monitor]))[0]?.seen?.latency;
      expect(await seen()).toBe(2.44);
      const asked = { monitors: [monitor], from: epochMillis(0), to: at("2027-01-01T00:00:00Z") };
      const [median] = (await store.results.medians(asked)).values();
      expect(median).toBeGreaterThan(0.42 / 1.075);
      expect(median).toBeLessThan(0.42 * 1.075);
      for (const grain of ["hour", "day"] as const) {
        const [bucket] = await store.results.buckets({ ...asked, location: null, grain });
        expect(quantile(bucket!.latencies, 0.5)).toBe(median);
      }
      // An agent that sends plain calls alone knows whole milliseconds.
      await one.append(
        someResult(monitor, slotAfter(4), { latency: millis(0), phases: noPhases }),
        someResult(monitor, slotAfter(5), { latency: millis(3), phases: noPhases }),
      );
      expect(await seen()).toBe(3);
    });
    test("says why results failed, as far as it knows them", async () => {
      await one.append(someResult(monitor, noon, failing), someResult(monitor, slotAfter(1)));
      const keys = [noon, slotAfter(1), slotAfter(2)].map((slot) => ({
        monitor,
        location: one.location,
        slot,
      }));
      expect(await store.results.reasons(keys)).toEqual([
        {
          key: keys[0],
          ...failing.failure,
          message: "nothing listens at 10.0.0.1:443",
          statusCode: 0,
        },
        { key: keys[1], code: "", phase: "", message: "", statusCode: 200 },
      ]);
    });
    test("gives the last failing and the last good result with a detail", async () => {
      const statuses = ["success", "error", "success", "success", "error", "error"] as const;
      for (const [index, status] of statuses.entries())
        await one.append(someResult(monitor, slotAfter(index), { status }));
      expect(await store.results.lastDetailed(monitor, "failed")).toMatchObject({
        slot: slotAfter(5),
      });
      const passed = await store.results.lastDetailed(monitor, "passed");
      expect(passed).toMatchObject({ slot: slotAfter(2), status: "success" });
      expect(passed?.detail).not.toBeNull();
      expect(await store.results.lastDetailed(monitorId(998), "failed")).toBeNull();
    });
  });

  describe("what is old", () => {
    const everythingOf = { details: noon, results: noon, hours: noon, days: noon };
    const forgetAll = async (before: typeof everythingOf): Promise<number> => {
      let rounds = 1;
      while (await store.results.forget(before)) rounds += 1;
      return rounds;
    };
    test("is forgotten in portions, each kind at its own age", async () => {
      const results = Array.from({ length: 2_500 }, (_, index) =>
        someResult(monitor, slotAfter(index), { status: "degraded" }),
      );
      for (let from = 0; from < 2_500; from += 500)
        await one.append(...results.slice(from, from + 500));
      const from = slotAfter(2_400);
      const rounds = await forgetAll({
        details: slotAfter(2_500),
        results: from,
        hours: from,
        days: noon,
      });
      expect(rounds).toBeGreaterThan(2);
      const { results: left } = await store.results.window(everything({ limit: 500 }));
      expect(left.map(({ slot }) => slot)).toEqual(
        Array.from({ length: 100 }, (_, index) => slotAfter(2_400 + index)),
      );
      const key = { monitor, location: one.location, slot: slotAfter(2_450) };
      expect((await store.results.result(key))?.detail).toBeNull();
      const asked = {
        monitors: [monitor],
        location: null,
        from: epochMillis(0),
        to: slotAfter(3_000),
      };
      const hours = await store.results.buckets({ ...asked, grain: "hour" });
      expect(hours[0]?.begin).toBe(at("2026-08-13T09:00:00Z"));
      expect(await store.results.buckets({ ...asked, grain: "day" })).toHaveLength(1);
    });
    test("of a location that is deleted is out of sight at once, and goes in portions once it is purged", async () => {
      for (let from = 0; from < 2_500; from += 500) {
        const results = Array.from({ length: 500 }, (_, n) =>
          someResult(monitor, slotAfter(from + n), failing),
        );
        await one.append(...results);
      }
      await store.state.locations.delete(one.location);
      const key = { monitor, location: one.location, slot: noon };
      const asked = { monitors: [monitor], location: null, from: epochMillis(0) } as const;
      const seen = async (): Promise<readonly unknown[]> => [
        (await store.results.window(everything())).results,
        (await store.results.window(everything({ location: one.location }))).results,
        await store.results.totals(null, [monitor]),
        await store.results.totals(one.location, [monitor]),
        await store.results.result(key),
        await store.results.buckets({ ...asked, grain: "day", to: slotAfter(9_999) }),
        await store.results.views([monitor]),
      ];
      expect(await seen()).toEqual([[], [], [], [], null, [], []]);
      const never = epochMillis(0);
      const all = { details: never, results: never, hours: never, days: never };
      expect(await forgetAll(all)).toBeLessThan(3);
      await store.trash.purge(at("9999-01-01T00:00:00Z"));
      expect(await forgetAll(all)).toBeGreaterThan(3);
      expect(await seen()).toEqual([[], [], [], [], null, [], []]);
    });
    test("goes with its monitor or location, which are deleted at once and whose ids are never used again", async () => {
      const other = await assigned(store);
      await other.append(someResult(other.monitors[0]!, noon));
      await one.append(someResult(monitor, noon), someResult(monitor, slotAfter(1)));
      expect(await store.state.locations.delete(one.location)).toBe(true);
      expect(await store.state.monitors.delete(other.monitors[0]!)).toBe(true);
      expect(await store.state.locations.get(one.location)).toBeNull();
      const never = epochMillis(0);
      await forgetAll({ details: never, results: never, hours: never, days: never });
      const deleted = new Set([one.location, other.location]);
      const totals = await store.results.totals(null, [monitor, ...other.monitors]);
      expect(totals.filter(({ location }) => deleted.has(location))).toEqual([]);
      expect((await store.results.window(everything())).results).toEqual([]);
      const next = await assigned(store);
      expect(next.location).toBeGreaterThan(other.location);
      expect(next.monitors[0]).toBeGreaterThan(other.monitors[0]!);
    });
  });

  test("nothing is there of what never was", async () => {
    expect(await store.results.totals(locationId(77), [monitor])).toEqual([]);
    expect(await store.results.views([])).toEqual([]);
    const asked = {
      monitors: [monitor],
      location: null,
      grain: "hour",
      from: noon,
      to: noon,
    } as const;
    expect(await store.results.buckets(asked)).toEqual([]);
  });
}
