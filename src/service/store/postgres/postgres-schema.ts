import { randomUUIDv7 } from "node:crypto";
import { systemClock } from "#base/clock";
import { nanos, nanosToMillis } from "#base/units";
import * as storeLimits from "#limits/store-limits";
import { migrations } from "#service/store/migrations";
import { statementsOf } from "#service/store/sql";
import { distribute } from "#service/store/postgres/distribution";
import type { Query } from "#service/store/postgres/connections";
import { faultOf, sqlStateOf } from "#service/store/postgres/postgres-fault";
import { roleRights } from "#service/store/postgres/role-rights";
import { integer } from "#service/store/sql";
import { StoreFault } from "#service/store/store-fault";

const versionMin = 150_000;

/**
 * Brings a database to the newest shape, and says how far it is where that is an old one; replicas that start together
 * do it one after the other. A cluster's results are distributed if `isService`: that may take minutes, and a command
 * that ends before would leave locks beneath replicas that run.
 */
export async function migrate(
  query: Query,
  say: (sentence: string) => void,
  isService: boolean,
): Promise<void> {
  const [version] = (await query("SELECT current_setting('server_version_num')::bigint AS version"))
    .rows;
  if (integer(version, "version") < versionMin)
    throw new StoreFault("unsupported", "PostgreSQL is older than 15: update it");
  const { missing } = await roleRights(query);
  if (missing !== null) throw new StoreFault("store_forbidden", `${missing.says}: ${missing.next}`);
  await makeSteps(query);
  const done = await beginAlone(query, say, isService);
  try {
    await doSteps(query, done, say);
    if (isService) await distribute(query, say);
    await query("COMMIT");
  } catch (error) {
    await query("ROLLBACK");
    throw error;
  }
}

/**
 * Begins a transaction that no other replica has, and gives the steps that are done. Another one may copy all results: a
 * service waits for that, and a command only as long as for any lock.
 */
async function beginAlone(
  query: Query,
  say: (sentence: string) => void,
  isService: boolean,
): Promise<number> {
  const began = systemClock.monotonic();
  for (let attempt = 1; ; attempt += 1) {
    await query("BEGIN");
    try {
      const { rows } = await query("SELECT done FROM store_steps WHERE id = 1 FOR UPDATE");
      return integer(rows[0], "done");
    } catch (error) {
      await query("ROLLBACK");
      const waited = nanosToMillis(nanos(systemClock.monotonic() - began));
      const canWait = isService && waited < storeLimits.otherStartMax;
      if (faultOf(error)?.code !== "store_locked" || !canWait) throw error;
      if (attempt === 1) say(otherStarts);
    }
  }
}

const otherStarts =
  "another replica gives the database its new shape, or distributes its results: this one waits until that is done";

async function makeSteps(query: Query): Promise<void> {
  try {
    await query(
      "CREATE TABLE IF NOT EXISTS store_steps (id BIGINT PRIMARY KEY, done BIGINT NOT NULL)",
    );
  } catch (error) {
    // Another replica made it at the same instant: its row in a catalogue, the table, or the type of the table's rows.
    if (!["23505", "42P07", "42710"].includes(sqlStateOf(error))) throw error;
  }
  // One that is there is not waited for, if another replica changes it now.
  await query(
    `INSERT INTO store_steps (id, done) SELECT 1, 0 WHERE NOT EXISTS (SELECT FROM store_steps)
     ON CONFLICT DO NOTHING`,
  );
}

async function doSteps(query: Query, done: number, say: (sentence: string) => void): Promise<void> {
  if (done > migrations.length)
    throw new StoreFault(
      "store_broken",
      `the database was written by a newer Picket (step ${done}, this one knows ${migrations.length}): run that one`,
    );
  for (const [index, step] of migrations.entries()) {
    if (index < done) continue;
    if (done > 0) say(`the database gets its new shape: step ${index + 1} of ${migrations.length}`);
    for (const statement of statementsOf(step, "postgres")) await query(statement);
  }
  if (done === 0) {
    await query("CREATE TABLE results_rest PARTITION OF results DEFAULT");
    await query("INSERT INTO settings (name, value) VALUES ('installation', $1)", [randomUUIDv7()]);
  }
  await query("UPDATE store_steps SET done = $1 WHERE id = 1", [migrations.length]);
}
