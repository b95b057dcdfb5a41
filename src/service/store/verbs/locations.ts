import { deletes, makes, unaudited } from "#service/store/audit/audited";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import { allAmong, insertRows, integer, type Sql } from "#service/store/sql";
import type {
  LocationChange,
  LocationInUse,
  NewLocation,
  LocationRow,
  Ownership,
  Page,
  Locations,
} from "#service/store/state-store";
import type { NewToken, RefusedCall } from "#service/store/token-store";
import type { LocationDefinition } from "#service/resources/location-definition";
import {
  type ColumnsOf,
  fieldColumns,
  insertColumns,
  updateColumns,
} from "#service/store/field-columns";
import { countedLocations, locationOf, withMonitors } from "#service/store/verbs/location-rows";
import {
  beginChanges,
  changesSince,
  forgetChanges,
  locationRevised,
  monitorsAt,
  newRevision,
  runsOf,
} from "#service/store/verbs/assignment-changes";
import { assigns, lockMonitors } from "#service/store/verbs/monitor-locks";
import { makeDue } from "#service/store/verbs/due-states";
import {
  addToken,
  tokenCalled,
  workingCallAt,
  tokenVerbs,
} from "#service/store/verbs/locations/token-rows";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import type { EpochMillis } from "#base/units";

/** Private locations: their monitors, their tokens, and when an agent of theirs last called. */
export const locations: VerbsOf<Locations> = {
  ...tokenVerbs,
  create: writes(
    "locations.create",
    "assignments",
    makes("location", (id: LocationId) => id),
    create,
  ),
  update: writes("locations.update", "assignments", assigns, update),
  delete: writes(
    "locations.delete",
    "assignments",
    deletes("location"),
    async (sql, id: LocationId) => {
      await judgeMonitorsOf(sql, id);
      if ((await sql.run("DELETE FROM locations WHERE id = ?", [id])) === 0) return false;
      await sql.run("INSERT INTO removals (kind, id) VALUES ('location', ?)", [id]);
      return true;
    },
  ),
  get: reads("locations.get", async (sql, id: LocationId) => {
    const rows = await sql.all("SELECT * FROM locations WHERE id = ?", [id]);
    return (await withMonitors(sql, rows))[0] ?? null;
  }),
  idOfUid: reads("locations.idOfUid", async (sql, uid: string): Promise<LocationId | null> => {
    if (uid === "") return null;
    const [row] = await sql.all("SELECT id FROM locations WHERE uid = ? AND uid <> ''", [uid]);
    return row === undefined ? null : locationId(integer(row, "id"));
  }),
  among: reads("locations.among", async (sql, ids: readonly LocationId[]) =>
    (await allAmong(sql, "SELECT * FROM locations WHERE id IN (*)", [], ids)).map(locationOf),
  ),
  list: reads("locations.list", (sql, page: Page) => countedLocations(sql, page)),
  all: reads("locations.all", async (sql): Promise<readonly LocationInUse[]> => {
    const rows = await sql.all(
      `SELECT locations.*,
         CASE WHEN EXISTS (SELECT 1 FROM assignments WHERE location = locations.id) THEN 1 ELSE 0 END AS is_used
       FROM locations ORDER BY id`,
    );
    return rows.map((row) => ({ ...locationOf(row), isUsed: integer(row, "is_used") === 1 }));
  }),
  monitorsOf: reads("locations.monitorsOf", async (sql, ids: readonly LocationId[]) => {
    const rows = await allAmong(
      sql,
      "SELECT DISTINCT monitor FROM assignments WHERE location IN (*)",
      [],
      ids,
    );
    return [...new Set(rows.map((row) => integer(row, "monitor")))].map(monitorId);
  }),
  count: reads("locations.count", async (sql) =>
    integer((await sql.all("SELECT COUNT(*) AS count FROM locations"))[0], "count"),
  ),
  changesSince: reads("locations.changesSince", changesSince),
  forgetChanges: writes(
    "locations.forgetChanges",
    null,
    unaudited("the service forgets what is old"),
    forgetChanges,
  ),
  seen: writes("locations.seen", null, unaudited("agents say it of themselves"), seen),
  refused: writes(
    "locations.refused",
    null,
    unaudited("agents say it of themselves"),
    async (sql, id: LocationId, { at, tokenEndedAt }: RefusedCall) => {
      await sql.run(
        `UPDATE locations SET refused_at = ?, refused_token_end = ?, working_call_at = ?
         WHERE id = ? AND (refused_at IS NULL OR refused_at <= ?)`,
        [at, tokenEndedAt, await workingCallAt(sql, id, at), id, at],
      );
    },
  ),
  stopped: writes(
    "locations.stopped",
    null,
    unaudited("agents say it of themselves"),
    async (sql, id: LocationId, at: EpochMillis) => {
      await sql.run("UPDATE locations SET stopped_at = ? WHERE id = ?", [at, id]);
    },
  ),
  shiftSigns: writes(
    "locations.shiftSigns",
    null,
    unaudited("the service follows its clock"),
    async (sql, by) => {
      for (const [table, column] of signs)
        await sql.run(`UPDATE ${table} SET ${column} = ${column} + ?`, [by]);
      await judgeAnew(sql);
    },
  ),
  endSignsBy: writes(
    "locations.endSignsBy",
    null,
    unaudited("the service follows its clock"),
    async (sql, now) => {
      for (const [table, column] of signs)
        await sql.run(`UPDATE ${table} SET ${column} = ? WHERE ${column} > ?`, [now, now]);
      await judgeAnew(sql);
    },
  ),
};

async function seen(
  sql: Sql,
  id: LocationId,
  at: EpochMillis,
  by: LocationRow["lastSeenBy"],
  tokenHash: string,
): Promise<void> {
  await sql.run(
    `UPDATE locations SET last_seen_at = ?, last_seen_by = ?, stopped_at = NULL
       WHERE id = ? AND (last_seen_at IS NULL OR last_seen_at <= ?)`,
    [at, by, id, at],
  );
  await tokenCalled(sql, tokenHash, at);
}

/** When agents called: instants that are only compared with the service's clock. */
const signs = [
  ["locations", "last_seen_at"],
  ["locations", "stopped_at"],
  ["locations", "refused_at"],
  ["locations", "refused_token_end"],
  ["locations", "working_call_at"],
  ["location_tokens", "called_at"],
  ["instances", "last_seen_at"],
  ["instances", "steady_from"],
] as const;

/** What the location saw of its monitors counts no more. */
export const judgeMonitorsOf = (sql: Sql, id: LocationId): Promise<number> =>
  sql.run(`${makeDue} monitor IN (SELECT monitor FROM assignments WHERE location = ?)`, [id]);

/** What is due at an instant of another time is due now. */
const judgeAnew = (sql: Sql): Promise<number> => sql.run(`${makeDue} judge_at > 0`);

const locationColumns: ColumnsOf<LocationDefinition> = { name: "name", metadata: "metadata" };
const ownershipColumns: ColumnsOf<Ownership> = { owner: "owner", labels: "labels" };

async function create(sql: Sql, made: NewLocation, token: NewToken, uid = ""): Promise<LocationId> {
  const revision = newRevision();
  const id = locationId(
    await insertColumns(sql, "locations", [
      ...fieldColumns(made, locationColumns),
      ["uid", uid],
      ["owner", made.owner],
      ["labels", JSON.stringify(made.labels)],
      ["revision", revision],
      ["instances_version", 0],
      ["last_seen_by", "heartbeat"],
      ["created_at", made.at],
      ["updated_at", made.at],
    ]),
  );
  await beginChanges(sql, id, revision);
  await addToken(sql, id, token);
  await assign(sql, id, made.monitors);
  return id;
}

async function update(sql: Sql, id: LocationId, to: LocationChange): Promise<boolean> {
  const ownership = to.ownership === null ? [] : fieldColumns(to.ownership, ownershipColumns);
  const before = await runsOf(sql, id);
  if (before.revision === "") return false;
  if (to.monitors !== null) {
    await judgeMonitorsOf(sql, id);
    await sql.run("DELETE FROM assignments WHERE location = ?", [id]);
    await assign(sql, id, to.monitors);
  }
  const after = { ...before, monitors: await monitorsAt(sql, id) };
  return updateColumns(sql, "locations", id, [
    ["revision", await locationRevised(sql, id, { before, after })],
    ["updated_at", to.at],
    ...fieldColumns(to, locationColumns).filter(([, value]) => value !== null),
    ...ownership,
  ]);
}

/** Monitors that were deleted meanwhile are left out; one that is being changed is waited for, so that it is noted here. */
async function assign(sql: Sql, id: LocationId, monitors: readonly MonitorId[]): Promise<void> {
  const there = await lockMonitors(sql, monitors, sql.words.forShare);
  await insertRows(
    sql,
    "INSERT INTO assignments (location, monitor)",
    there.map((monitor) => [id, monitor]),
    "ON CONFLICT DO NOTHING",
  );
}
