import { unaudited } from "#service/store/audit/audited";
import { packHour } from "#service/store/packing/packed-hour";
import {
  hourLength,
  hourOf,
  resultsInRow,
  type SeriesKey,
  seriesKeyOf,
} from "#service/store/packing/packed-rows";
import { resultRowColumns, resultRowOf } from "#service/store/packing/result-row";
import { merged } from "#service/store/packing/result-walk";
import * as storeLimits from "#limits/store-limits";
import { integer, optionalInteger, type Row, type Sql } from "#service/store/sql";
import { type Verb, writes } from "#service/store/verb";
import { lockForPacking } from "#service/store/verbs/packed-slots";

/** How far a round of packing has come: the series that is next, and from which slot on. */
export interface PackPlace extends SeriesKey {
  readonly from: number;
}
export const packFromStart: PackPlace = { monitor: 0, location: 0, from: 0 };

/**
 * Packs the hours of some series that ended before an instant: each hour becomes one row, with what it had packed before.
 * A transaction is a few hours, so a kill undoes those alone, and what is not packed yet is read as it was. Gives where to
 * continue; null when the round is done, or while a replica of an older version works.
 */
export const packResults: Verb<[before: number, place: PackPlace], PackPlace | null> = writes(
  "results.pack",
  null,
  unaudited("the service packs what it keeps"),
  pack,
);

async function pack(sql: Sql, before: number, place: PackPlace): Promise<PackPlace | null> {
  if (await hasOlderReplica(sql)) return null;
  const end = hourOf(before) * hourLength;
  const rows = await seriesFrom(sql, end, place);
  const loose = rows.filter((row) => optionalInteger(row, "oldest") !== null);
  // Each has an hour at least.
  const some = loose.slice(0, storeLimits.packHoursAtOnce);
  const locked = await lockForPacking(
    sql,
    some.map((row) => integer(row, "location")),
  );
  let packed = 0;
  for (const row of some) {
    const key = seriesKeyOf(row);
    // What is deleted is being forgotten.
    if (!locked.has(key.location)) continue;
    let slot = optionalInteger(row, "oldest");
    for (; slot !== null; packed += 1) {
      if (packed === storeLimits.packHoursAtOnce) return { ...key, from: slot };
      await packOne(sql, key, hourOf(slot));
      slot = await oldestLoose(sql, key, (hourOf(slot) + 1) * hourLength, end);
    }
  }
  const next = loose[some.length];
  if (next !== undefined) return { ...seriesKeyOf(next), from: 0 };
  const last = rows.at(-1);
  if (last === undefined || rows.length < storeLimits.packSeriesAtOnce) return null;
  const { monitor, location } = seriesKeyOf(last);
  return { monitor, location: location + 1, from: 0 };
}

/**
 * One that does not know packed results would store again what is packed, and count it twice. A replica that fell silent
 * is asked about until it is forgotten.
 */
const hasOlderReplica = async (sql: Sql): Promise<boolean> =>
  (await sql.all("SELECT holder FROM replicas WHERE packs = 0 LIMIT 1")).length > 0;

/** The next series, each with its oldest slot that can be packed. */
const seriesFrom = (
  sql: Sql,
  end: number,
  { monitor, location, from }: PackPlace,
): Promise<readonly Row[]> =>
  sql.all(
    `SELECT monitor, location, (SELECT MIN(slot) FROM results
       WHERE results.monitor = series.monitor AND results.location = series.location AND slot < ?
         AND slot >= CASE WHEN series.monitor = ? AND series.location = ? THEN CAST(? AS BIGINT) ELSE 0 END) AS oldest
     FROM series WHERE (monitor, location) >= (?, ?) ORDER BY monitor, location LIMIT ?`,
    [end, monitor, location, from, monitor, location, storeLimits.packSeriesAtOnce],
  );

async function oldestLoose(
  sql: Sql,
  { monitor, location }: SeriesKey,
  from: number,
  end: number,
): Promise<number | null> {
  const [row] = await sql.all(
    "SELECT MIN(slot) AS slot FROM results WHERE monitor = ? AND location = ? AND slot >= ? AND slot < ?",
    [monitor, location, from, end],
  );
  return row === undefined ? null : optionalInteger(row, "slot");
}

/** What cannot be packed stays as it is, beside a row that cannot be read too. */
async function packOne(sql: Sql, { monitor, location }: SeriesKey, hour: number): Promise<void> {
  const key = [monitor, location, hour];
  const own = "monitor = ? AND location = ? AND slot >= ? AND slot < ?";
  const range = [monitor, location, hour * hourLength, (hour + 1) * hourLength];
  const [row] = await sql.all(
    "SELECT * FROM packed_results WHERE monitor = ? AND location = ? AND hour = ?",
    key,
  );
  const before = row === undefined ? [] : resultsInRow(sql, row);
  if (before === null) return;
  const loose = await sql.all(
    `SELECT ${resultRowColumns} FROM results WHERE ${own} ORDER BY slot LIMIT ?`,
    [...range, storeLimits.packedResultsMax + 1],
  );
  const rows = merged([...before, ...loose.map(resultRowOf)], "oldest first");
  const body = packHour(hour * hourLength, rows);
  if (body === null) return;
  await sql.run(
    `INSERT INTO packed_results (monitor, location, hour, count, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (monitor, location, hour) DO UPDATE SET count = excluded.count, body = excluded.body`,
    [...key, rows.length, body],
  );
  const deleted = await sql.run(`DELETE FROM results WHERE ${own}`, range);
  if (deleted !== loose.length)
    throw new Error("results were deleted while they were packed: they are packed the next time");
  await sql.run("UPDATE locations SET packed_until = ? WHERE id = ? AND packed_until < ?", [
    (hour + 1) * hourLength,
    location,
    (hour + 1) * hourLength,
  ]);
}
