import { expect, test } from "vitest";
import type { Connections, Query } from "#service/store/postgres/connections";
import type { Store } from "#service/store/store";
import { filePostgres, storeOver } from "../../../support/file-postgres.ts";
import { keepAll, never, partition, today, yesterday } from "../conformance/packed-yesterday.ts";
import { assigned, period, someResult } from "../conformance/scene.ts";

const { isServer, connections } = filePostgres();

async function filledYesterday(store: Store) {
  const { append, monitors } = await assigned(store);
  const results = Array.from({ length: 600 }, (_, index) =>
    someResult(monitors[0]!, yesterday + index * period),
  );
  await append(...results);
  return { append, monitor: monitors[0]!, results };
}

async function packYesterday(store: Store): Promise<void> {
  await filledYesterday(store);
  while (await store.results.pack(today));
}

const bytes = async (query: Query): Promise<number> =>
  Number(
    (await query(`SELECT pg_total_relation_size('${partition}') AS bytes`)).rows[0]?.["bytes"],
  );

test("a day of results that is packed takes no room any more, and what comes late still has its place", async () => {
  const pool = await connections();
  await using store = await storeOver(pool);
  const { append, monitor, results } = await filledYesterday(store);
  const before = await pool.use(bytes);
  while (await store.results.pack(today));
  while (await store.results.forget(keepAll));
  expect(before).toBeGreaterThan(65_536);
  expect(await pool.use(bytes)).toBeLessThan(65_536);
  expect(await append(someResult(monitor, yesterday + 1), results[1]!)).toEqual([
    "accepted",
    "duplicate",
  ]);
  const key = { monitor, location: null, from: never, to: today };
  const asked = { ...key, order: "oldest first", cursor: null, skip: 0, limit: 1_000 } as const;
  expect((await store.results.window(asked)).results).toHaveLength(601);
});

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
          return !isServer ? Promise.reject(cancelled) : query("SELECT pg_sleep(60)");
        }),
      ),
  };
  await using store = await storeOver(slow);
  await packYesterday(store);
  await (
    await storeOver({ ...slow, [Symbol.asyncDispose]: async () => {} })
  )[Symbol.asyncDispose]();
  expect(looks).toBe(0);
  while (await store.results.forget(keepAll));
  expect(looks).toBe(1);
  expect(await pool.use(bytes)).toBeGreaterThan(65_536);
  await using later = await storeOver({ ...pool, [Symbol.asyncDispose]: async () => {} });
  while (await later.results.forget(keepAll));
  expect(await pool.use(bytes)).toBeLessThan(65_536);
});

test.skipIf(!isServer)(
  "a packed day that another session reads is emptied at a later time",
  async () => {
    const pool = await connections();
    await using store = await storeOver(pool);
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
