import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { databaseFindings } from "#cli/service/database-findings";
import { poolOf } from "#service/store/postgres/pool";
import { endedHolder, endedHolderOf } from "../conformance/ended-holder.ts";
import { assigned, noon, openQuietly, someResult } from "../conformance/scene.ts";
import { isPgBouncerInstalled, startPgBouncer } from "../../../support/pgbouncer.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";

const isInstalled = [isPostgresInstalled(), isPgBouncerInstalled()].every((is) => is);

describe.skipIf(!isInstalled)("behind PgBouncer", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("as it is set up by default, a store works, has its limits, and what a killed replica had is another's at once", async () => {
    await using pooler = await startPgBouncer(server.fresh(), "session");
    const { database } = pooler;
    expect(await endedHolderOf(database)).toEqual(endedHolder);
    await using store = await openQuietly(database);
    const { append, monitors } = await assigned(store, 2);
    const results = monitors.map((one) => someResult(one, noon));
    expect(await append(...results)).toEqual(["accepted", "accepted"]);
    expect(await append(...results)).toEqual(["duplicate", "duplicate"]);
    await using pool = poolOf(database);
    const limits = await pool.use((query) =>
      query(
        "SELECT setting FROM pg_settings WHERE name IN ('lock_timeout', 'statement_timeout') ORDER BY name",
      ),
    );
    expect(limits.rows).toEqual([{ setting: "5000" }, { setting: "15000" }]);
    expect((await databaseFindings(database)).map(({ level }) => level)).toEqual(["fine"]);
  });

  test("with a session for each transaction, neither a store opens nor is the doctor content, and both say what to set", async () => {
    await using pooler = await startPgBouncer(server.fresh(), "transaction");
    const { database } = pooler;
    const next = "set pool_mode = session in PgBouncer, or connect to PostgreSQL directly";
    await expect(openQuietly(database)).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringMatching(`^a pooler gives each transaction .*: ${next}$`),
    });
    expect(await databaseFindings(database)).toMatchObject([{ level: "failed", next }]);
  });
});
