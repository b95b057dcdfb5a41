import { alters, deletes, makes } from "#service/store/audit/audited";
import { randomBytes } from "node:crypto";
import type { MonitorDefinition } from "#check/definition";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import * as storeLimits from "#limits/store-limits";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import type { MonitorRow, NewMonitor, Page, Monitors } from "#service/store/state-store";
import { makeDue } from "#service/store/verbs/due-states";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis } from "#base/units";

/** The monitors, and what is assigned where. */
export const monitors: VerbsOf<Monitors> = {
  create: writes(
    "monitors.create",
    "assignments",
    makes("monitor", (id: MonitorId) => id),
    async (sql, made: NewMonitor) => {
      const { definition, at } = made;
      const [row] = await sql.all(
        `INSERT INTO monitors (uid, kind, active, definition, owner, labels, revision, created_at, updated_at)
       VALUES ('', ?, ?, ?, ?, ?, 1, ?, ?) RETURNING id`,
        [definition.kind, ...changeable(made), at, at],
      );
      const id = monitorId(integer(row, "id"));
      await sql.run(
        "INSERT INTO states (monitor, status, since, judge_at, memory) VALUES (?, 'unknown', ?, 0, '')",
        [id, at],
      );
      return id;
    },
  ),
  update: writes(
    "monitors.update",
    "assignments",
    alters("monitor"),
    async (sql, id: MonitorId, to: NewMonitor) => {
      const changed = await sql.run(
        `UPDATE monitors SET active = ?, definition = ?, owner = ?, labels = ?, revision = revision + 1, updated_at = ?
       WHERE id = ? AND kind = ?`,
        [...changeable(to), to.at, id, to.definition.kind],
      );
      if (changed === 0) return false;
      await reviseLocations(sql, id);
      await sql.run(`${makeDue} monitor = ?`, [id]);
      return true;
    },
  ),
  delete: writes(
    "monitors.delete",
    "assignments",
    deletes("monitor"),
    async (sql, id: MonitorId) => {
      await reviseLocations(sql, id);
      if ((await sql.run("DELETE FROM monitors WHERE id = ?", [id])) === 0) return false;
      await sql.run("INSERT INTO removals (kind, id) VALUES ('monitor', ?)", [id]);
      return true;
    },
  ),
  get: reads("monitors.get", async (sql, id: MonitorId): Promise<MonitorRow | null> => {
    const rows = await sql.all("SELECT * FROM monitors WHERE id = ?", [id]);
    return (await monitorsOf(sql, rows))[0] ?? null;
  }),
  among: reads("monitors.among", async (sql, ids: readonly MonitorId[]) =>
    monitorsOf(
      sql,
      await allAmong(
        sql,
        "SELECT * FROM monitors WHERE id IN (*)",
        [],
        ids.slice(0, storeLimits.monitorsNamedMax),
      ),
    ),
  ),
  idOfUid: reads("monitors.idOfUid", async (sql, uid: string): Promise<MonitorId | null> => {
    if (uid === "") return null;
    const [row] = await sql.all("SELECT id FROM monitors WHERE uid = ? AND uid <> ''", [uid]);
    return row === undefined ? null : monitorId(integer(row, "id"));
  }),
  list: reads("monitors.list", async (sql, { limit, offset }: Page) =>
    monitorsOf(
      sql,
      await sql.all("SELECT * FROM monitors ORDER BY id LIMIT ? OFFSET ?", [limit, offset]),
    ),
  ),
  count: reads("monitors.count", async (sql) =>
    integer((await sql.all("SELECT COUNT(*) AS count FROM monitors"))[0], "count"),
  ),
  activeIds: reads("monitors.activeIds", async (sql, location: LocationId) => {
    const rows = await sql.all(
      `SELECT monitors.id FROM assignments JOIN monitors ON monitors.id = assignments.monitor
       WHERE assignments.location = ? AND monitors.active = 1 ORDER BY monitors.id`,
      [location],
    );
    return rows.map((row) => monitorId(integer(row, "id")));
  }),
};

/** Revisions are only compared for being the same, so that a database put back from a backup cannot repeat one. */
export const newRevision = (): string => randomBytes(9).toString("base64url");

/** What the agents of a monitor's locations are given has changed. */
export const reviseLocations = (sql: Sql, monitor: MonitorId): Promise<number> =>
  sql.run(
    "UPDATE locations SET revision = ? WHERE id IN (SELECT location FROM assignments WHERE monitor = ?)",
    [newRevision(), monitor],
  );

const changeable = ({ definition, owner, labels }: NewMonitor): readonly (string | number)[] => [
  Number(definition.active),
  JSON.stringify(definition),
  owner,
  JSON.stringify(labels),
];

async function monitorsOf(sql: Sql, rows: readonly Row[]): Promise<readonly MonitorRow[]> {
  const assigned = await allAmong(
    sql,
    "SELECT monitor, location FROM assignments WHERE monitor IN (*)",
    [],
    rows.map((row) => integer(row, "id")),
  );
  const locations = Map.groupBy(assigned, (row) => integer(row, "monitor"));
  return rows.map((row) => {
    const id = monitorId(integer(row, "id"));
    // Only what violationsOf let pass is ever written.
    const definition = definitionIn(text(row, "definition"));
    const labels: Record<string, string> = JSON.parse(text(row, "labels"));
    return {
      id,
      uid: text(row, "uid"),
      definition,
      labels,
      owner: text(row, "owner"),
      locations: (locations.get(id) ?? [])
        .map((one) => locationId(integer(one, "location")))
        .toSorted((a, b) => a - b),
      revision: integer(row, "revision"),
      createdAt: epochMillis(integer(row, "created_at")),
      updatedAt: epochMillis(integer(row, "updated_at")),
    };
  });
}

/** What a definition says, in the order that it was written; of one from before a field was there, as if it said nothing. */
export function definitionIn(json: string): MonitorDefinition {
  const written: MonitorDefinition = JSON.parse(json);
  const isWhole = Object.hasOwn(written, "labels") && Object.hasOwn(written, "alerting");
  return isWhole ? written : { ...absentFields, ...written };
}
const absentFields = { alerting: null, labels: {} };
