import * as storeLimits from "#limits/store-limits";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import {
  type Bucket,
  type Grain,
  grains,
  type NewResult,
  type Rollup,
} from "#service/store/result-store";
import {
  addResults,
  beginOf,
  emptyRollup,
  grainLength,
  type Overlap,
  withoutOverlaps,
} from "#service/store/rollup";
import {
  allAmong,
  blob,
  insertRows,
  integer,
  keyLists,
  marksOf,
  type Row,
  type Sql,
  type SqlValue,
} from "#service/store/sql";
import { epochMillis, type EpochMillis, millis } from "#base/units";

export const rollupTables: Readonly<Record<Grain, string>> = { hour: "hourly", day: "daily" };

/** The buckets of some monitors that begin in `from` (included) to `to`. */
interface BucketRange {
  readonly grain: Grain;
  readonly monitors: readonly MonitorId[];
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/**
 * What is asked of the rows of these buckets: `SELECT … FROM …`, the conditions behind the keys, and their values. A row of
 * several monitors says which one it is of.
 */
interface BucketQuestion {
  readonly select: string;
  readonly rest: string;
  readonly values?: readonly SqlValue[];
  /** Its rows are of many monitors each, in lists: who asks leaves those out that it did not ask for. */
  readonly isJoined?: true;
}

/**
 * Looks up the rows of each bucket and monitor: a bucket after the other, or a monitor after the other if they are fewer.
 * On a cluster those of a month are asked of the servers of these monitors alone: another one that is away is not in their way.
 */
export async function rowsOfBuckets(
  sql: Sql,
  range: BucketRange,
  question: BucketQuestion,
): Promise<readonly Row[]> {
  const { monitors } = range;
  const { select, rest, values } = question;
  if (monitors.length === 0) return [];
  const buckets = await bucketsBetween(sql, range);
  const found: Row[] = [];
  // Not by spreading: a call has no room for the rows of many locations.
  const add = (rows: readonly Row[]): void => {
    for (const row of rows) found.push(row);
  };
  // Of few, the shorter of the two: an overview asks today's bucket of hundreds of monitors.
  if (monitors.length === 1 || (isFew(range) && monitors.length <= buckets.length)) {
    const asked = `${select} WHERE monitor = ? AND bucket IN (*)${rest}`;
    for (const monitor of monitors) add(await allAmong(sql, asked, [monitor], buckets, values));
  } else {
    for (const some of keyLists(sql, buckets, bucketsAtOnce(sql, monitors.length)))
      add(await rowsInBuckets(sql, some, monitors, question));
  }
  return found;
}

/** SQLite reads the range of monitors in each bucket if they lie next to each other: to look up each takes twice as long. */
async function rowsInBuckets(
  sql: Sql,
  buckets: readonly SqlValue[],
  monitors: readonly MonitorId[],
  { select, rest, values = [], isJoined }: BucketQuestion,
): Promise<readonly Row[]> {
  const asked = `${select} WHERE bucket IN (${marksOf(buckets)}) AND monitor`;
  const [first, last] = [Math.min(...monitors), Math.max(...monitors)];
  const wanted = new Set<number>(monitors);
  const others = 1 - wanted.size / (last - first + 1);
  if (sql.words.engine === "postgres" || others > storeLimits.othersInRangeShareMax)
    return allAmong(sql, `${asked} IN (*)${rest}`, buckets, monitors, values);
  const range = [...buckets, first, last, ...values];
  const rows = await sql.all(`${asked} BETWEEN ? AND ?${rest}`, range);
  return isJoined === true ? rows : rows.filter((row) => wanted.has(integer(row, "monitor")));
}

/**
 * SQLite has a row a group of all of them. PostgreSQL would sooner read a whole table of some hundred thousand rows than
 * look up the keys of several buckets in it, so there it is one after the other.
 */
const bucketsAtOnce = ({ words }: Sql, monitors: number): number =>
  words.engine === "postgres"
    ? 1
    : Math.max(1, Math.floor(storeLimits.bucketsAskedAtOnce / monitors));

/** Those of which there may be rows. Which there are at all is asked of all servers, and of a long time alone. */
async function bucketsBetween(sql: Sql, range: BucketRange): Promise<readonly EpochMillis[]> {
  const { grain, from, to } = range;
  const length = grainLength[grain];
  const isShort = (to - from) / length <= storeLimits.bucketsTriedMax || isFew(range);
  const bounds = isShort ? { first: from, last: to } : await boundsOf(sql, grain);
  const first = Math.ceil(Math.max(from, bounds.first) / length) * length;
  const last = Math.min(to - 1, bounds.last);
  const count = Math.max(0, Math.floor((last - first) / length) + 1);
  return Array.from({ length: count }, (_, index) => epochMillis(first + index * length));
}

const isFew = ({ grain, monitors, from, to }: BucketRange): boolean =>
  (monitors.length * (to - from)) / grainLength[grain] <= storeLimits.bucketsNamedMax;

async function boundsOf(
  sql: Sql,
  grain: Grain,
): Promise<{ readonly first: number; readonly last: number }> {
  const [bounds] = await sql.all(
    `SELECT MIN(bucket) AS first, MAX(bucket) AS last FROM ${rollupTables[grain]}`,
  );
  return { first: integer(bounds, "first"), last: integer(bounds, "last") };
}

/** What two results of a monitor both stand for. */
export interface SeriesOverlap extends Overlap {
  readonly monitor: MonitorId;
}

/** Adds results of one location to the hours and days in which their slots lie, and takes out what overlaps. */
export async function addToRollups(
  sql: Sql,
  location: LocationId,
  results: readonly NewResult[],
  overlaps: readonly SeriesOverlap[],
): Promise<void> {
  for (const grain of grains) {
    const added = Map.groupBy(results, ({ slot }) => beginOf(grain, slot));
    const out = Map.groupBy(overlaps, ({ slot }) => beginOf(grain, slot));
    for (const begin of new Set([...added.keys(), ...out.keys()])) {
      const change = { results: added.get(begin) ?? [], overlaps: out.get(begin) ?? [] };
      await changeBucket(sql, { grain, begin, location }, change);
    }
  }
}

interface BucketChange {
  readonly results: readonly NewResult[];
  readonly overlaps: readonly SeriesOverlap[];
}

async function changeBucket(
  sql: Sql,
  { grain, begin, location }: { grain: Grain; begin: EpochMillis; location: LocationId },
  { results, overlaps }: BucketChange,
): Promise<void> {
  const table = rollupTables[grain];
  const added = Map.groupBy(results, ({ monitor }) => monitor);
  const out = Map.groupBy(overlaps, ({ monitor }) => monitor);
  const monitors = [...new Set([...added.keys(), ...out.keys()])];
  const rows = await allAmong(
    sql,
    `SELECT * FROM ${table} WHERE bucket = ? AND location = ? AND monitor IN (*)`,
    [begin, location],
    monitors,
  );
  const before = new Map(rows.map((row) => [monitorId(integer(row, "monitor")), rollupOf(row)]));
  await insertRows(
    sql,
    `INSERT INTO ${table} (bucket, monitor, location, ${columns.join(", ")})`,
    monitors.map((monitor) => {
      const rollup = addResults(before.get(monitor) ?? emptyRollup, added.get(monitor) ?? []);
      return [begin, monitor, location, ...valuesOf(withoutOverlaps(rollup, out.get(monitor)))];
    }),
    `ON CONFLICT (bucket, monitor, location) DO UPDATE SET
       ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}`,
  );
}

const columns = [
  "success",
  "degraded",
  "error",
  "unknown",
  "known",
  "down",
  "latency_sum",
  "latency_max",
  "latencies",
] as const;

/** In the order of the columns. */
const valuesOf = (rollup: Rollup): readonly (number | Uint8Array)[] => [
  rollup.success,
  rollup.degraded,
  rollup.error,
  rollup.unknown,
  rollup.known,
  rollup.down,
  Math.round(rollup.latencySum),
  Math.round(rollup.latencyMax),
  rollup.latencies,
];

const rollupOf = (row: Row): Rollup => ({
  success: integer(row, "success"),
  degraded: integer(row, "degraded"),
  error: integer(row, "error"),
  unknown: integer(row, "unknown"),
  known: millis(integer(row, "known")),
  down: millis(integer(row, "down")),
  latencySum: millis(integer(row, "latency_sum")),
  latencyMax: millis(integer(row, "latency_max")),
  latencies: blob(row, "latencies"),
});

export const bucketOf = (row: Row): Bucket => ({
  ...rollupOf(row),
  monitor: monitorId(integer(row, "monitor")),
  location: locationId(integer(row, "location")),
  begin: epochMillis(integer(row, "bucket")),
});
