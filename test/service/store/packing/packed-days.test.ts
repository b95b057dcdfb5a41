import { afterAll, beforeAll, expect, test } from "vitest";
import type { Connections, Query } from "#service/store/postgres/connections";
import { openPostgres } from "#service/store/postgres/postgres-engine";
import { poolOf } from "#service/store/postgres/pool";
import type { Store } from "#service/store/store";
import { storeOn } from "#service/store/store-calls";
import { epochMillis, hours } from "#base/units";
import { pgliteConnections } from "../../../support/pglite-connections.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";
import { assigned, period, someResult } from "../conformance/scene.ts";

const isServerHere = isPostgresInstalled();
let server: PostgresServer | null = null;
beforeAll(async () => {
  if (isServerHere) server = await startPostgres();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const connections = (): Promise<Connections> =>
  server === null ? pgliteConnections() : Promise.resolve(poolOf(server.fresh()));

const open = async (pool: Connections): Promise<Store> =>
  storeOn(
    await openPostgres(
      pool,
      () => {},
      () => {},
    ),
  );

const [today = ""] = new Date().toISOString().split("T");
const yesterday = Date.parse(today) - hours(12);
const partition = `results_${new Date(yesterday).toISOString().slice(0, 10).replaceAll("-", "")}`;
const never = epochMillis(0);
const keepAll = { details: never, results: never, hours: never, days: never };

async function packYesterday(store: Store): Promise<void> {
  const { append, monitors } = await assigned(store);
  await append(
    ...Array.from({ length: 600 }, (_, index) =>
      someResult(monitors[0]!, yesterday + index * period),
    ),
  );
  while (await store.results.pack(epochMillis(Date.parse(today))));
}

const bytes = async (query: Query): Promise<number> =>
  Number(
    (await query(`SELECT pg_total_relation_size('${partition}') AS bytes`)).rows[0]?.["bytes"],
  );

const cancelled = Object.assign(new Error("canceling statement due to statement timeout"), {
  code: "57014",
});

test("a packed day in which the look for rows takes long stops neither a start nor what forgets old results", async () => {
  const pool = await connections();
  let looks = 0;
  /** Deleted rows that are not vacuumed yet: a server in this process cannot be interrupted, so it says what the real one does. */
  const slow: Connections = {
    ...pool,
    use: (work) =>
      pool.use((query) =>
        work((text, values) => {
          if (!text.startsWith(`SELECT 1 FROM ${partition}`)) return query(text, values);
          looks += 1;
          return server === null ? Promise.reject(cancelled) : query("SELECT pg_sleep(60)");
        }),
      ),
  };
  await using store = await open(slow);
  await packYesterday(store);
  await (await open({ ...slow, [Symbol.asyncDispose]: async () => {} }))[Symbol.asyncDispose]();
  expect(looks).toBe(0);
  while (await store.results.forget(keepAll));
  expect(looks).toBe(1);
  expect(await pool.use(bytes)).toBeGreaterThan(65_536);
  await using later = await open({ ...pool, [Symbol.asyncDispose]: async () => {} });
  while (await later.results.forget(keepAll));
  expect(await pool.use(bytes)).toBeLessThan(65_536);
});

test.skipIf(!isServerHere)(
  "a packed day that another session reads is emptied at a later time",
  async () => {
    const pool = await connections();
    await using store = await open(pool);
    await packYesterday(store);
    await pool.use(async (query) => {
      await query("BEGIN");
      await query(`SELECT COUNT(*) FROM ${partition}`);
      while (await store.results.forget(keepAll));
      expect(await bytes(query)).toBeGreaterThan(65_536);
      await query("COMMIT");
    });
    while (await store.results.forget(keepAll));
    expect(await pool.use(bytes)).toBeLessThan(65_536);
  },
);
