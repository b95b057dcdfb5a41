import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, integer, type Sql } from "#service/store/sql";

/** What is deleted has results for some time still: what of a question is there. */
export interface WhatIsThere {
  readonly monitors: readonly MonitorId[];
  /** Narrows rows of these monitors to what is there. */
  readonly condition: string;
}

/**
 * Which of these monitors are there, and a condition on the locations. A cluster would send every id to every server
 * where a statement asks for them itself, so there they are read before.
 */
export async function whatIsThere(sql: Sql, monitors: readonly MonitorId[]): Promise<WhatIsThere> {
  if (sql.words.engine === "sqlite") return { monitors, condition: isThere };
  const found = await allAmong(sql, "SELECT id FROM monitors WHERE id IN (*)", [], monitors);
  const locations = await sql.all("SELECT id FROM locations");
  const ids = locations.map((row) => integer(row, "id"));
  return {
    monitors: found.map((row) => monitorId(integer(row, "id"))),
    condition: ids.length === 0 ? "FALSE" : `location IN (${ids.join(", ")})`,
  };
}

const isThere = "monitor IN (SELECT id FROM monitors) AND location IN (SELECT id FROM locations)";

/** Which of these monitors each location has, as "monitor location". */
export async function assignedSeries(
  sql: Sql,
  location: LocationId | null,
  monitors: readonly MonitorId[],
): Promise<ReadonlySet<string>> {
  const rows = await allAmong(
    sql,
    `SELECT monitor, location FROM assignments WHERE ${location === null ? "" : "location = ? AND "}monitor IN (*)`,
    location === null ? [] : [location],
    monitors,
  );
  return new Set(rows.map((row) => `${integer(row, "monitor")} ${integer(row, "location")}`));
}
