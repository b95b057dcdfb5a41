import { readFileSync } from "node:fs";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { systemClock } from "#base/clock";
import { hours, millis, nanos, seconds } from "#base/units";
import { openStore } from "#service/store/open-store";
import type { Connections } from "#service/store/postgres/connections";
import { poolOf } from "#service/store/postgres/pool";
import { storeOver } from "../../../support/file-postgres.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";

const never = new AbortController().signal;

/** One statement of the migrations takes so long from now on. */
const slowSchema = (takes: number): string => `
  CREATE FUNCTION wait_for_index() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
    IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'public.states_by_judge_at')
    THEN PERFORM pg_sleep(${takes}); END IF; END $$;
  CREATE EVENT TRIGGER slow ON ddl_command_end WHEN TAG IN ('CREATE INDEX') EXECUTE FUNCTION wait_for_index();`;

const statements = async (pool: Connections, like: string): Promise<number> => {
  const asked = "SELECT 1 FROM pg_stat_activity WHERE query LIKE $1 AND state = 'active'";
  return (await pool.use((query) => query(`${asked} AND pid <> pg_backend_pid()`, [like]))).rows
    .length;
};

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
    await pool.useLong((query) => query(long), never);
  });

  test("give a database its shape in any time: results may have to be copied to other servers", async () => {
    const database = server.fresh();
    await using admin = poolOf(database);
    await admin.use((query) => query(slowSchema(1.5)));
    await using store = await storeOver(poolOf(database, { statementMax: seconds(1) }));
    expect(await store.health()).toBeNull();
  });

  test("are cut off in the middle of a statement without an end, and the server ends it and lets go of its locks", async () => {
    const database = server.fresh();
    await using pool = poolOf(database);
    await pool.use((query) => query(slowSchema(1_000)));
    const stop = new AbortController();
    const opening = openStore({
      database,
      use: "service",
      onProgress: () => {},
      signal: stop.signal,
    });
    await vi.waitFor(async () => expect(await statements(pool, "CREATE INDEX%")).toBe(1), 20_000);
    const why = new Error("SIGTERM");
    stop.abort(why);
    await expect(opening).rejects.toBe(why);
    await vi.waitFor(async () => expect(await statements(pool, "CREATE INDEX%")).toBe(0), 20_000);
    const stopped = new AbortController();
    stopped.abort(why);
    await expect(pool.useLong((query) => query("SELECT 1"), stopped.signal)).rejects.toBe(why);
  });

  test("ask a server that is silent whether its machine is there, long before a system would by itself", async () => {
    const database = new URL(server.fresh());
    const socket = `${database.searchParams.get("host") ?? ""}/.s.PGSQL.5432`;
    const relay = createServer((near) => {
      const far = connect(socket);
      near.pipe(far).pipe(near);
      far.on("error", () => near.destroy());
      near.on("error", () => far.destroy());
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void relay.close());
    await once(relay, "listening");
    const { port } = relay.address() as AddressInfo;
    const url = `postgres://picket@127.0.0.1:${port}${database.pathname}`;
    await using pool = poolOf(url);
    // What its timer is for (2: keepalive), and hundredths of seconds until it rings.
    const timer = () => {
      const far = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
      const sockets = readFileSync("/proc/net/tcp", "utf8").split("\n");
      const [, , , , , timers = ""] =
        sockets
          .map((line) => line.trim().split(/\s+/))
          .find(([, , remote, state]) => remote === far && state === "01") ?? [];
      const [kind, rings = ""] = timers.split(":");
      return { kind, isSoon: Number.parseInt(rings, 16) <= 1_000 };
    };
    const soon = { kind: "02", isSoon: true };
    const looks = async () => {
      await vi.waitFor(() => expect(timer()).toEqual(soon));
    };
    await pool.useLong(looks, never);
    await pool.use(looks);
  });

  test("wait for another replica that gives the database its shape, say so once, and not without end; a command does not wait so long", async () => {
    const database = server.fresh();
    const opened = await openStore({ database, use: "service", onProgress: () => {} });
    await opened[Symbol.asyncDispose]();
    await using other = poolOf(database);
    await other.use(async (query) => {
      await query("SET idle_in_transaction_session_timeout = 0");
      await query("BEGIN");
      await query("UPDATE store_steps SET done = done");
      const later = vi.spyOn(systemClock, "monotonic");
      const start = systemClock.monotonic();
      later.mockReturnValueOnce(start).mockReturnValue(nanos(start + hours(1) * 1e6));
      const late = openStore({ database, use: "service", onProgress: () => {} });
      await expect(late).rejects.toMatchObject({ code: "store_locked" });
      later.mockRestore();
      const command = openStore({ database, use: "command", onProgress: () => {} });
      await expect(command).rejects.toMatchObject({ code: "store_locked" });
      const said: string[] = [];
      const onProgress = (sentence: string): void => void said.push(sentence);
      const opening = openStore({ database, use: "service", onProgress });
      await vi.waitFor(() => expect(said).toHaveLength(1), 20_000);
      await query("COMMIT");
      await using store = await opening;
      expect(await store.health()).toBeNull();
      expect(said).toEqual([
        "another replica gives the database its new shape, or distributes its results: this one waits until that is done",
      ]);
    });
  });
});
