import { epochMillis, type EpochMillis } from "#base/units";
import { unaudited } from "#service/store/audit/audited";
import { type LocationId, locationId, type MonitorId } from "#service/store/ids";
import type { Paths, SentPath } from "#service/store/path-store";
import { allAmong, blob, insertRows, integer, type Sql } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";

/** The paths to the targets of monitors. */
export const paths: VerbsOf<Paths> = {
  keep: writes("paths.keep", null, unaudited("agents report it"), keep),
  of: reads("paths.of", async (sql, monitor: MonitorId) => {
    const rows = await sql.all(
      `SELECT monitor_paths.location, at, path FROM monitor_paths JOIN assignments
         ON assignments.monitor = monitor_paths.monitor AND assignments.location = monitor_paths.location
       WHERE monitor_paths.monitor = ? ORDER BY monitor_paths.location`,
      [monitor],
    );
    return rows.map((row) => ({
      location: locationId(integer(row, "location")),
      at: epochMillis(integer(row, "at")),
      path: blob(row, "path"),
    }));
  }),
};

async function keep(
  sql: Sql,
  location: LocationId,
  sent: readonly SentPath[],
  at: EpochMillis,
): Promise<void> {
  for (const { monitors, path } of sent) {
    const run = await allAmong(
      sql,
      "SELECT monitor FROM assignments WHERE location = ? AND monitor IN (*)",
      [location],
      monitors,
    );
    await insertRows(
      sql,
      "INSERT INTO monitor_paths (monitor, location, at, path)",
      run.map((row) => [integer(row, "monitor"), location, at, path]),
      "ON CONFLICT (monitor, location) DO UPDATE SET at = excluded.at, path = excluded.path",
    );
  }
}
