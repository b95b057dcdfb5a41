import type { Query } from "#service/store/postgres/connections";
import { canBeDoneAgain, faultOf, sqlStateOf } from "#service/store/postgres/postgres-fault";
import { hasCitus } from "#service/store/postgres/distribution";
import { integer, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { hours } from "#base/units";

/*
 * Results lie in a partition for each day (UTC) of their slots, so that a day is forgotten by dropping it. A slot that
 * has none, because it is older than what is kept, lies in `results_rest`, and is forgotten row by row.
 */
const day = hours(24);

/**
 * Makes the days around today, and drops those that ended before an instant. Gives the number of today. Once `signal`
 * aborts it makes no further day, and rejects with the signal's reason: each may wait for a lock.
 */
export async function tidyPartitions(
  query: Query,
  resultsBefore: number,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { rows } = await query(
    "SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'results'::regclass",
  );
  const there = new Set(rows.map((row) => text(row, "relname")));
  const [clock] = (
    await query("SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now")
  ).rows;
  const today = Math.floor(integer(clock, "now") / day);
  const oldest = Math.max(Math.floor(resultsBefore / day), today - storeLimits.partitionDaysBack);
  for (let number = oldest; number <= today + storeLimits.partitionDaysAhead; number += 1) {
    signal.throwIfAborted();
    if (!there.has(nameOf(number))) await makeDay(query, number);
  }
  for (const name of there)
    if (isDay(name) && endOf(name) <= resultsBefore)
      await alone(query, `DROP TABLE IF EXISTS ${name}`);
  return today;
}

/**
 * Rows of a day that is packed are deleted; what they leave, its indexes above all, is given back by emptying it. Until
 * they are vacuumed, to look for a row reads all that were deleted: a day for which that is too long waits for a later time.
 */
export async function emptyPackedDays(
  query: Query,
  today: number,
  resultsBefore: number,
): Promise<void> {
  try {
    for (const name of await withRoom(query))
      if (!isDay(name) || (endOf(name) > resultsBefore && endOf(name) <= today * day))
        await emptyIfPacked(query, name);
  } catch (error) {
    if (!isNotNow(error)) throw error;
  }
}

async function emptyIfPacked(query: Query, name: string): Promise<void> {
  await query("BEGIN");
  try {
    // Whoever reads a day for long is not waited for, nor is a long look: questions that come meanwhile would wait as well.
    await query(`SET LOCAL lock_timeout = ${storeLimits.emptyDayLockTimeout}`);
    await query(`SET LOCAL statement_timeout = ${storeLimits.emptyDayStatementTimeout}`);
    if (!(await hasRows(query, name))) {
      await query(`LOCK TABLE ${name} IN ACCESS EXCLUSIVE MODE`);
      // What came late until now.
      if (!(await hasRows(query, name))) await query(`TRUNCATE ${name}`);
    }
    await query("COMMIT");
  } catch (error) {
    await query("ROLLBACK");
    if (!isNotNow(error)) throw error;
  }
}

/** Another session has the day, it took too long, or a worker is away. */
function isNotNow(error: unknown): boolean {
  const soon = ["store_locked", "store_busy", "store_part_away"];
  return soon.includes(faultOf(error)?.code ?? "") || canBeDoneAgain(error);
}

const hasRows = async (query: Query, name: string): Promise<boolean> =>
  (await query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length > 0;

/** The days that are worth it: a table that was emptied has a page for each index. */
async function withRoom(query: Query): Promise<readonly string[]> {
  const { rows } = await query((await hasCitus(query)) ? sizesOnCluster : sizes);
  return rows
    .filter((row) => integer(row, "bytes") > storeLimits.emptyDayBytesMax)
    .map((row) => text(row, "relname"));
}

const sizes = `SELECT relname, pg_total_relation_size(pg_class.oid) AS bytes FROM pg_inherits
  JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'results'::regclass`;
/** Of a day on the workers, what a shard of it takes on average: each is a separate table. */
const sizesOnCluster = `SELECT relname, CASE WHEN shards IS NULL THEN pg_total_relation_size(pg_class.oid)
    ELSE COALESCE(citus_total_relation_size(pg_class.oid, false), 0) / shards END AS bytes
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  LEFT JOIN (SELECT logicalrelid, COUNT(*) AS shards FROM pg_dist_shard GROUP BY logicalrelid) AS placed
    ON logicalrelid = inhrelid WHERE inhparent = 'results'::regclass`;

const nameOf = (number: number): string =>
  `results_${new Date(number * day).toISOString().slice(0, 10).replaceAll("-", "")}`;
const isDay = (name: string): boolean => /^results_\d{8}$/.test(name);
const endOf = (name: string): number =>
  Date.parse(name.replace(/^results_(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3T00:00:00Z")) + day;

const makeDay = (query: Query, number: number): Promise<void> =>
  alone(
    query,
    `CREATE TABLE IF NOT EXISTS ${nameOf(number)} PARTITION OF results FOR VALUES FROM (${number * day}) TO (${(number + 1) * day})`,
  );

/** Another replica may do the same now, or rows of that day lie in the rest: then it stays as it is until the next time. */
async function alone(query: Query, statement: string): Promise<void> {
  try {
    await query(statement);
  } catch (error) {
    const harmless = ["23505", "23514", "42P07", "55P03"];
    if (!harmless.includes(sqlStateOf(error)) && !canBeDoneAgain(error)) throw error;
  }
}
