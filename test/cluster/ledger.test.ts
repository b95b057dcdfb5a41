import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { assigned, openQuietly } from "../service/store/conformance/scene.ts";
import { type CitusCluster, citusPrograms, startCitus } from "./citus-cluster.ts";
import { expectEachOnce, report } from "./reporting-stores.ts";

const programs = citusPrograms();

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
      await expectEachOnce(cluster, database, reporting);
      const count = reporting.acknowledged.size;
      process.stdout.write(`${count} results, ${reporting.faults} refusals\n`);
    },
  );
});
