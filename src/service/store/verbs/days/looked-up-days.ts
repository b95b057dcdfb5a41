import { type MonitorId, monitorId } from "#service/store/ids";
import type { DaysQuery } from "#service/store/result-store";
import { allAmong, integer, type Row, type Sql } from "#service/store/sql";
import { rollupTables, rowsOfBuckets } from "#service/store/verbs/rollup-rows";
import type { WhatIsThere } from "#service/store/verbs/what-is-there";

/** How the rows of days are asked, before the conditions and behind them. */
export interface DayRows {
  readonly select: string;
  readonly rest: string;
  readonly isJoined?: true;
}

/** Most days of most monitors had no downtime at any location: only what had some is written out. */
const columns = `monitor, bucket AS begin, MAX(known) AS known, COUNT(known) AS places, MAX(down) AS longest,
  COALESCE(STRING_AGG(CAST(down AS TEXT), ' ') FILTER (WHERE down > 0), '') AS downs,
  SUM(success + degraded + error) AS checks, SUM(degraded) AS slow, SUM(error) AS errors`;

export const eachDay: DayRows = {
  select: `SELECT ${columns} FROM ${rollupTables.day}`,
  rest: "GROUP BY bucket, monitor",
};

/** The same of monitors with one location. */
export const eachDayOfOne: DayRows = {
  select: `SELECT monitor, bucket AS begin, known, 1 AS places, down AS longest,
    CASE WHEN down > 0 THEN CAST(down AS TEXT) ELSE '' END AS downs,
    success + degraded + error AS checks, degraded AS slow, error AS errors FROM ${rollupTables.day}`,
  rest: "",
};

/** Most monitors have one location, of which each row is a day: to read theirs takes two thirds of the time, or half. */
export interface Places {
  readonly ofOne: WhatIsThere;
  readonly ofSeveral: WhatIsThere;
}

export async function placesOf(sql: Sql, there: WhatIsThere): Promise<Places> {
  const found = await allAmong(
    sql,
    `SELECT monitor FROM series WHERE ${there.condition} AND monitor IN (*) GROUP BY monitor HAVING COUNT(*) > 1`,
    [],
    there.monitors,
  );
  const several = new Set<MonitorId>(found.map((row) => monitorId(integer(row, "monitor"))));
  const alone = there.monitors.filter((monitor) => !several.has(monitor));
  return {
    ofOne: { ...there, monitors: alone },
    ofSeveral: { ...there, monitors: [...several] },
  };
}

/** The monitors of each day in portions: the others of a large service are not read. */
export function lookedUp(
  sql: Sql,
  there: WhatIsThere,
  { from, to }: Pick<DaysQuery, "from" | "to">,
  { rest, ...asked }: DayRows,
): Promise<readonly Row[]> {
  const range = { grain: "day", monitors: there.monitors, from, to } as const;
  return rowsOfBuckets(sql, range, { ...asked, rest: ` AND ${there.condition} ${rest}` });
}
