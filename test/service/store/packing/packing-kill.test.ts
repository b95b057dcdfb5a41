import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import type { ListedResult } from "#service/store/result-store";
import { poolOf } from "#service/store/postgres/pool";
import type { Store } from "#service/store/store";
import { integer, type Row } from "#service/store/sql";
import { epochMillis } from "#base/units";
import { isPostgresInstalled, startPostgres } from "../../../support/postgres-server.ts";
import { packAll } from "../conformance/packing.ts";
import {
  assigned,
  type Assigned,
  failing,
  noon,
  openQuietly,
  slotAfter,
  someResult,
} from "../conformance/scene.ts";

const isServerHere = isPostgresInstalled();
const folder = mkdtempSync(path.join(tmpdir(), "picket-packing-kill-"));
afterAll(() => rmSync(folder, { recursive: true }));

const perMonitor = 25_000;
const end = slotAfter(perMonitor + 500);
const program = path.resolve(import.meta.dirname, "../../../support/packing-process.ts");

/** What a database holds past the store's own calls. */
type Ask = (text: string) => Promise<readonly Row[]>;

test("100,000 results of a SQLite file are all there once after each kill in the middle of packing", async () => {
  const database = path.join(folder, "picket.db");
  const ask: Ask = async (text) => {
    using beside = new DatabaseSync(database);
    return beside.prepare(text).all();
  };
  const numbers = `WITH RECURSIVE numbers (n) AS
    (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${perMonitor - 1})`;
  expect(await packedThroughKills(database, ask, (rows) => `${numbers} ${rows}`)).toEqual(
    receiptKinds,
  );
});

test.skipIf(!isServerHere)(
  "100,000 results on PostgreSQL are all there once after each kill in the middle of packing",
  async () => {
    await using server = await startPostgres();
    const database = server.fresh();
    await using pool = poolOf(database);
    const ask: Ask = (text) => pool.use(async (query) => (await query(text)).rows);
    const numbers = `WITH numbers AS (SELECT * FROM generate_series(1, ${perMonitor - 1}) AS n)`;
    expect(await packedThroughKills(database, ask, (rows) => `${numbers} ${rows}`)).toEqual(
      receiptKinds,
    );
  },
);

/** What a result that comes again is, and one that comes late, for each of four monitors. */
const receiptKinds = Array.from({ length: 4 }, () => ["duplicate", "accepted"]).flat();

/** A database as it was before results were packed, which a process packs until it is killed, again and again. */
async function packedThroughKills(
  database: string,
  ask: Ask,
  withNumbers: (rows: string) => string,
): Promise<readonly string[]> {
  const { office, before } = await filled(database, ask, withNumbers);
  // Results are packed by 52 portions, then details by 7.
  for (const portions of [3, 9, 44]) {
    await killedAfter(portions, database);
    const [loose] = await ask("SELECT COUNT(*) AS count FROM results");
    const [packed] = await ask("SELECT SUM(count) AS count FROM packed_results");
    expect(integer(packed, "count")).toBeGreaterThan(portions * 500);
    expect(integer(loose, "count") + integer(packed, "count")).toBe(perMonitor * 4);
    await using store = await openQuietly(database);
    expect(await allOf(store, office)).toEqual(before);
  }
  for (const table of ["result_details", "packed_details"])
    expect(await ask(`SELECT monitor FROM ${table} LIMIT 1`)).toHaveLength(1);
  await using store = await openQuietly(database);
  await packAll(store, end);
  for (const table of ["results", "result_details"])
    expect(
      await ask(`SELECT monitor FROM ${table} WHERE slot < ${slotAfter(perMonitor - 1_000)}`),
    ).toEqual([]);
  expect(await allOf(store, office)).toEqual(before);
  const { location, monitors } = office;
  const [again, late] = [slotAfter(7), epochMillis(slotAfter(7) + 1)];
  const results = monitors.flatMap((monitor) => [
    someResult(monitor, again),
    someResult(monitor, late),
  ]);
  const receipts = await store.results.append({ location, storedAt: end, results });
  return receipts.map(({ kind }) => kind);
}

async function filled(
  database: string,
  ask: Ask,
  withNumbers: (rows: string) => string,
): Promise<{ readonly office: Assigned; readonly before: readonly ListedResult[] }> {
  await using store = await openQuietly(database);
  const office = await assigned(store, 4);
  await office.append(
    ...office.monitors.map((monitor, index) =>
      someResult(monitor, noon, index === 0 ? failing : {}),
    ),
  );
  await ask(
    withNumbers(`INSERT INTO results SELECT monitor, location, slot + n * 30000, status, latency + n % 17, started,
      status_code, failure, stored + n % 500, phases, attempts, asked FROM results, numbers`),
  );
  await ask(
    withNumbers(`INSERT INTO result_details SELECT monitor, location, slot + n * 30000, 'detail ' || n, payload
      FROM result_details, numbers WHERE n % 10 = 0`),
  );
  await ask(`UPDATE series SET kept = ${perMonitor}`);
  return { office, before: await allOf(store, office) };
}

async function killedAfter(portions: number, database: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, database, String(end)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const exited = once(child, "exit");
  for await (const line of createInterface({ input: child.stdout }))
    // It is in the middle of the next portion.
    if (Number(line) === portions) child.kill("SIGKILL");
  expect(await exited).toEqual([null, "SIGKILL"]);
}

async function allOf(store: Store, { monitors }: Assigned): Promise<readonly ListedResult[]> {
  const all: ListedResult[] = [];
  for (const monitor of monitors) {
    const { results } = await store.results.window({
      monitor,
      location: null,
      from: epochMillis(0),
      to: end,
      order: "oldest first",
      cursor: null,
      skip: 0,
      limit: perMonitor + 1,
    });
    all.push(...results);
  }
  return all;
}
