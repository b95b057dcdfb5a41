import { expect, test, vi } from "vitest";
import { epochMillis } from "#base/units";
import {
  keepAll,
  partition,
  today,
  yesterday,
} from "../service/store/conformance/packed-yesterday.ts";
import { assigned, openQuietly, period, someResult } from "../service/store/conformance/scene.ts";
import { citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();

test.skipIf(programs === null)(
  "on a cluster of Citus, a day that is packed gives back its room on the workers, and does so once",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    const database = await cluster.fresh();
    await using store = await openQuietly(database);
    const { monitors, append } = await assigned(store, 16);
    for (const monitor of monitors)
      await append(
        ...Array.from({ length: 500 }, (_, index) =>
          someResult(monitor, epochMillis(yesterday + index * period)),
        ),
      );
    while (await store.results.pack(today));
    const bytes = async () =>
      Number(await cluster.ask(database, `SELECT citus_total_relation_size('${partition}')`));
    const tables = () =>
      cluster.ask(
        database,
        `SELECT result FROM run_command_on_shards('${partition}', 'SELECT pg_relation_filenode(''%s'')') ORDER BY shardid`,
      );
    const forget = async () => {
      while (await store.results.forget(keepAll));
    };
    const full = await bytes();
    await vi.waitFor(async () => {
      await forget();
      expect(await bytes()).toBeLessThan(full / 2);
    }, 60_000);
    const emptied = await tables();
    await forget();
    expect(await tables()).toBe(emptied);
  },
);
