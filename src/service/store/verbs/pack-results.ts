import { unaudited } from "#service/store/audit/audited";
import { packHour } from "#service/store/packing/packed-hour";
import { hourLength, resultsInRow, type SeriesKey } from "#service/store/packing/packed-rows";
import { packsResults } from "#service/store/packing/packed-tables";
import { resultRowColumns, resultRowOf } from "#service/store/packing/result-row";
import { merged } from "#service/store/packing/result-walk";
import * as storeLimits from "#limits/store-limits";
import type { Sql } from "#service/store/sql";
import { type Verb, writes } from "#service/store/verb";
import { type Packable, type PackPlace, packRound } from "#service/store/verbs/packing-round";

/** Packs results: each hour of a series becomes one row, with what it had packed before. */
export const packResults: Verb<[before: number, place: PackPlace], PackPlace | null> = writes(
  "results.pack",
  null,
  unaudited("the service packs what it keeps"),
  (sql, before, place) => packRound(sql, hoursOfResults, before, place),
);

const hoursOfResults: Packable = {
  table: "results",
  condition: "TRUE",
  length: hourLength,
  readers: packsResults,
  atOnce: storeLimits.packHoursAtOnce,
  packOne,
};

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
