import { altersEach, type Audit, subjects } from "#service/store/audit/audited";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, integer, type Sql } from "#service/store/sql";
import type { LocationChange } from "#service/store/state-store";

/*
 * Whoever changes a monitor locks it, then reads where it is assigned, and notes the change at each of those locations.
 * So whoever assigns it locks it as well: else it would be assigned between the two, and the location's agents would keep
 * what they were sent.
 */

/** Locks those monitors that are there, in one order for all. `lock` is one of the words that end a SELECT. */
export async function lockMonitors(
  sql: Sql,
  monitors: readonly MonitorId[],
  lock: string,
): Promise<readonly MonitorId[]> {
  const select = `SELECT id FROM monitors WHERE id IN (*) ORDER BY id${lock}`;
  const ordered = monitors.toSorted((a, b) => a - b);
  return (await allAmong(sql, select, [], ordered)).map((row) => monitorId(integer(row, "id")));
}

/**
 * The same before a location is locked: whoever changes a monitor has it before its locations, and each would else wait
 * for the other. The table's lock comes first, as an apply takes it from the beginning.
 */
export async function lockMonitorsFirst(
  sql: Sql,
  monitors: readonly MonitorId[],
  lock: string,
): Promise<void> {
  if (sql.words.engine === "sqlite") return;
  await sql.all("LOCK TABLE monitors IN ROW EXCLUSIVE MODE");
  await lockMonitors(sql, monitors, lock);
}

/** Locks monitors, and the locations that have them, each in one order for all. */
export async function lockWithLocations(
  sql: Sql,
  monitors: readonly MonitorId[],
  more: readonly LocationId[],
): Promise<void> {
  if (sql.words.engine === "sqlite") return;
  await lockMonitorsFirst(sql, monitors, sql.words.forUpdate);
  const having = "SELECT DISTINCT location FROM assignments WHERE monitor IN (*)";
  const rows = await allAmong(sql, having, [], monitors);
  const ids = [...rows.map((row) => integer(row, "location")), ...more].toSorted((a, b) => a - b);
  await sql.all("LOCK TABLE locations IN ROW EXCLUSIVE MODE");
  const select = `SELECT id FROM locations WHERE id IN (*) ORDER BY id${sql.words.forUpdate}`;
  await allAmong(sql, select, [], ids);
}

/** A verb that changes a location and says which monitors it has. */
export const assigns: Audit<readonly [id: LocationId, to: LocationChange], unknown> = altersEach(
  async (sql, id: LocationId, { monitors }: LocationChange) => {
    if (monitors !== null) await lockMonitorsFirst(sql, monitors, sql.words.forShare);
    return subjects("location", [id]);
  },
);
