import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { minutes } from "#base/units";
import { poolOf } from "#service/store/postgres/pool";
import type { NewMaintenance } from "#service/store/maintenance-store";
import type { Change, Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { endedHolder, endedHolderOf } from "./conformance/ended-holder.ts";
import { killedAt } from "./conformance/kill.ts";
import { assigned, openQuietly, slotAfter, someMonitor, someResult } from "./conformance/scene.ts";

const plannedWork: NewMaintenance = {
  title: "update",
  message: "",
  from: slotAfter(1),
  to: slotAfter(2),
  recurrence: "",
  timeZone: "UTC",
  page: "1",
  components: [],
  monitors: [],
  locations: [],
  owner: "",
  notify: false,
  at: slotAfter(0),
};

describe.skipIf(!isPostgresInstalled())("replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  const open = openQuietly;

  test("start together on a database that is new, and agree on the installation", async () => {
    const database = server.fresh();
    const replicas = await Promise.all([open(database), open(database), open(database)]);
    const ids = await Promise.all(
      replicas.map(async ({ state }) => (await state.settings.all()).get("installation")),
    );
    expect(new Set(ids).size).toBe(1);
    await Promise.all(replicas.map((one) => one[Symbol.asyncDispose]()));
  });
  test("hear of each other's changes", async () => {
    const database = server.fresh();
    await using one = await open(database);
    await using other = await open(database);
    const heard: Change[] = [];
    const waiting = new Map<Change, () => void>();
    using _ = other.onChange((change) => {
      heard.push(change);
      waiting.get(change)?.();
    });
    const next = (change: Change): Promise<void> =>
      new Promise((resolve) => void waiting.set(change, resolve));
    // Once it listens, it says that everything may have changed.
    if (!heard.includes("results")) await next("results");
    heard.length = 0;
    const both = Promise.all([next("assignments"), next("objects")]);
    const monitor = await one.state.monitors.create(someMonitor());
    await both;
    expect(heard.toSorted()).toEqual(["assignments", "objects"]);
    heard.length = 0;
    const released = next("objects");
    await one.configuration.own("monitor", monitor, "files", "");
    await released;
    heard.length = 0;
    // A status page that it keeps shows planned work at once.
    const page = next("pages");
    await one.alerts.maintenances.create(plannedWork, false);
    await page;
    expect(heard).toContain("states");
  });
  test("that take results of one location at once add all of them up", async () => {
    const database = server.fresh();
    await using one = await open(database);
    await using other = await open(database);
    const { location, monitors } = await assigned(one, 5);
    const send = (store: Store, round: number): Promise<unknown> =>
      store.results.append({
        location,
        storedAt: slotAfter(round),
        results: monitors.map((monitor) => someResult(monitor, slotAfter(round))),
      });
    // Eight at a time: a batch that waits longer than its lock's limit is refused, and its agent sends it again.
    for (let round = 0; round < 40; round += 8)
      await Promise.all(
        Array.from({ length: 8 }, (_, n) => send(n % 2 === 0 ? one : other, round + n)),
      );
    const totals = await one.results.totals(location, monitors);
    expect(totals.map(({ success }) => success)).toEqual([40, 40, 40, 40, 40]);
    const asked = {
      monitors,
      location,
      grain: "day",
      from: slotAfter(-9_999),
      to: slotAfter(9_999),
    } as const;
    const days = await other.results.buckets(asked);
    expect(days.map(({ success }) => success)).toEqual([40, 40, 40, 40, 40]);
  });
  test("a replica that is killed in the middle of a batch has lost nothing that it acknowledged", async () => {
    const { acknowledged, stored, counted } = await killedAt(server.fresh());
    expect(acknowledged).toBeGreaterThanOrEqual(30);
    expect(stored).toBeGreaterThanOrEqual(acknowledged);
    expect(counted).toEqual(new Set([stored]));
  });
  test("what a replica had that is killed is another's at once, whatever its leases say", async () => {
    expect(await endedHolderOf(server.fresh())).toEqual(endedHolder);
  });
  test("one whose session is lost has its leases no more, and says nothing by them", async () => {
    const database = server.fresh();
    await using one = await open(database);
    await using other = await open(database);
    const monitor = await one.state.monitors.create(someMonitor());
    const hold = (store: Store, holder: string) =>
      store.state.leases.hold(holder, ["judge"], minutes(60));
    await using pool = poolOf(database);
    const ask = async (text: string): Promise<readonly unknown[]> =>
      (await pool.use((query) => query(text))).rows;
    const hasSession = "SELECT 1 FROM replicas WHERE holder = 'one' AND session IS NOT NULL";
    await expect
      .poll(async () => {
        await hold(one, "one");
        return (await ask(hasSession)).length;
      })
      .toBe(1);
    expect(await hold(other, "other")).toEqual([]);
    // It listens again after some seconds.
    const endSession = `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN replicas ON objid = session
      WHERE locktype = 'advisory' AND holder = 'one'`;
    await expect
      .poll(async () => {
        await ask(endSession);
        return hold(other, "other");
      })
      .toEqual(["judge"]);
    const row = {
      monitor,
      status: "error",
      since: slotAfter(0),
      judgeAt: slotAfter(0),
      memory: "{}",
      generation: 0,
    } as const;
    expect(await one.state.states.put("judge", "one", [row])).toEqual([]);
    expect(await hold(one, "one")).toEqual([]);
  });
  test("one without a session, as of an older version, has its leases until these end", async () => {
    const database = server.fresh();
    await using one = await open(database);
    await one.state.leases.hold("older", ["judge"], minutes(60));
    await using pool = poolOf(database);
    await pool.use((query) => query("UPDATE replicas SET session = NULL"));
    expect(await one.state.leases.hold("other", ["judge"], minutes(60))).toEqual([]);
    expect(await one.state.leases.holders(minutes(60))).toEqual(["older", "other"]);
  });
  test("a PostgreSQL that is away is a fault with a sentence, without the password, and no more", async () => {
    const away = "postgres://picket:hunter2@127.0.0.1:1/picket";
    const fault: unknown = await open(away).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StoreFault);
    expect(fault).toMatchObject({ code: "store_unreachable" });
    expect(String(fault)).not.toContain("hunter2");
  });
});
