import { PackedFault } from "#service/store/packing/packed-fault";
import { slotsIn, unpackHour } from "#service/store/packing/packed-hour";
import { type ResultRow, resultRowColumns, resultRowOf } from "#service/store/packing/result-row";
import { blob, integer, type Row, type Sql } from "#service/store/sql";
import { hours } from "#base/units";

/* The rows of `packed_results`. One that is damaged is said, and read as if it were not there. */

export interface SeriesKey {
  readonly monitor: number;
  readonly location: number;
}

export const seriesKeyOf = (row: Row): SeriesKey => ({
  monitor: integer(row, "monitor"),
  location: integer(row, "location"),
});

export const hourLength: number = hours(1);
export const hourOf = (slot: number): number => Math.floor(slot / hourLength);

/** The results of a row; it has the columns of the key, and `body`. Null if it cannot be read. */
export const resultsInRow = (sql: Sql, row: Row): readonly ResultRow[] | null =>
  readable(sql, row, unpackHour);
export const slotsInRow = (sql: Sql, row: Row): readonly number[] | null =>
  readable(sql, row, slotsIn);

function readable<T>(sql: Sql, row: Row, read: (begin: number, body: Uint8Array) => T): T | null {
  const begin = integer(row, "hour") * hourLength;
  try {
    return read(begin, blob(row, "body"));
  } catch (error) {
    if (!(error instanceof PackedFault)) throw error;
    sql.damaged(
      `the results of monitor ${integer(row, "monitor")} at location ${integer(row, "location")} in the hour from ${new Date(begin).toISOString()} cannot be read: the row in packed_results is damaged, ${error.message}; all other results can be read`,
    );
    return null;
  }
}

/** One result, wherever it lies. What is packed meanwhile is found, since it is looked for there last. */
export async function rowAt(
  sql: Sql,
  { monitor, location }: SeriesKey,
  slot: number,
): Promise<ResultRow | null> {
  const own = "WHERE monitor = ? AND location = ?";
  const [loose] = await sql.all(`SELECT ${resultRowColumns} FROM results ${own} AND slot = ?`, [
    monitor,
    location,
    slot,
  ]);
  if (loose !== undefined) return resultRowOf(loose);
  const [packed] = await sql.all(`SELECT * FROM packed_results ${own} AND hour = ?`, [
    monitor,
    location,
    hourOf(slot),
  ]);
  if (packed === undefined) return null;
  return resultsInRow(sql, packed)?.find((one) => one.slot === slot) ?? null;
}
