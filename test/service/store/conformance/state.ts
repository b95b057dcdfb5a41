import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { endedTokensKept } from "#limits/service-limits";
import { keyId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import type { InstanceRow, NewKey, StateRow } from "#service/store/state-store";
import { mailServerSetting } from "#service/store/kept-mail-server";
import type { Change, Store } from "#service/store/store";
import { epochMillis, millis, minutes, seconds } from "#base/units";
import {
  assigned,
  failing,
  noon,
  period,
  type OpenFresh,
  slotAfter,
  someLocation,
  someMonitor,
  someResult,
  someToken,
} from "./scene.ts";

const nothing = {
  name: null,
  metadata: null,
  monitors: null,
  ownership: null,
  at: slotAfter(1),
};

const someKey: Omit<NewKey, "hash"> = {
  name: "ci",
  description: "",
  scope: "read",
  prefix: "pkt_key_ab",
  at: noon,
  expiresAt: null,
};

/** What every engine says of everything beside the results. */
export function stateConforms(open: OpenFresh): void {
  let store: Store;
  let state: Store["state"];
  beforeAll(async () => {
    store = await open();
    ({ state } = store);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  test("an installation has an id from the beginning, and settings that are put again and again", async () => {
    expect((await state.settings.all()).get("installation")).toMatch(/^[0-9a-f-]{36}$/);
    await state.settings.put("name", "one");
    await state.settings.put("name", "two");
    expect((await state.settings.all()).get("name")).toBe("two");
    expect(await state.settings.remove("name")).toBe(true);
    expect(await state.settings.remove("name")).toBe(false);
    expect((await state.settings.all()).has("name")).toBe(false);
  });

  test("a session that was ended is known until its time is over, and ended once if it is ended again", async () => {
    const { endedSessions } = state;
    expect(await endedSessions.has("one")).toBe(false);
    const ann = { who: "account 1", name: "Ann" };
    expect(await endedSessions.add("one", slotAfter(2), ann, true)).toBe(true);
    expect(await endedSessions.add("one", slotAfter(2), ann, true)).toBe(false);
    await endedSessions.add("other", slotAfter(5), ann, true);
    await endedSessions.forget(slotAfter(2));
    expect([await endedSessions.has("one"), await endedSessions.has("other")]).toEqual([
      true,
      true,
    ]);
    await endedSessions.forget(slotAfter(3));
    expect([await endedSessions.has("one"), await endedSessions.has("other")]).toEqual([
      false,
      true,
    ]);
  });

  test("a database holds sealed texts as soon as one is there", async () => {
    await using fresh = await open();
    const { locations, settings } = fresh.state;
    await locations.create(someLocation(), { ...someToken(), sealed: "" });
    expect(await settings.hasSealed()).toBe(false);
    const server = { host: "mail.test", port: 587, security: "starttls", sender: "a@b.test" };
    const mailServer = (sealed: string) =>
      JSON.stringify({ ...server, user: "", sealed, fingerprint: "" });
    await settings.put(mailServerSetting, mailServer(""));
    expect(await settings.hasSealed()).toBe(false);
    await settings.put(mailServerSetting, mailServer("sealed"));
    expect(await settings.hasSealed()).toBe(true);
    await settings.remove(mailServerSetting);
    expect(await settings.hasSealed()).toBe(false);
    await locations.create(someLocation({ name: "lab" }), someToken());
    expect(await settings.hasSealed()).toBe(true);
  });

  describe("a monitor", () => {
    test("is made, changed and deleted, and each change counts its revision up and gives its locations another", async () => {
      const made = someMonitor({ owner: "files", labels: { team: "shop" } });
      const id = await state.monitors.create(made);
      const location = await state.locations.create(someLocation({ monitors: [id] }), someToken());
      const revision = async (): Promise<string | undefined> =>
        (await state.locations.get(location))?.revision;
      const first = await revision();
      const row = {
        id,
        uid: "",
        locations: [location],
        revision: 1,
        createdAt: noon,
        updatedAt: noon,
      };
      const { at, ...facts } = made;
      expect(await state.monitors.get(id)).toEqual({ ...row, ...facts });
      expect(at).toBe(noon);
      const changed = someMonitor({ at: slotAfter(1) });
      expect(await state.monitors.update(id, changed)).toBe(true);
      expect(await state.monitors.get(id)).toMatchObject({
        revision: 2,
        owner: "",
        updatedAt: slotAfter(1),
      });
      const second = await revision();
      expect(second).not.toBe(first);
      const definition = { ...tcpDefaults, name: "x", uri: "x:1", periodicity: "30s" };
      expect(await state.monitors.update(id, someMonitor({ definition }))).toBe(false);
      expect(await state.monitors.delete(id)).toBe(true);
      expect(await state.monitors.delete(id)).toBe(false);
      expect(await state.monitors.get(id)).toBeNull();
      expect(await revision()).not.toBe(second);
      expect((await state.locations.get(location))?.monitors).toEqual([]);
    });
    test("is listed page by page in the order of ids, and by location", async () => {
      const before = await state.monitors.count();
      const { location, monitors } = await assigned(store, 3);
      const paused = someMonitor();
      const definition = { ...paused.definition, active: false };
      await state.monitors.update(monitors[1]!, { ...paused, definition });
      expect(await state.monitors.count()).toBe(before + 3);
      expect(await state.monitors.isFull(before + 3)).toBe(true);
      expect(await state.monitors.isFull(before + 4)).toBe(false);
      const page = await state.monitors.list({ limit: 2, offset: before + 1 });
      expect(page.map(({ id }) => id)).toEqual(monitors.slice(1));
      const behind = (after: number, limit: number) =>
        state.monitors.list({ after, limit, offset: 0 });
      expect(await behind(monitors[0]!, 1)).toEqual(page.slice(0, 1));
      expect(await behind(monitors[0]!, 9)).toEqual(page);
      expect(await behind(monitors[2]!, 9)).toEqual([]);
      const own = await state.monitors.list({ limit: 3, offset: before });
      expect(await state.monitors.activeIds(location)).toEqual([monitors[0], monitors[2]]);
      expect(await state.monitors.idOfUid("")).toBeNull();
      expect(await state.monitors.get(monitorId(123_456))).toBeNull();
      const among = await state.monitors.among([monitors[2]!, monitorId(123_456), monitors[0]!]);
      expect(among.toSorted((a, b) => a.id - b.id)).toEqual([own[0], own[2]]);
    });
  });

  describe("a location", () => {
    test("changes what is given, and keeps the rest; a monitor that is gone is not assigned", async () => {
      const { location, monitors } = await assigned(store, 2);
      const [brief, ...others] = await state.locations.among([location, locationId(999_999)]);
      expect([brief, others]).toMatchObject([{ id: location, name: "office" }, []]);
      expect(brief).not.toHaveProperty("monitors");
      await state.locations.update(location, { ...nothing, metadata: { site: "berlin" } });
      const changed = await state.locations.get(location);
      expect(changed).toMatchObject({ name: "office", metadata: { site: "berlin" }, monitors });
      const wanted = [monitors[1]!, monitorId(999_999)];
      await state.locations.update(location, { ...nothing, name: "cellar", monitors: wanted });
      const again = await state.locations.get(location);
      expect(again).toMatchObject({
        name: "cellar",
        monitors: [monitors[1]],
        updatedAt: slotAfter(1),
      });
      expect(await state.locations.update(locationId(999_999), nothing)).toBe(false);
      const listed = await state.locations.list({ limit: 1_000, offset: 0 });
      const { monitors: _, ...brieflyAgain } = again ?? { monitors: [] };
      const shown = listed.find(({ id }) => id === location);
      expect(shown).toEqual({ ...brieflyAgain, monitorCount: 1 });
      expect(listed).toHaveLength(await state.locations.count());
    });
    test("is read with all others without their monitors, which are asked for apart, each once", async () => {
      const { location, monitors } = await assigned(store, 3);
      const shared = someLocation({ monitors: monitors.slice(1) });
      const other = await state.locations.create(shared, someToken());
      const unused = await state.locations.create(someLocation(), someToken());
      const all = await state.locations.all();
      expect(all).toHaveLength(await state.locations.count());
      const { monitors: _, ...brief } = (await state.locations.get(location)) ?? { monitors: [] };
      expect(all.find(({ id }) => id === location)).toEqual({ ...brief, isUsed: true });
      expect(all.find(({ id }) => id === unused)).toMatchObject({ isUsed: false });
      const run = await state.locations.monitorsOf([location, other, unused]);
      expect(run.toSorted((a, b) => a - b)).toEqual(monitors);
      expect(await state.locations.monitorsOf([unused])).toEqual([]);
      expect(await state.locations.monitorsOf([])).toEqual([]);
      await state.locations.update(unused, { ...nothing, monitors: monitors.slice(0, 1) });
      const again = await state.locations.all();
      expect(again.find(({ id }) => id === unused)).toMatchObject({ isUsed: true });
      expect(await state.locations.monitorsOf([unused])).toEqual(monitors.slice(0, 1));
    });
    test("is found by its tokens, also by one that has ended, until that is forgotten", async () => {
      const first = someToken();
      const id = await state.locations.create(someLocation(), first);
      const found = async (hash: string, when: number): Promise<number | undefined> => {
        const location = await state.locations.ofToken(hash);
        const until = location?.token.validUntil ?? when + 1;
        return until > when ? location?.id : undefined;
      };
      expect(await found(first.hash, noon)).toBe(id);
      const second = { ...someToken(), at: slotAfter(1) };
      expect(await state.locations.rotate(id, second, slotAfter(10), 2)).toBe(true);
      expect(await found(first.hash, slotAfter(9))).toBe(id);
      expect(await found(first.hash, slotAfter(10))).toBeUndefined();
      expect(await found(second.hash, slotAfter(99))).toBe(id);
      const row = await state.locations.get(id);
      const revisions = (when: number): Promise<ReadonlyMap<string, string>> =>
        state.locations.revisionsOf([first.hash, "unknown", second.hash], epochMillis(when));
      expect([...(await revisions(slotAfter(9))).values()]).toEqual([row?.revision, row?.revision]);
      expect([...(await revisions(slotAfter(10))).keys()]).toEqual([second.hash]);
      const shown = await state.locations.tokens(id, slotAfter(2));
      expect(shown.map(({ sealed }) => sealed)).toEqual([second.sealed, first.sealed]);
      expect(await state.locations.endOldTokens(id, slotAfter(2))).toBe(1);
      expect(await found(first.hash, slotAfter(2))).toBeUndefined();
      expect(await found(second.hash, slotAfter(2))).toBe(id);
      expect(await state.locations.endOldTokens(id, slotAfter(2))).toBe(0);
      const third = { ...someToken(), at: slotAfter(2) };
      expect(await state.locations.rotate(id, third, slotAfter(10), 1)).toBe(false);
      expect(await state.locations.rotate(id, third, slotAfter(2), 1)).toBe(true);
      expect(await found(second.hash, slotAfter(2))).toBeUndefined();
      expect(await found(third.hash, slotAfter(99))).toBe(id);
      const ended = await state.locations.ofToken(first.hash);
      expect(ended).toMatchObject({ id, token: { validUntil: slotAfter(2), calledAt: null } });
      await state.locations.forgetTokens(slotAfter(50), slotAfter(1));
      expect((await state.locations.ofToken(first.hash))?.id).toBe(id);
      await state.locations.forgetTokens(slotAfter(50), slotAfter(2));
      expect(await state.locations.ofToken(first.hash)).toBeNull();
      expect(await found(third.hash, slotAfter(99))).toBe(id);
    });
    test("keeps a bounded number of tokens that have ended", async () => {
      const first = someToken();
      const id = await state.locations.create(someLocation(), first);
      const others = Array.from({ length: endedTokensKept + 1 }, (_, n) => ({
        ...someToken(),
        at: slotAfter(n + 1),
      }));
      for (const token of others) await state.locations.rotate(id, token, token.at, 2);
      expect(await state.locations.ofToken(first.hash)).toBeNull();
      expect((await state.locations.ofToken(others[0]?.hash ?? ""))?.id).toBe(id);
    });
    test("says when an agent last called with each token, and with one that had ended", async () => {
      const token = someToken();
      const id = await state.locations.create(someLocation(), token);
      const calledAt = async (): Promise<number | null | undefined> =>
        (await state.locations.tokens(id, noon))[0]?.calledAt;
      expect(await calledAt()).toBeNull();
      await state.locations.seen(id, slotAfter(2), "heartbeat", token.hash);
      await state.locations.seen(id, slotAfter(1), "heartbeat", token.hash);
      expect(await calledAt()).toBe(slotAfter(2));
      const call = { at: slotAfter(5), tokenEndedAt: slotAfter(3) };
      expect((await state.locations.get(id))?.refused).toBeNull();
      await state.locations.refused(id, call);
      await state.locations.refused(id, { at: slotAfter(4), tokenEndedAt: slotAfter(1) });
      // Its own token works still: the page of another machine's says so.
      expect((await state.locations.get(id))?.refused).toEqual({
        ...call,
        workingCallAt: slotAfter(2),
      });
      await state.locations.rotate(id, someToken(), slotAfter(6), 2);
      await state.locations.refused(id, { ...call, at: slotAfter(6) });
      expect((await state.locations.get(id))?.refused?.workingCallAt).toBeNull();
    });
    test("was last seen at the latest instant that was said", async () => {
      const { location } = await assigned(store);
      await state.locations.seen(location, slotAfter(5), "call", "");
      await state.locations.seen(location, slotAfter(3), "heartbeat", "");
      const row = await state.locations.get(location);
      expect(row).toMatchObject({ lastSeenAt: slotAfter(5), lastSeenBy: "call", stoppedAt: null });
      await state.locations.stopped(location, slotAfter(6));
      expect((await state.locations.get(location))?.stoppedAt).toBe(slotAfter(6));
      await state.locations.seen(location, slotAfter(7), "heartbeat", "");
      const again = await state.locations.get(location);
      expect(again).toMatchObject({ lastSeenBy: "heartbeat", stoppedAt: null });
    });
    test("has signs of its agents that go with the clock when it is set", async () => {
      const { location } = await assigned(store);
      await state.locations.seen(location, slotAfter(5), "heartbeat", "");
      await state.locations.stopped(location, slotAfter(9));
      await state.locations.shiftSigns(millis(-2 * period));
      const shifted = { lastSeenAt: slotAfter(3), stoppedAt: slotAfter(7) };
      expect(await state.locations.get(location)).toMatchObject(shifted);
      await state.locations.endSignsBy(slotAfter(4));
      const ended = { lastSeenAt: slotAfter(3), stoppedAt: slotAfter(4) };
      expect(await state.locations.get(location)).toMatchObject(ended);
    });
  });

  describe("the agents of a location", () => {
    const agent = (id: string, changes: Partial<InstanceRow> = {}): InstanceRow => ({
      id,
      lastSeenAt: noon,
      left: false,
      revision: "r",
      wanted: true,
      settled: false,
      steadyFrom: null,
      placement: "share",
      report: null,
      ...changes,
    });
    const report = {
      hostname: "h",
      node: "n",
      labels: { zone: "a" },
      version: "1",
      monitorCount: 3,
      resultsWaiting: 1,
      checksRun: 9,
      clockAhead: null,
      missedSlots: 2,
      missedSlotsOwn: 0,
      resultsGivenUp: 0,
      resultsGivenUpAge: 0,
      resultsGivenUpRoom: 0,
      resultsRejected: 0,
      resultsUnassigned: 0,
      spells: [],
      warnings: [],
      remarks: [],
      kinds: ["http", "tcp", "dns", "icmp", "grpc"],
      targets: null,
      signedFor: "",
      tokenHash: "",
      conditions: [
        {
          scope: "gateway" as const,
          subject: "10.0.0.1",
          causeId: "c1",
          sentence: "the gateway 10.0.0.1 does not answer",
          since: noon,
          affected: 2,
          recovering: false,
          place: null,
        },
      ],
    };
    test("are kept only by whoever knows how they stand", async () => {
      const { location } = await assigned(store);
      const { version, instances } = await state.instances.of(location);
      expect(instances).toEqual([]);
      expect(await state.instances.keep(location, version, [agent("b"), agent("a")], 10)).toBe(
        true,
      );
      expect(await state.instances.keep(location, version, [agent("c")], 10)).toBe(false);
      const next = await state.instances.of(location);
      expect(next.instances).toEqual([agent("a"), agent("b")]);
      const one = agent("a", { report, steadyFrom: slotAfter(1), lastSeenAt: slotAfter(1) });
      expect(await state.instances.keep(location, next.version, [one], 10)).toBe(true);
      const quiet = agent("a", { lastSeenAt: slotAfter(2) });
      expect(await state.instances.keep(location, next.version + 1, [quiet], 1)).toBe(true);
      // A pull says nothing of how the agent is: what it said last stays.
      expect(await state.instances.impaired()).toEqual([location]);
      const last = await state.instances.of(location);
      expect(last.instances).toEqual([{ ...quiet, report }]);
      const well = agent("a", { report: { ...report, conditions: [] }, lastSeenAt: slotAfter(2) });
      expect(await state.instances.keep(location, next.version + 2, [well], 1)).toBe(true);
      expect(await state.instances.impaired()).toEqual([]);
      await state.instances.forget(slotAfter(3));
      expect((await state.instances.of(location)).instances).toEqual([]);
      expect(await state.instances.keep(locationId(999_999), -1, [], 1)).toBe(false);
    });
    test("that have left or are silent can be removed, and no one who read before keeps them again", async () => {
      const { location } = await assigned(store);
      const { version } = await state.instances.of(location);
      const all = [
        agent("calls", { lastSeenAt: slotAfter(2) }),
        agent("left", { lastSeenAt: slotAfter(2), left: true }),
        agent("silent", { lastSeenAt: slotAfter(0) }),
      ];
      expect(await state.instances.keep(location, version, all, 10)).toBe(true);
      const before = await state.instances.of(location);
      const remove = (id: string) => state.instances.remove(location, id, slotAfter(1));
      expect(await remove("calls")).toBeNull();
      expect(await remove("unknown")).toBeNull();
      expect(await remove("silent")).toMatchObject({ location, name: "silent" });
      expect(await remove("left")).toMatchObject({ location, name: "left" });
      const { instances } = await state.instances.of(location);
      expect(instances.map(({ id }) => id)).toEqual(["calls"]);
      expect(await state.instances.keep(location, before.version, before.instances, 10)).toBe(
        false,
      );
    });
    test("calling at the same instant are kept one after the other", async () => {
      const { location } = await assigned(store);
      const { version } = await state.instances.of(location);
      const all = Array.from({ length: 8 }, (_, index) =>
        state.instances.keep(location, version, [agent(`a${index}`)], 10),
      );
      expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1);
    });
  });

  describe("a key", () => {
    const made = (hash: string, changes: Partial<NewKey> = {}): NewKey => ({
      ...someKey,
      hash,
      ...changes,
    });
    test("opens until it expires or is revoked", async () => {
      const id = keyId(Number(await state.keys.create(made("k1", { expiresAt: slotAfter(2) }))));
      expect((await state.keys.ofHash("k1", slotAfter(1)))?.id).toBe(id);
      expect(await state.keys.ofHash("k1", slotAfter(2))).toBeNull();
      expect(await state.keys.revoke(id, noon)).toBe(true);
      expect(await state.keys.revoke(id, noon)).toBe(false);
      expect(await state.keys.ofHash("k1", slotAfter(1))).toBeNull();
      expect(await state.keys.get(id)).toBeNull();
      expect(await state.keys.get(keyId(999_999))).toBeNull();
    });
    test("is listed with when it was last used, to the minute", async () => {
      const id = keyId(Number(await state.keys.create(made("k2", { scope: "write" }))));
      await state.keys.used(id, noon);
      await state.keys.used(id, epochMillis(noon + 1_000));
      expect((await state.keys.get(id))?.lastUsedAt).toBe(noon);
      await state.keys.used(id, epochMillis(noon + minutes(2)));
      const own = (await state.keys.list()).find((key) => key.id === id);
      expect(own).toMatchObject({ scope: "write", lastUsedAt: noon + minutes(2), uid: "" });
    });
  });

  test("the first key is made once, however many ask for it at once", async () => {
    const fresh = await open();
    const { keys } = fresh.state;
    const asked = ["f1", "f2", "f3", "f4"].map((hash) => keys.createFirst({ ...someKey, hash }));
    const made = (await Promise.all(asked)).filter((id) => id !== null);
    expect(made).toHaveLength(1);
    await keys.revoke(made[0]!, noon);
    expect(await keys.createFirst({ ...someKey, hash: "f5" })).not.toBeNull();
    await fresh[Symbol.asyncDispose]();
  });

  describe("a lease", () => {
    test("is one holder's until it lets go or falls silent", async () => {
      const { leases } = state;
      expect(await leases.hold("a", ["j1", "j2"], minutes(5))).toEqual(["j1", "j2"]);
      expect(await leases.hold("b", ["j1", "j2", "j3"], minutes(5))).toEqual(["j3"]);
      expect(await leases.hold("a", ["j1"], minutes(5))).toEqual(["j1"]);
      expect(await leases.hold("b", ["j2", "j3"], minutes(5))).toEqual(["j2", "j3"]);
      expect(await leases.holders(minutes(5))).toEqual(["a", "b"]);
      await leases.release("b");
      expect(await leases.holders(minutes(5))).toEqual(["a"]);
      expect(await leases.hold("a", ["j1", "j2"], millis(0))).toEqual(["j1", "j2"]);
      expect(await leases.hold("c", ["j1", "j2"], minutes(5))).toEqual(["j1", "j2"]);
      await leases.release("a");
      await leases.release("c");
    });
    test("is needed to say what the judge found, and is lost with it", async () => {
      const monitor = await state.monitors.create(someMonitor());
      const row = {
        monitor,
        status: "error",
        since: noon,
        judgeAt: noon,
        memory: "{}",
        generation: 0,
      } as const;
      expect(await state.states.put("j9", "a", [row])).toEqual([]);
      await state.leases.hold("a", ["j9"], seconds(60));
      const gone = { ...row, monitor: monitorId(999_999) };
      expect(await state.states.put("j9", "a", [row, gone])).toEqual([monitor]);
      expect(await state.states.put("j9", "a", [{ ...row, status: "unknown" }])).toEqual([monitor]);
      expect(await state.states.of([monitor])).toEqual([{ ...row, status: "unknown" }]);
      expect((await state.states.notActive()).get(monitor)).toEqual({
        status: "unknown",
        since: noon,
      });
      expect(await state.states.put("j9", "a", [{ ...row, status: "active" }])).toEqual([monitor]);
      expect((await state.states.notActive()).has(monitor)).toBe(false);
      await state.leases.hold("a", ["j9"], millis(0));
      expect(await state.states.put("j9", "a", [row])).toEqual([]);
      await state.leases.release("a");
    });
    test("is news for no one if the judge found monitors as they were, and is kept", async () => {
      const { monitors, append } = await assigned(store, 2);
      await state.leases.hold("a", ["j6"], seconds(60));
      const heard: string[] = [];
      using _ = store.onChange((change) => heard.push(change));
      // News comes in the order of what it is of, and later on PostgreSQL: that of the assignment is over then.
      await append(someResult(monitors[1]!, noon));
      await expect.poll(() => heard).toContain("results");
      heard.length = 0;
      const read = await state.states.of(monitors);
      const rows = read.map((row) => ({ ...row, judgeAt: slotAfter(9) }));
      expect(await state.states.keepUnturned("j6", "another", rows)).toBeNull();
      await append(someResult(monitors[0]!, noon));
      expect(await state.states.keepUnturned("j6", "a", rows)).toBe(1);
      const [late, kept] = await state.states.of(monitors);
      expect(late?.judgeAt).not.toBe(slotAfter(9));
      expect(kept?.judgeAt).toBe(slotAfter(9));
      await state.states.put("j6", "a", []);
      await expect.poll(() => heard).toContain("states");
      expect(heard).toEqual(["results", "states"]);
      await state.leases.release("a");
    });
    test("does not put what the judge found over what has come since it looked", async () => {
      const { location, monitors, append } = await assigned(store, 2);
      const [first = monitorId(0), second = monitorId(0)] = monitors;
      await state.leases.hold("a", ["j7"], seconds(60));
      const found = (status: "active" | "error") => async (monitor: MonitorId) => {
        const [read] = await state.states.of([monitor]);
        const said = { monitor, status, since: noon, judgeAt: slotAfter(9), memory: "" };
        return { ...said, generation: read?.generation ?? 0 };
      };
      const put = (...rows: readonly StateRow[]) => state.states.put("j7", "a", rows);
      const isDue = async (): Promise<boolean> =>
        (await state.states.due(slotAfter(2), { parts: 1, rests: [0] }, 100_000)).includes(first);
      const before = [await found("active")(first), await found("active")(second)];
      await append(someResult(first, noon));
      expect(await put(...before)).toEqual([second]);
      expect(await isDue()).toBe(true);
      expect(await put(await found("active")(first))).toEqual([first]);
      expect(await isDue()).toBe(false);
      // What sees the same again moves nothing; what sees something else does, and so does a change of the monitor.
      await append(someResult(first, slotAfter(1)));
      expect(await isDue()).toBe(false);
      const changes: readonly (() => Promise<unknown>)[] = [
        () => append(someResult(first, slotAfter(2), failing)),
        () => state.monitors.update(first, someMonitor()),
        () => state.locations.update(location, { ...nothing, monitors: [second] }),
      ];
      for (const change of changes) {
        const late = await found("error")(first);
        await change();
        expect(await put(late)).toEqual([]);
        expect(await isDue()).toBe(true);
        expect(await put(await found("error")(first))).toEqual([first]);
      }
      await state.leases.release("a");
    });
    test("covers the monitors that are due: new and changed ones at once, the others when it was said", async () => {
      const [first = monitorId(0), second = monitorId(0)] = (await assigned(store, 2)).monitors;
      const due = async (when: number, rests = [0, 1, 2]): Promise<readonly number[]> => {
        const all = await state.states.due(epochMillis(when), { parts: 3, rests }, 100_000);
        return all.filter((id) => id === first || id === second);
      };
      expect(await due(noon)).toEqual([first, second]);
      expect(await due(noon, [first % 3])).toEqual([first]);
      await state.leases.hold("a", ["j8"], seconds(60));
      const row = { status: "active", since: noon, memory: "", generation: 0 } as const;
      await state.states.put("j8", "a", [
        { ...row, monitor: first, judgeAt: slotAfter(2) },
        { ...row, monitor: second, judgeAt: null },
      ]);
      expect(await due(slotAfter(1))).toEqual([]);
      expect(await due(slotAfter(2))).toEqual([first]);
      await state.monitors.update(second, someMonitor());
      expect(await due(noon)).toEqual([second]);
    });
  });

  test("a listener gets a change after it was made", async () => {
    const heard = Promise.withResolvers<Change>();
    using _ = store.onChange((change) => {
      if (change === "credentials") heard.resolve(change);
    });
    const id = keyId(Number(await state.keys.create({ ...someKey, hash: "k3" })));
    await state.keys.revoke(id, noon);
    expect(await heard.promise).toBe("credentials");
  });
  test("a store that works has nothing to complain of", async () => {
    expect(await store.health()).toBeNull();
  });
}
