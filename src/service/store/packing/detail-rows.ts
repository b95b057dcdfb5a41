import { PackedFault } from "#service/store/packing/packed-fault";
import { type DetailRow, unpackDetails } from "#service/store/packing/packed-details";
import type { SeriesKey } from "#service/store/packing/packed-rows";
import {
  allAmong,
  blob,
  integer,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import { hours } from "#base/units";

/* Details of results, wherever they lie: in rows, or in those of `packed_details`. One that is damaged is said. */

/** A part of the format: the hours whose details are packed together, counted from the epoch. */
export const detailSpan: number = hours(8);
export const spanOf = (slot: number): number => Math.floor(slot / detailSpan);

export const detailRowOf = (row: Row): DetailRow => ({
  slot: integer(row, "slot"),
  message: text(row, "message"),
  payload: blob(row, "payload"),
});

/** The details of a packed row, which has the columns of the key, and `body`. Null if it cannot be read. */
export function detailsInRow(sql: Sql, row: Row): readonly DetailRow[] | null {
  const begin = integer(row, "span") * detailSpan;
  try {
    return unpackDetails(begin, blob(row, "body"));
  } catch (error) {
    if (!(error instanceof PackedFault)) throw error;
    sql.damaged(
      `details of monitor ${integer(row, "monitor")} at location ${integer(row, "location")} in the ${detailSpan / hours(1)} hours from ${new Date(begin).toISOString()} cannot be read: the row in packed_details is damaged, ${error.message}; all results and all other details can be read`,
    );
    return null;
  }
}

/** The details that results of one series have, by their slots. What is packed meanwhile is found: it is looked for there last. */
export async function detailsAt(
  sql: Sql,
  { monitor, location }: SeriesKey,
  slots: readonly number[],
  wanted: "messages" | "payloads too",
): Promise<ReadonlyMap<number, DetailRow>> {
  const own = "WHERE monitor = ? AND location = ? AND";
  const key = [monitor, location];
  const payload = wanted === "messages" ? "NULL AS payload" : "payload";
  const loose = await allAmong(
    sql,
    `SELECT slot, message, ${payload} FROM result_details ${own} slot IN (*)`,
    key,
    slots,
  );
  const packed = await allAmong(
    sql,
    `SELECT * FROM packed_details ${own} span IN (*)`,
    key,
    slots.map(spanOf),
  );
  const asked = new Set(slots);
  const all = [...loose.map(detailRowOf), ...packed.flatMap((row) => detailsInRow(sql, row) ?? [])];
  return new Map(all.filter(({ slot }) => asked.has(slot)).map((one) => [one.slot, one]));
}

export async function detailAt(
  sql: Sql,
  series: SeriesKey,
  slot: number,
): Promise<Omit<DetailRow, "slot"> | null> {
  const found = (await detailsAt(sql, series, [slot], "payloads too")).get(slot);
  return found === undefined ? null : { message: found.message, payload: found.payload };
}

/** From which slot to which one (not included) a series may have details; null if it has none. */
export async function detailedRange(
  sql: Sql,
  series: SeriesKey,
): Promise<{ readonly from: number; readonly to: number } | null> {
  const ranges = [
    await rangeIn(
      sql,
      series,
      "SELECT MIN(slot) AS first, MAX(slot) AS last FROM result_details",
      1,
    ),
    await rangeIn(
      sql,
      series,
      "SELECT MIN(span) AS first, MAX(span) AS last FROM packed_details",
      detailSpan,
    ),
  ].filter((range) => range !== null);
  if (ranges.length === 0) return null;
  return {
    from: Math.min(...ranges.map(({ from }) => from)),
    to: Math.max(...ranges.map(({ to }) => to)),
  };
}

async function rangeIn(
  sql: Sql,
  { monitor, location }: SeriesKey,
  select: string,
  length: number,
): Promise<{ readonly from: number; readonly to: number } | null> {
  const [row] = await sql.all(`${select} WHERE monitor = ? AND location = ?`, [monitor, location]);
  const first = row === undefined ? null : optionalInteger(row, "first");
  if (first === null) return null;
  return { from: first * length, to: (integer(row, "last") + 1) * length };
}
