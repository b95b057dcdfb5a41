import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, integer, type Sql } from "#service/store/sql";

/** What is deleted has results for some time still: what of a question is there. */
export interface WhatIsThere {
  readonly monitors: readonly MonitorId[];
  /** Narrows rows of these monitors to what is there. */
  readonly condition: string;
}

/**
 * Which of these monitors are there, and a condition on the locations. A statement that asks for the monitors itself is slow:
 * SQLite would look each of all monitors up in what is asked, and a cluster would send every id to every server. The latter is
 * so of locations as well.
 */
export async function whatIsThere(sql: Sql, monitors: readonly MonitorId[]): Promise<WhatIsThere> {
  const rows = await allAmong(sql, "SELECT id FROM monitors WHERE id IN (*)", [], monitors);
  const found = rows.map((row) => monitorId(integer(row, "id")));
  if (sql.words.engine === "sqlite") return { monitors: found, condition: ofLocations };
  const locations = await sql.all("SELECT id FROM locations");
  const ids = locations.map((row) => integer(row, "id"));
  return {
    monitors: found,
    condition: ids.length === 0 ? "FALSE" : `location IN (${ids.join(", ")})`,
  };
}

const ofLocations = "location IN (SELECT id FROM locations)";

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
