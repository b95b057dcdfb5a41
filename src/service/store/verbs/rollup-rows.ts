import { type LocationId, locationId, monitorId } from "#service/store/ids";
import {
  type Bucket,
  type Grain,
  grains,
  type NewResult,
  type Rollup,
} from "#service/store/result-store";
import { addResults, beginOf, emptyRollup, grainLength } from "#service/store/rollup";
import { allAmong, blob, insertRows, integer, type Row, type Sql } from "#service/store/sql";
import { epochMillis, type EpochMillis, millis } from "#base/units";

export const rollupTables: Readonly<Record<Grain, string>> = { hour: "hourly", day: "daily" };

/** The buckets that begin in `from` (included) to `to`, of those that there may be rows of. */
export async function bucketsBetween(
  sql: Sql,
  grain: Grain,
  { from, to }: { readonly from: EpochMillis; readonly to: EpochMillis },
): Promise<readonly EpochMillis[]> {
  const [bounds] = await sql.all(
    `SELECT MIN(bucket) AS first, MAX(bucket) AS last FROM ${rollupTables[grain]}`,
  );
  const length = grainLength[grain];
  const earliest = Math.max(from, integer(bounds, "first"));
  const first = Math.ceil(earliest / length) * length;
  const last = Math.min(to - 1, integer(bounds, "last"));
  const count = Math.max(0, Math.floor((last - first) / length) + 1);
  return Array.from({ length: count }, (_, index) => epochMillis(first + index * length));
}

/** Adds results of one location to the hours and days in which their slots lie. */
export async function addToRollups(
  sql: Sql,
  location: LocationId,
  results: readonly NewResult[],
): Promise<void> {
  for (const grain of grains)
    for (const [begin, own] of Map.groupBy(results, ({ slot }) => beginOf(grain, slot)))
      await addToBucket(sql, { grain, begin, location }, own);
}

async function addToBucket(
  sql: Sql,
  { grain, begin, location }: { grain: Grain; begin: EpochMillis; location: LocationId },
  results: readonly NewResult[],
): Promise<void> {
  const table = rollupTables[grain];
  const byMonitor = Map.groupBy(results, ({ monitor }) => monitor);
  const rows = await allAmong(
    sql,
    `SELECT * FROM ${table} WHERE bucket = ? AND location = ? AND monitor IN (*)`,
    [begin, location],
    [...byMonitor.keys()],
  );
  const before = new Map(rows.map((row) => [monitorId(integer(row, "monitor")), rollupOf(row)]));
  await insertRows(
    sql,
    `INSERT INTO ${table} (bucket, monitor, location, ${columns.join(", ")})`,
    [...byMonitor].map(([monitor, own]) => [
      begin,
      monitor,
      location,
      ...valuesOf(addResults(before.get(monitor) ?? emptyRollup, own)),
    ]),
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
