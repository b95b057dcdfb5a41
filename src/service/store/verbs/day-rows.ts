import { dayColumns, type DayTable } from "#service/store/day-table";
import type { DaysQuery } from "#service/store/result-store";
import { halfDown } from "#service/store/half-down";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import { whatIsThere } from "#service/store/verbs/what-is-there";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { type EpochMillis, hours } from "#base/units";

/** Days of monitors as numbers: histograms, the most of a row, are not read. */
export async function daysOf(sql: Sql, asked: DaysQuery): Promise<DayTable> {
  const rows = await lookedUp(sql, asked);
  const existed = await existenceOf(sql, rows, asked.to);
  const table = new Float64Array(rows.length * dayColumns.length);
  rows.forEach((row, index) => {
    const longest = existed(row);
    dayColumns.forEach((column, offset) => {
      const value = column === "down" ? downOf(row) : integer(row, column);
      const isTime = column === "down" || column === "known";
      table[index * dayColumns.length + offset] = isTime ? Math.min(value, longest) : value;
    });
  });
  return table;
}

/**
 * How long a monitor can have been seen on a day. A result stands for a whole period, which reaches beyond the end of what
 * is asked for: a monitor that is three minutes old was down for no more than these. Creation is asked of what was down.
 */
async function existenceOf(
  sql: Sql,
  rows: readonly Row[],
  to: EpochMillis,
): Promise<(row: Row) => number> {
  const down = rows
    .filter((row) => text(row, "downs") !== "")
    .map((row) => integer(row, "monitor"));
  const select = "SELECT id, created_at FROM monitors WHERE id IN (*)";
  const made = await allAmong(sql, select, [], down);
  const createdAt = new Map(made.map((row) => [integer(row, "id"), integer(row, "created_at")]));
  return (row) => {
    const begin = integer(row, "begin");
    const end = Math.min(begin + dayLength, to);
    const created = createdAt.get(integer(row, "monitor")) ?? begin;
    return end - (created < end ? Math.max(begin, created) : begin);
  };
}

const dayLength = hours(24);

/** Most days of most monitors had no downtime at any location: only what had some is written out. */
const columns = `monitor, bucket AS begin, MAX(known) AS known, COUNT(known) AS places,
  COALESCE(STRING_AGG(CAST(down AS TEXT), ' ') FILTER (WHERE down > 0), '') AS downs,
  SUM(success + degraded + error) AS checks, SUM(degraded) AS slow, SUM(error) AS errors`;

function downOf(row: Row): number {
  const downs = text(row, "downs");
  return downs === "" ? 0 : halfDown(integer(row, "places"), downs.split(" ").map(Number));
}

/** A day after the other, and the monitors of each in portions: the others of a large service are not read. */
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
