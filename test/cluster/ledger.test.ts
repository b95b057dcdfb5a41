import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import {
  type Assigned,
  assigned,
  openQuietly,
  period,
  slotAfter,
  someResult,
} from "../service/store/conformance/scene.ts";
import { type CitusCluster, citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();

/** What two replicas report without a pause until they are ended: a batch is sent until all of it is acknowledged. */
interface Reporting extends AsyncDisposable {
  /** Acknowledged results of each round, all monitors together. */
  readonly acknowledged: Set<string>;
  /** Results that were said to be stored, and were acknowledged before. */
  readonly twice: string[];
  readonly faults: number;
}

function report(stores: readonly Store[], { location, monitors }: Assigned): Reporting {
  const ended = new AbortController();
  const acknowledged = new Set<string>();
  const twice: string[] = [];
  let [round, faults] = [0, 0];
  const send = async (store: Store, own: number): Promise<boolean> => {
    const results = monitors
      .filter((monitor) => !acknowledged.has(`${monitor} ${own}`))
      .map((monitor) => someResult(monitor, slotAfter(own)));
    try {
      const receipts = await store.results.append({ location, storedAt: slotAfter(own), results });
      for (const [index, { kind }] of receipts.entries()) {
        const key = `${results[index]?.monitor} ${own}`;
        if (kind === "later") faults += 1;
        else if (acknowledged.has(key)) twice.push(key);
        else acknowledged.add(key);
      }
      return receipts.every(({ kind }) => kind !== "later");
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      faults += 1;
      return false;
    }
  };
  const running = stores.map(async (store) => {
    while (!ended.signal.aborted) {
      const own = (round += 1);
      while (!(await send(store, own))) await wait(100);
    }
  });
  return {
    acknowledged,
    twice,
    get faults() {
      return faults;
    },
    [Symbol.asyncDispose]: async () => {
      ended.abort();
      await Promise.all(running);
    },
  };
}

/** Every acknowledged result is there once, and is counted once in all that is made of results. */
describe.skipIf(programs === null)("a ledger of two replicas on a cluster", () => {
  let cluster: CitusCluster;
  beforeAll(async () => {
    cluster = await startCitus(programs ?? "");
  });
  afterAll(() => cluster[Symbol.asyncDispose]());

  type Fault = (database: string) => Promise<void>;
  const faults: Readonly<Record<string, Fault>> = {
    "a worker is killed twice": async () => {
      for (const pause of [500, 2_500]) {
        await cluster.killWorker();
        await wait(pause);
        await cluster.startWorker();
        await wait(1_000);
      }
    },
    "the coordinator is stopped, ended at once, and killed": async () => {
      for (const signal of ["SIGINT", "SIGQUIT", "SIGKILL"] as const) {
        await cluster.endCoordinator(signal);
        await wait(300);
        await cluster.startCoordinator();
        await wait(1_000);
      }
    },
    "a worker is added and shards are moved to it": async (database) => {
      await cluster.addWorker(database);
      await cluster.ask(
        database,
        "SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')",
      );
      const state = "SELECT state FROM citus_rebalance_status()";
      await vi.waitFor(async () => expect(await cluster.ask(database, state)).toBe("finished"), {
        timeout: 200_000,
        interval: 500,
      });
      const servers = "SELECT COUNT(DISTINCT groupid) FROM pg_dist_placement WHERE groupid > 0";
      expect(await cluster.ask(database, servers)).toBe("3");
    },
  };

  test.each(Object.entries(faults))(
    "loses nothing and stores nothing twice while %s",
    { timeout: 300_000 },
    async (_what, fault) => {
      const database = await cluster.fresh();
      await using one = await openQuietly(database);
      await using other = await openQuietly(database);
      const scene = await assigned(one, 60);
      const reporting = report([one, other], scene);
      await vi.waitFor(() => expect(reporting.acknowledged.size).toBeGreaterThan(120), 100_000);
      await fault(database);
      const before = reporting.acknowledged.size;
      await vi.waitFor(
        () => expect(reporting.acknowledged.size).toBeGreaterThan(before + 120),
        100_000,
      );
      await reporting[Symbol.asyncDispose]();
      const count = reporting.acknowledged.size;
      const ask = (statement: string): Promise<string> => cluster.ask(database, statement);
      // What a worker has prepared and was not told to commit is committed within a minute.
      await ask("SELECT recover_prepared_transactions()");
      const stored = await ask(
        `SELECT monitor, (slot - ${slotAfter(0)}) / ${period} AS round FROM results`,
      );
      expect(new Set(stored.split("\n")).symmetricDifference(reporting.acknowledged)).toEqual(
        new Set(),
      );
      expect(reporting.twice).toEqual([]);
      expect(await ask("SELECT COUNT(*) FROM results")).toBe(String(count));
      expect(await ask("SELECT SUM(success) AS a, SUM(kept) AS b FROM series")).toBe(
        `${count} ${count}`,
      );
      for (const table of ["hourly", "daily"])
        expect(await ask(`SELECT SUM(success) FROM ${table}`)).toBe(String(count));
      process.stdout.write(`${count} results, ${reporting.faults} refusals\n`);
    },
  );
});
