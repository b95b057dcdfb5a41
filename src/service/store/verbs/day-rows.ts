import * as storeLimits from "#limits/store-limits";
import { dayColumns, type DayTable } from "#service/store/day-table";
import type { DaysQuery } from "#service/store/result-store";
import { halfDown } from "#service/store/half-down";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";

/** Days of monitors as numbers: histograms, the most of a row, are not read. */
export async function daysOf(sql: Sql, asked: DaysQuery): Promise<DayTable> {
  const rows =
    asked.monitors.length <= storeLimits.daysLookedUpMax
      ? await lookedUp(sql, asked)
      : await inRange(sql, asked);
  const table = new Float64Array(rows.length * dayColumns.length);
  rows.forEach((row, index) =>
    dayColumns.forEach((column, offset) => {
      table[index * dayColumns.length + offset] =
        column === "down" ? downOf(row) : integer(row, column);
    }),
  );
  return table;
}

/** Most days of most monitors had no downtime at any location: only what had some is written out. */
const columns = `monitor, bucket AS begin, MAX(known) AS known, COUNT(known) AS places,
  COALESCE(STRING_AGG(CAST(down AS TEXT), ' ') FILTER (WHERE down > 0), '') AS downs,
  SUM(success + degraded + error) AS checks, SUM(degraded) AS slow, SUM(error) AS errors`;

function downOf(row: Row): number {
  const downs = text(row, "downs");
  return downs === "" ? 0 : halfDown(integer(row, "places"), downs.split(" ").map(Number));
}

/** Of most monitors: a range of the key, which is grouped as it lies, a portion after the other. */
async function inRange(sql: Sql, { monitors, from, to }: DaysQuery): Promise<readonly Row[]> {
  const there = await whatIsThere(sql, monitors);
  const wanted = new Set<number>(there.monitors);
  const portion = storeLimits.dayRowsAtOnce;
  const found: Row[] = [];
  const most = there.monitors.reduce((largest, one) => Math.max(largest, one), 0);
  let [bucket, monitor, isWhole] = [Number(from), 0, false];
  while (!isWhole) {
    const rows = await sql.all(
      `SELECT ${columns} FROM ${rollupTables.day}
       WHERE bucket >= ? AND bucket < ? AND (bucket > ? OR monitor > ?) AND monitor <= ? AND ${there.condition}
       GROUP BY bucket, monitor ORDER BY bucket, monitor LIMIT ?`,
      [bucket, to, bucket, monitor, most, portion],
    );
    for (const row of rows) if (wanted.has(integer(row, "monitor"))) found.push(row);
    const last = rows.at(-1);
    isWhole = last === undefined || rows.length < portion;
    if (last !== undefined) [bucket, monitor] = [integer(last, "begin"), integer(last, "monitor")];
  }
  return found;
}

/** Of a few: the others of a large service are not read. */
async function lookedUp(sql: Sql, { monitors, from, to }: DaysQuery): Promise<readonly Row[]> {
  const there = await whatIsThere(sql, monitors);
  const range = { grain: "day", monitors: there.monitors, from, to } as const;
  const rows = await rowsOfBuckets(sql, range, {
    select: `SELECT ${columns} FROM ${rollupTables.day}`,
    rest: ` AND ${there.condition} GROUP BY bucket, monitor`,
  });
  return rows.toSorted(
    (a, b) =>
      integer(a, "begin") - integer(b, "begin") || integer(a, "monitor") - integer(b, "monitor"),
  );
}
