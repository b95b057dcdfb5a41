import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { channelId, type LocationId, locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { someChannel } from "./channels.ts";
import {
  assigned,
  noon,
  type OpenFresh,
  slotAfter,
  someLocation,
  someMonitor,
  someToken,
} from "./scene.ts";

/** What any store does with where monitors run, and with many of them at once. */
export function monitorChangesConform(open: OpenFresh): void {
  let store: Store;
  beforeAll(async () => {
    store = await open();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  describe("the places of a monitor", () => {
    test("are those that were named last, and each location that it left or joined has another revision", async () => {
      const { state, alerts } = store;
      const [one, two] = [
        await state.locations.create(someLocation({ name: "one" }), someToken()),
        await state.locations.create(someLocation({ name: "two" }), someToken()),
      ];
      const channel = await alerts.channels.create(someChannel());
      const revisions = async () =>
        Promise.all([one, two].map(async (at) => (await state.locations.get(at))?.revision));
      const made = { locations: [one], channels: [channel] };
      const id = await state.monitors.create(someMonitor(), made);
      expect((await state.monitors.get(id))?.locations).toEqual([one]);
      const before = await revisions();
      const gone = { locations: [two, locationId(99_999)], channels: [channelId(99_999)] };
      expect(await state.monitors.update(id, someMonitor(), gone)).toBe(true);
      expect((await state.monitors.get(id))?.locations).toEqual([two]);
      expect((await alerts.channels.get(channel))?.monitors).toEqual([]);
      const after = await revisions();
      expect([before[0] === after[0], before[1] === after[1]]).toEqual([false, false]);
      expect(await state.monitors.update(monitorId(99_999), someMonitor(), gone)).toBe(false);
    });
  });

  describe("a change of more monitors than one statement has values", () => {
    test("changes and deletes those that are there", async () => {
      const { monitors } = store.state;
      const id = await monitors.create(someMonitor());
      const many = Array.from({ length: 70_000 }, (_, index) => monitorId(id + 70_000 - index));
      const off = { kind: "active", active: false } as const;
      expect(await monitors.changeEach([...many, id], off, noon)).toEqual([id]);
      expect((await monitors.get(id))?.definition.active).toBe(false);
      expect(await monitors.changeEach([...many, id], { kind: "delete" }, noon)).toEqual([id]);
      expect(await monitors.get(id)).toBeNull();
    });
  });

  describe("the marks of all monitors", () => {
    test("change with the monitor's definition and with its locations, and only those of that monitor", async () => {
      const { monitors, locations } = store.state;
      const [one, other] = [
        await monitors.create(someMonitor()),
        await monitors.create(someMonitor()),
      ];
      const place = await locations.create(someLocation(), someToken());
      const marks = async (): Promise<ReadonlyMap<number, string>> => {
        const all = await monitors.marks();
        const rows = Array.from({ length: all.length / 3 }, (_, row) =>
          all.slice(row * 3, row * 3 + 3),
        );
        return new Map(rows.map((row) => [row[0] ?? 0, row.join(" ")]));
      };
      const first = await marks();
      await monitors.update(one, someMonitor());
      const second = await marks();
      expect(second.get(one)).not.toBe(first.get(one));
      await monitors.changeEach([one], { kind: "location", location: place, assigned: true }, noon);
      const third = await marks();
      expect(third.get(one)).not.toBe(second.get(one));
      expect(third.get(other)).toBe(first.get(other));
      await monitors.delete(one);
      expect((await marks()).has(one)).toBe(false);
    });

    test("differ for each two sets of locations, also if the sums of their ids are the same", async () => {
      const { monitors, locations } = store.state;
      const ids: LocationId[] = [];
      for (let count = 0; count < 8; count += 1)
        ids.push(await locations.create(someLocation(), someToken()));
      const sets = Array.from({ length: 2 ** ids.length }, (_, bits) =>
        ids.filter((_id, bit) => (bits & (1 << bit)) !== 0),
      );
      const made = new Set<number>();
      for (const set of sets)
        made.add(await monitors.create(someMonitor(), { locations: set, channels: [] }));
      const all = await monitors.marks();
      const marked = new Set<number>();
      for (let at = 0; at < all.length; at += 3)
        if (made.has(all[at] ?? 0)) marked.add(all[at + 2] ?? 0);
      expect([sets.length, marked.size]).toEqual([256, 256]);
    });
  });

  describe("an undo of a change of many monitors", () => {
    const label = (value: string | null) => ({ kind: "label", key: "team", value }) as const;

    test("leaves what is not as the change made it, and what is a file's since", async () => {
      const { monitors } = store.state;
      const [kept, other, owned] = [
        await monitors.create(someMonitor()),
        await monitors.create(someMonitor()),
        await monitors.create(someMonitor({ owner: "team-shop" })),
      ];
      const all = [kept, other, owned];
      await monitors.changeEach(all, label("shop"), noon);
      await monitors.changeEach([other], label("pay"), noon);
      expect(await monitors.changeEach(all, label(null), noon, label("shop"))).toEqual([kept]);
      const off = { kind: "active", active: false } as const;
      const on = { kind: "active", active: true } as const;
      await monitors.changeEach([kept], off, noon);
      expect(await monitors.changeEach([kept, other], on, noon, off)).toEqual([kept]);
    });
    test("leaves a location that someone changed since", async () => {
      const { state } = store;
      const { location, monitors } = await assigned(store, 2);
      const [first, second] = monitors.map((one) => monitorId(one));
      const here = (isHere: boolean) => ({ kind: "location", location, assigned: isHere }) as const;
      await state.monitors.changeEach([first!], here(false), noon);
      const both = [first!, second!];
      expect(await state.monitors.changeEach(both, here(true), noon, here(false))).toEqual([first]);
    });
  });

  describe("a change of many monitors", () => {
    test("pauses, labels, assigns and deletes those that are there, and gives their ids", async () => {
      const { state } = store;
      const { location, monitors } = await assigned(store, 3);
      const [first, second, third] = monitors.map((one) => monitorId(one));
      const some = [first!, second!, monitorId(99_999)];
      const change = (to: Parameters<typeof state.monitors.changeEach>[1]) =>
        state.monitors.changeEach(some, to, slotAfter(1));
      expect(new Set(await change({ kind: "active", active: false }))).toEqual(
        new Set([first, second]),
      );
      expect(await state.monitors.activeIds(location)).toEqual([third]);
      await change({ kind: "label", key: "team", value: "shop" });
      await change({ kind: "label", key: "tier", value: "1" });
      await change({ kind: "label", key: "team", value: null });
      const row = await state.monitors.get(first!);
      expect(row).toMatchObject({ labels: { tier: "1" }, updatedAt: slotAfter(1), revision: 5 });
      expect(row?.definition).toMatchObject({ labels: { tier: "1" }, active: false });
      expect((await state.monitors.get(third!))?.updatedAt).toBe(noon);
      await change({ kind: "location", location, assigned: false });
      expect((await state.locations.get(location))?.monitors).toEqual([third]);
      await change({ kind: "location", location, assigned: true });
      expect((await state.locations.get(location))?.monitors).toEqual([first, second, third]);
      await change({ kind: "delete" });
      expect(await state.monitors.get(first!)).toBeNull();
      expect((await state.locations.get(location))?.monitors).toEqual([third]);
    });
  });
}
