import { describe, expect, test } from "vitest";
import { isPostgresInstalled, startPostgres } from "../support/postgres-server.ts";
import {
  faultsFor,
  faultsIn,
  faultyScene,
  ledgerAtRest,
  none,
  survive,
} from "./notified-faults.ts";
import { openNotified } from "./notified-scene.ts";

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  test(
    "share the sending, and are killed in turns: each message goes out once",
    { timeout: 480_000 + faultsFor * 2_000 },
    async () => {
      await using server = await startPostgres(true);
      await using scene = await openNotified({
        ...faultyScene,
        replicas: 2,
        database: server.fresh(),
      });
      await Promise.all([scene.start(0), scene.start(1)]);
      await survive(scene, [0, 1]);
      const ledger = await ledgerAtRest(scene, "two replicas on PostgreSQL");
      expect(faultsIn(scene, ledger)).toEqual(none);
    },
  );
});
