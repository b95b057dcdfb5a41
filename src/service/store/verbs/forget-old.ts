import { unaudited } from "#service/store/audit/audited";
import * as storeLimits from "#limits/store-limits";
import { grains, type Retention } from "#service/store/result-store";
import { integer, optionalInteger, type Row, type Sql, text } from "#service/store/sql";
import { spanOf } from "#service/store/packing/detail-rows";
import {
  hourLength,
  hourOf,
  type SeriesKey,
  seriesKeyOf,
} from "#service/store/packing/packed-rows";
import { rollupTables } from "#service/store/verbs/rollup-rows";
import { type Verb, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** How far a round of forgetting has come is the last series that is done. */
export const forgetFromStart: SeriesKey = { monitor: 0, location: 0 };

/**
 * Forgets a portion of what is old or belongs to nothing any more, by some dozens of statements that each take a range of
 * a key: so it takes as long however much there is. Gives where to continue; null when the round is done. Rollups of what is deleted stay until they
 * are old: ids are not used again, so no one is shown them.
 */
export const forgetOld: Verb<[before: Retention, after: SeriesKey], SeriesKey | null> = writes(
  "results.forget",
  null,
  unaudited("the service forgets what is old"),
  forget,
);

async function forget(sql: Sql, before: Retention, after: SeriesKey): Promise<SeriesKey | null> {
  if (await forgetRemoved(sql)) return after;
  if (await forgetBuckets(sql, before)) return after;
  const rows = await seriesBehind(sql, before, after);
  let place = after;
  let forgotten = 0;
  let changed = 0;
  for (const row of rows) {
    const series = seriesKeyOf(row);
    if (integer(row, "has_old") === 1) {
      forgotten += await forgetOf(sql, series, integer(row, "kept"), before);
      // This one may have more.
      if (forgotten >= storeLimits.forgetRowsAtOnce) return place;
      changed += 1;
    }
    place = series;
    if (changed === storeLimits.forgetChangedAtOnce) return place;
  }
  return rows.length < storeLimits.forgetSeriesAtOnce ? null : place;
}

/** The next series, and which of them has something to forget. */
function seriesBehind(
  sql: Sql,
  before: Retention,
  { monitor, location }: SeriesKey,
): Promise<readonly Row[]> {
  const hasOld = (table: string, time = "slot"): string =>
    `EXISTS (SELECT 1 FROM ${table} WHERE ${table}.monitor = series.monitor AND ${table}.location = series.location AND ${time} < ?)`;
  return sql.all(
    `SELECT monitor, location, kept,
       CASE WHEN kept > ? OR ${hasOld("results")} OR ${hasOld("result_details")} OR ${hasOld("gaps")}
         OR ${hasOld("packed_results", "hour")} OR ${hasOld("packed_details", "span")} THEN 1 ELSE 0 END AS has_old
     FROM series WHERE (monitor, location) > (?, ?) ORDER BY monitor, location LIMIT ?`,
    [
      storeLimits.resultsKeptPerSeries,
      before.results,
      before.details,
      before.results,
      hourOf(before.results),
      spanOf(before.details),
      monitor,
      location,
      storeLimits.forgetSeriesAtOnce,
    ],
  );
}

async function forgetOf(
  sql: Sql,
  series: SeriesKey,
  kept: number,
  before: Retention,
): Promise<number> {
  const surplus = await surplusOf(sql, series, kept);
  const results = await forgetResults(sql, series, epochMillis(Math.max(before.results, surplus)));
  const details = await forgetDetails(sql, series, before.details);
  const gaps = await forgetRange(sql, "gaps", series, before.results);
  return results + details + gaps;
}

/** Results and details of what was deleted, one series at a time. True when something was done. */
async function forgetRemoved(sql: Sql): Promise<boolean> {
  const [removal] = await sql.all("SELECT kind, id FROM removals ORDER BY kind, id LIMIT 1");
  if (removal === undefined) return false;
  const kind = text(removal, "kind") === "monitor" ? "monitor" : "location";
  const id = integer(removal, "id");
  const [row] = await sql.all(`SELECT monitor, location FROM series WHERE ${kind} = ? LIMIT 1`, [
    id,
  ]);
  if (row === undefined) {
    // A replica of an older version deletes the series without what is packed of it.
    for (const table of kind === "monitor" ? ["packed_results", "packed_details"] : [])
      await sql.run(`DELETE FROM ${table} WHERE monitor = ?`, [id]);
    await sql.run("DELETE FROM removals WHERE kind = ? AND id = ?", [kind, id]);
    return true;
  }
  const series = seriesKeyOf(row);
  const results = await forgetResults(sql, series, endOfTime);
  const details = await forgetDetails(sql, series, endOfTime);
  const gaps = await forgetRange(sql, "gaps", series, endOfTime);
  if (results + details + gaps === 0)
    await sql.run("DELETE FROM series WHERE monitor = ? AND location = ?", [
      series.monitor,
      series.location,
    ]);
  return true;
}

const endOfTime = epochMillis(Number.MAX_SAFE_INTEGER);

/** Of packed hours those that ended before. */
async function forgetResults(sql: Sql, series: SeriesKey, before: EpochMillis): Promise<number> {
  const loose = await forgetRange(sql, "results", series, before);
  const forgotten = loose + (await forgetHours(sql, series, hourOf(before)));
  if (forgotten > 0)
    await sql.run("UPDATE series SET kept = kept - ? WHERE monitor = ? AND location = ?", [
      forgotten,
      series.monitor,
      series.location,
    ]);
  return forgotten;
}

/** The oldest of one series, as many as one portion has. */
function forgetRange(
  sql: Sql,
  table: "results" | "result_details" | "gaps",
  { monitor, location }: SeriesKey,
  before: EpochMillis,
): Promise<number> {
  const own = "monitor = ? AND location = ? AND slot < ?";
  return sql.run(
    `DELETE FROM ${table} WHERE ${own} AND slot <= (SELECT MAX(slot) FROM
       (SELECT slot FROM ${table} WHERE ${own} ORDER BY slot LIMIT ?) AS oldest)`,
    [monitor, location, before, monitor, location, before, storeLimits.forgetRowsAtOnce],
  );
}

/** Of packed ones those of hours that ended before: a series has a dozen rows of them. */
async function forgetDetails(sql: Sql, series: SeriesKey, before: EpochMillis): Promise<number> {
  const loose = await forgetRange(sql, "result_details", series, before);
  const packed = await sql.run(
    "DELETE FROM packed_details WHERE monitor = ? AND location = ? AND span < ?",
    [series.monitor, series.location, spanOf(before)],
  );
  return loose + packed;
}

/** How many results were in the oldest packed hours of one series, as many hours as one portion has. */
async function forgetHours(
  sql: Sql,
  { monitor, location }: SeriesKey,
  before: number,
): Promise<number> {
  const own = "monitor = ? AND location = ? AND hour < ?";
  const rows = await sql.all(
    `DELETE FROM packed_results WHERE ${own} AND hour <= (SELECT MAX(hour) FROM
       (SELECT hour FROM packed_results WHERE ${own} ORDER BY hour LIMIT ?) AS oldest) RETURNING count`,
    [monitor, location, before, monitor, location, before, storeLimits.forgetHoursAtOnce],
  );
  return rows.reduce((sum, row) => sum + integer(row, "count"), 0);
}

/** Before which slot a series has more than it may keep; 0 when it has not. */
async function surplusOf(
  sql: Sql,
  { monitor, location }: SeriesKey,
  kept: number,
): Promise<EpochMillis> {
  if (kept <= storeLimits.resultsKeptPerSeries) return epochMillis(0);
  const own = "WHERE monitor = ? AND location = ?";
  const key = [monitor, location];
  const hours = await sql.all(
    `SELECT hour, count FROM packed_results ${own} ORDER BY hour LIMIT ?`,
    [...key, storeLimits.hoursPerSeriesMax],
  );
  const [loose] = await sql.all(`SELECT COUNT(*) AS count FROM results ${own}`, key);
  const packed = hours.reduce((sum, row) => sum + integer(row, "count"), 0);
  const count = packed + integer(loose, "count");
  await sql.run(`UPDATE series SET kept = ? ${own}`, [count, ...key]);
  let surplus = count - storeLimits.resultsKeptPerSeries;
  let end = 0;
  for (const row of hours) {
    if (surplus <= 0) break;
    surplus -= integer(row, "count");
    end = (integer(row, "hour") + 1) * hourLength;
  }
  if (surplus <= 0) return epochMillis(end);
  const [row] = await sql.all(`SELECT slot FROM results ${own} ORDER BY slot LIMIT 1 OFFSET ?`, [
    ...key,
    surplus,
  ]);
  return epochMillis(Math.max(end, integer(row, "slot")));
}

/** Some of the oldest hour or day that is too old. */
async function forgetBuckets(sql: Sql, before: Retention): Promise<boolean> {
  for (const grain of grains) {
    const table = rollupTables[grain];
    const oldest = grain === "hour" ? before.hours : before.days;
    const [row] = await sql.all(`SELECT MIN(bucket) AS bucket FROM ${table} WHERE bucket < ?`, [
      oldest,
    ]);
    const begin = row === undefined ? null : optionalInteger(row, "bucket");
    if (begin === null) continue;
    const [next] = await sql.all(
      `SELECT monitor FROM ${table} WHERE bucket = ? ORDER BY monitor LIMIT 1 OFFSET ?`,
      [begin, storeLimits.forgetRowsAtOnce],
    );
    const last = next === undefined ? endOfTime : integer(next, "monitor");
    const forgotten = await sql.run(`DELETE FROM ${table} WHERE bucket = ? AND monitor <= ?`, [
      begin,
      last,
    ]);
    if (forgotten > 0) return true;
  }
  return false;
}
