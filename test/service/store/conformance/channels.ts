import { afterAll, beforeAll, expect, test } from "vitest";
import { rulesDefault } from "#service/alerting/channel-rules";
import type { NewChannel } from "#service/store/channel-store";
import { channelId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { minutes } from "#base/units";
import { noon, type OpenFresh, slotAfter, someMonitor } from "./scene.ts";

let made = 0;
export const someChannel = (changes: Partial<NewChannel> = {}): NewChannel => {
  made += 1;
  return {
    uid: `uid ${made}`,
    name: "ops",
    provider: "slack",
    sealed: "1.sealed",
    fingerprint: "abcdefghijkl",
    rules: rulesDefault,
    monitors: [],
    owner: "",
    labels: {},
    at: noon,
    ...changes,
  };
};

/** What every engine says of channels. */
export function channelsConform(open: OpenFresh): void {
  let store: Store;
  let channels: Store["alerts"]["channels"];
  beforeAll(async () => {
    store = await open();
    ({ channels } = store.alerts);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  test("a channel is made, read, changed in parts and deleted", async () => {
    const monitor = await store.state.monitors.create(someMonitor());
    const rules = {
      ...rulesDefault,
      reminder: minutes(240),
      labels: { team: "shop" },
      quietHours: [{ days: [6, 7], from: "22:00", to: "07:00" }],
    };
    const channel = someChannel({ rules, monitors: [monitor], owner: "files", labels: { a: "b" } });
    const id = await channels.create(channel);
    const { at, ...facts } = channel;
    expect(await channels.get(id)).toEqual({ ...facts, id, createdAt: at, updatedAt: at });
    const nothing = { name: null, secret: null, rules: null, monitors: null, ownership: null };
    const changed = { ...nothing, name: "night", monitors: [], at: slotAfter(1) };
    expect(await channels.update(id, changed)).toBe(true);
    expect(await channels.get(id)).toMatchObject({
      name: "night",
      rules,
      monitors: [],
      sealed: "1.sealed",
      updatedAt: slotAfter(1),
    });
    const secret = { sealed: "1.other", fingerprint: "other" };
    await channels.update(id, { ...nothing, secret, at: slotAfter(2) });
    expect(await channels.get(id)).toMatchObject({ name: "night", ...secret });
    expect(await channels.delete(id)).toBe(true);
    expect(await channels.delete(id)).toBe(false);
    expect(await channels.get(id)).toBeNull();
    expect(await channels.update(id, { ...nothing, at: noon })).toBe(false);
  });

  test("each monitor's channels are found, and a monitor that is deleted leaves them", async () => {
    const [one, two, three] = [
      await store.state.monitors.create(someMonitor()),
      await store.state.monitors.create(someMonitor()),
      await store.state.monitors.create(someMonitor()),
    ];
    const first = await channels.create(someChannel({ monitors: [one, two] }));
    const second = await channels.create(someChannel({ monitors: [two, monitorId(999_999)] }));
    const found = await channels.ofMonitors([one, two, three]);
    const ids = [...found].map(([monitor, rows]) => [monitor, rows.map(({ id }) => id)]);
    expect(Object.fromEntries(ids)).toEqual({ [one]: [first], [two]: [first, second] });
    expect((await channels.get(second))?.monitors).toEqual([two]);
    await store.state.monitors.delete(two);
    expect((await channels.get(first))?.monitors).toEqual([one]);
    expect(await channels.ofMonitors([two])).toEqual(new Map());
  });

  test("a channel of all monitors has each of them, also one that is made later, whatever its labels say", async () => {
    const quoted = { ...rulesDefault, labels: { team: '"allMonitors":true' } };
    const other = await channels.create(someChannel({ rules: quoted }));
    const before = await store.state.monitors.create(someMonitor());
    const rules = { ...rulesDefault, allMonitors: true };
    const id = await channels.create(someChannel({ rules, monitors: [before] }));
    const later = await store.state.monitors.create(someMonitor());
    const found = await channels.ofMonitors([before, later]);
    expect([...found].map(([monitor, rows]) => [monitor, rows.map((one) => one.id)])).toEqual([
      [before, [id]],
      [later, [id]],
    ]);
    expect((await channels.get(id))?.monitors).toEqual(expect.arrayContaining([before, later]));
    expect((await channels.get(other))?.monitors).toEqual([]);
    expect((await channels.heads()).map((one) => one.id)).toEqual(expect.arrayContaining([id]));
    const heads = await channels.heads();
    expect(await channels.head(id)).toEqual(heads.find((one) => one.id === id));
    expect((await channels.listed([id, other])).get(id)).toEqual([before]);
    const nothing = { name: null, secret: null, monitors: null, ownership: null };
    await channels.update(id, { ...nothing, rules: rulesDefault, at: slotAfter(1) });
    expect(await channels.ofMonitors([later])).toEqual(new Map());
    expect((await channels.get(id))?.monitors).toEqual([before]);
  });

  test("channels are counted and listed in order, a page at a time", async () => {
    const before = await channels.count();
    const third = await channels.create(someChannel());
    expect(await channels.count()).toBe(before + 1);
    const [last, ...none] = await channels.list({ limit: 1, offset: before });
    expect(last?.id).toBe(third);
    expect(none).toEqual([]);
    expect(await channels.get(channelId(987_654))).toBeNull();
  });
}
