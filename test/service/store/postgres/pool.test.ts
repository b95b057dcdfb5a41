import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { millis } from "#base/units";
import type { Connections } from "#service/store/postgres/connections";
import { poolOf } from "#service/store/postgres/pool";
import { storeOver } from "../../../support/file-postgres.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";

describe.skipIf(!isPostgresInstalled())("connections to a PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("end a statement of a call that takes long, and no other one", async () => {
    await using pool = poolOf(server.fresh(), { statementMax: millis(20) });
    const long = "SELECT pg_sleep(0.2)";
    await expect(pool.use((query) => query(long))).rejects.toThrow(/timeout/);
    await pool.use((query) => query(long), "any time");
  });

  test("give a database its shape in any time: results may have to be copied to other servers", async () => {
    const pool = poolOf(server.fresh());
    const used: string[] = [];
    const watched: Connections = {
      ...pool,
      use: (work, takes) =>
        pool.use((query) => {
          const asked: typeof query = (text, values) => {
            if (text.includes("store_steps")) used.push(takes ?? "as a call");
            return query(text, values);
          };
          return work(asked);
        }, takes),
    };
    await using store = await storeOver(watched);
    expect(await store.health()).toBeNull();
    expect(new Set(used)).toEqual(new Set(["any time"]));
  });
});
