import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change, Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { killedAt } from "./conformance/kill.ts";
import { assigned, openQuietly, slotAfter, someMonitor, someResult } from "./conformance/scene.ts";

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
    await one.state.monitors.create(someMonitor());
    await next("assignments");
    expect(heard).toEqual(["assignments"]);
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
  test("a PostgreSQL that is away is a fault with a sentence, without the password, and no more", async () => {
    const away = "postgres://picket:hunter2@127.0.0.1:1/picket";
    const fault: unknown = await open(away).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StoreFault);
    expect(fault).toMatchObject({ code: "store_unreachable" });
    expect(String(fault)).not.toContain("hunter2");
  });
});
