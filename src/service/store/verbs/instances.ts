import { agentEvents, type RemovedAgent } from "#service/store/audit/agent-event";
import { happens, unaudited } from "#service/store/audit/audited";
import { type LocationId, locationId } from "#service/store/ids";
import type { InstanceReport } from "#service/store/instance-report";
import { insertRows, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import type { InstanceRow, Instances } from "#service/store/state-store";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** The agents of the locations, apart: several may run one location. */
export const instances: VerbsOf<Instances> = {
  of: reads("instances.of", async (sql, location: LocationId) => {
    // Of one moment, in one question: each pull and each heartbeat asks it.
    const rows = await sql.all(
      `SELECT instances.*, locations.instances_version
         FROM locations LEFT JOIN instances ON instances.location = locations.id
         WHERE locations.id = ? ORDER BY instances.id`,
      [location],
    );
    return {
      version: versionIn(rows),
      instances: rows.filter((row) => row["id"] !== null).map(instanceOf),
    };
  }),
  impaired: reads("instances.impaired", async (sql) => {
    const rows = await sql.all(
      "SELECT DISTINCT location FROM instances WHERE impaired = 1 ORDER BY location",
    );
    return rows.map((row) => locationId(integer(row, "location")));
  }),
  keep: writes("instances.keep", null, unaudited("agents say it of themselves"), keep),
  remove: writes(
    "instances.remove",
    null,
    happens((removed) => agentEvents(removed)),
    remove,
  ),
  forget: writes(
    "instances.forget",
    null,
    unaudited("the service forgets what is old"),
    async (sql, seenBefore: EpochMillis) => {
      await sql.run("DELETE FROM instances WHERE last_seen_at < ?", [seenBefore]);
    },
  ),
};

async function keep(
  sql: Sql,
  location: LocationId,
  version: number,
  kept: readonly InstanceRow[],
  instancesMax: number,
): Promise<boolean> {
  const select = `SELECT instances_version FROM locations WHERE id = ?${sql.words.forUpdate}`;
  const current = versionIn(await sql.all(select, [location]));
  if (current === missing || current !== version) return false;
  await sql.run("UPDATE locations SET instances_version = ? WHERE id = ?", [version + 1, location]);
  const columns = "last_seen_at has_left revision wanted settled steady_from placement".split(" ");
  await insertRows(
    sql,
    `INSERT INTO instances (location, id, ${columns.join(", ")}, report, impaired)`,
    kept.map((one) => rowOf(location, one)),
    `ON CONFLICT (location, id) DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")},
       report = CASE excluded.report WHEN '' THEN instances.report ELSE excluded.report END,
       impaired = CASE excluded.report WHEN '' THEN instances.impaired ELSE excluded.impaired END`,
  );
  await forgetSurplus(sql, location, instancesMax);
  return true;
}

/** Whoever is about to keep how the agents stood before reads again, so that none comes back that does not call. */
async function remove(
  sql: Sql,
  location: LocationId,
  id: string,
  seenBefore: EpochMillis,
): Promise<RemovedAgent | null> {
  const select = `SELECT name, instances_version FROM locations WHERE id = ?${sql.words.forUpdate}`;
  const [row] = await sql.all(select, [location]);
  if (row === undefined) return null;
  const gone = "location = ? AND id = ? AND (has_left = 1 OR last_seen_at < ?)";
  const values = [location, id, seenBefore];
  const [agent] = await sql.all(`SELECT * FROM instances WHERE ${gone}`, values);
  if (agent === undefined) return null;
  await sql.run(`DELETE FROM instances WHERE ${gone}`, values);
  const version = integer(row, "instances_version") + 1;
  await sql.run("UPDATE locations SET instances_version = ? WHERE id = ?", [version, location]);
  const hostname = instanceOf(agent).report?.hostname ?? "";
  const name = hostname === "" || hostname === id ? id : `${hostname} (${id})`;
  return { location, locationName: text(row, "name"), name };
}

const missing = -1;
const versionIn = ([row]: readonly Row[]): number =>
  row === undefined ? missing : integer(row, "instances_version");

async function forgetSurplus(sql: Sql, location: LocationId, max: number): Promise<void> {
  const [row] = await sql.all("SELECT COUNT(*) AS count FROM instances WHERE location = ?", [
    location,
  ]);
  const surplus = integer(row, "count") - max;
  if (surplus <= 0) return;
  await sql.run(
    `DELETE FROM instances WHERE location = ? AND id IN
       (SELECT id FROM instances WHERE location = ? ORDER BY last_seen_at, id DESC LIMIT ?)`,
    [location, location, surplus],
  );
}

const rowOf = (location: LocationId, one: InstanceRow): (string | number | null)[] => [
  location,
  one.id,
  one.lastSeenAt,
  Number(one.left),
  one.revision,
  Number(one.wanted),
  Number(one.settled),
  one.steadyFrom,
  one.placement,
  one.report === null ? "" : JSON.stringify(one.report),
  Number(one.report !== null && one.report.conditions.length + one.report.spells.length > 0),
];

function instanceOf(row: Row): InstanceRow {
  const said = text(row, "report");
  const report: InstanceReport | null = said === "" ? null : JSON.parse(said);
  return {
    id: text(row, "id"),
    lastSeenAt: epochMillis(integer(row, "last_seen_at")),
    left: integer(row, "has_left") === 1,
    revision: text(row, "revision"),
    wanted: integer(row, "wanted") === 1,
    settled: integer(row, "settled") === 1,
    steadyFrom: optionalInstant(row, "steady_from"),
    placement: text(row, "placement") === "share" ? "share" : "everywhere",
    report,
  };
}
