import { expect, test } from "vitest";
import { openStore } from "#service/store/open-store";
import { citusPrograms, startCitus } from "./citus-cluster.ts";

const programs = citusPrograms();

test.skipIf(programs === null)(
  "a command distributes no results beneath replicas that run: the next start of the service does",
  async () => {
    await using cluster = await startCitus(programs ?? "");
    const database = await cluster.fresh();
    const distributed = () =>
      cluster.ask(database, "SELECT COUNT(*) FROM pg_dist_partition WHERE partmethod = 'h'");
    for (const [use, some] of [
      ["command", false],
      ["service", true],
    ] as const) {
      await using _store = await openStore({ database, use, onProgress: () => {} });
      expect([use, Number(await distributed()) > 0]).toEqual([use, some]);
    }
  },
);
