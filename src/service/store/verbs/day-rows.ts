import { dayColumns, type DaysSum, type DayTable } from "#service/store/day-table";
import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery } from "#service/store/result-store";
import { halfDown } from "#service/store/half-down";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import { type WhatIsThere, whatIsThere } from "#service/store/verbs/what-is-there";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import { beginOf } from "#service/store/rollup";
import { type EpochMillis, epochMillis, hours, millis } from "#base/units";

/** Days of monitors as numbers: histograms, the most of a row, are not read. */
export async function daysOf(sql: Sql, asked: DaysQuery): Promise<DayTable> {
  const there = await whatIsThere(sql, asked.monitors);
  const found = await lookedUp(sql, there, asked, eachDay);
  const rows = found.toSorted(
    (a, b) =>
      integer(a, "begin") - integer(b, "begin") || integer(a, "monitor") - integer(b, "monitor"),
  );
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
 * The same added up. Days that ended, without downtime, are added up where they are read: to hand over the thirty thousand
 * days of a thousand monitors takes as long as to read them.
 */
export async function sumsOf(sql: Sql, asked: DaysQuery): Promise<ReadonlyMap<MonitorId, DaysSum>> {
  const { from, to } = asked;
  const there = await whatIsThere(sql, asked.monitors);
  const ended = beginOf("day", to);
  const rows = [
    ...(await lookedUp(sql, there, { from, to: ended }, endedDays)),
    ...(await lookedUp(sql, there, { from: epochMillis(Math.max(from, ended)), to }, eachDay)),
  ];
  const existed = await existenceOf(sql, rows, to);
  const sums = new Map<MonitorId, DaysSum>();
  for (const row of rows) {
    const monitor = monitorId(integer(row, "monitor"));
    const before = sums.get(monitor);
    const longest = integer(row, "begin") === addedUp ? Infinity : existed(row);
    sums.set(monitor, {
      known: millis((before?.known ?? 0) + Math.min(integer(row, "known"), longest)),
      down: millis((before?.down ?? 0) + Math.min(downOf(row), longest)),
      checks: (before?.checks ?? 0) + integer(row, "checks"),
    });
  }
  return sums;
}

/**
 * How long a monitor can have been seen on a day. A result stands for a whole period, which reaches beyond the end of what
 * is asked for: a monitor that is three minutes old was down for no more than these. Creation counts on days with downtime alone.
 */
async function existenceOf(
  sql: Sql,
  rows: readonly Row[],
  to: EpochMillis,
): Promise<(row: Row) => number> {
  const down = rows.filter(wasDown).map((row) => integer(row, "monitor"));
  const select = "SELECT id, created_at FROM monitors WHERE id IN (*)";
  const made = await allAmong(sql, select, [], down);
  const createdAt = new Map(made.map((row) => [integer(row, "id"), integer(row, "created_at")]));
  return (row) => {
    const begin = integer(row, "begin");
    const end = Math.min(begin + dayLength, to);
    const created = (wasDown(row) ? createdAt.get(integer(row, "monitor")) : null) ?? begin;
    return end - (created < end ? Math.max(begin, created) : begin);
  };
}

const wasDown = (row: Row): boolean => text(row, "downs") !== "";
const dayLength = hours(24);

/** Most days of most monitors had no downtime at any location: only what had some is written out. */
const columns = `monitor, bucket AS begin, MAX(known) AS known, COUNT(known) AS places,
  COALESCE(STRING_AGG(CAST(down AS TEXT), ' ') FILTER (WHERE down > 0), '') AS downs,
  SUM(success + degraded + error) AS checks, SUM(degraded) AS slow, SUM(error) AS errors`;

const eachDay: DayRows = {
  select: `SELECT ${columns} FROM ${rollupTables.day}`,
  rest: "GROUP BY bucket, monitor",
};

/** In the place of the begin of a day: the row is of several days, of which each is whole as it lies. */
const addedUp = 0;
/** A day apart if there was downtime, or if it has to be cut to its length. */
const endedDays: DayRows = {
  select: `SELECT monitor, CASE WHEN downs = '' AND known <= ${dayLength} THEN ${addedUp} ELSE begin END AS begin,
    SUM(known) AS known, MAX(places) AS places, MAX(downs) AS downs, SUM(checks) AS checks FROM (${eachDay.select}`,
  rest: `${eachDay.rest}) AS days GROUP BY monitor, 2`,
};

function downOf(row: Row): number {
  const downs = text(row, "downs");
  return downs === "" ? 0 : halfDown(integer(row, "places"), downs.split(" ").map(Number));
}

/** How the rows of days are asked, before the conditions and behind them. */
interface DayRows {
  readonly select: string;
  readonly rest: string;
}

/** The monitors of each day in portions: the others of a large service are not read. */
function lookedUp(
  sql: Sql,
  there: WhatIsThere,
  { from, to }: Pick<DaysQuery, "from" | "to">,
  { select, rest }: DayRows,
): Promise<readonly Row[]> {
  const range = { grain: "day", monitors: there.monitors, from, to } as const;
  return rowsOfBuckets(sql, range, { select, rest: ` AND ${there.condition} ${rest}` });
}
