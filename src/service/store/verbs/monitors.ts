import {
  alters,
  altersEach,
  type Audit,
  deletes,
  makes,
  subjects,
  type Subject,
} from "#service/store/audit/audited";
import { randomBytes } from "node:crypto";
import type { MonitorChange, MonitorPlaces } from "#service/store/monitor-change";
import type { MonitorDefinition } from "#check/definition";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import * as storeLimits from "#limits/store-limits";
import { allAmong, insertRows, integer, type Row, type Sql, text } from "#service/store/sql";
import type { MonitorRow, Monitors, NewMonitor, Page } from "#service/store/state-store";
import { makeDue } from "#service/store/verbs/due-states";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { type EpochMillis, epochMillis } from "#base/units";

/** What is assigned is a part of the location. */
const changesOfEach: Audit<[readonly MonitorId[], MonitorChange, EpochMillis], unknown> = {
  ...altersEach(async (_sql, ids: readonly MonitorId[], change: MonitorChange) =>
    change.kind === "location" ? subjects("location", [change.location]) : subjects("monitor", ids),
  ),
  gone: (ids, change) => (change.kind === "delete" ? subjects("monitor", ids) : []),
};

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
  delete: writes("monitors.delete", "assignments", deletes("monitor"), remove),
  place: writes("monitors.place", "assignments", altersEach(placedAt), place),
  changeEach: writes("monitors.changeEach", "assignments", changesOfEach, changeEach),
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

async function remove(sql: Sql, id: MonitorId): Promise<boolean> {
  await reviseLocations(sql, id);
  if ((await sql.run("DELETE FROM monitors WHERE id = ?", [id])) === 0) return false;
  await sql.run("INSERT INTO removals (kind, id) VALUES ('monitor', ?)", [id]);
  return true;
}

/** Locations and channels that were deleted meanwhile are left out. */
async function place(
  sql: Sql,
  id: MonitorId,
  { locations, channels }: MonitorPlaces,
): Promise<boolean> {
  const [row] = await sql.all("SELECT id FROM monitors WHERE id = ?", [id]);
  if (row === undefined) return false;
  await reviseLocations(sql, id);
  await replace(sql, { table: "assignments", of: "location", among: "locations" }, id, locations);
  await replace(sql, { table: "channel_monitors", of: "channel", among: "channels" }, id, channels);
  await reviseLocations(sql, id);
  await sql.run(`${makeDue} monitor = ?`, [id]);
  return true;
}

/** Where it runs now and where it will, and which channels get it: its places are a part of those. */
async function placedAt(
  sql: Sql,
  id: MonitorId,
  { locations, channels }: MonitorPlaces,
): Promise<readonly Subject[]> {
  const at = await sql.all("SELECT location AS id FROM assignments WHERE monitor = ?", [id]);
  const by = await sql.all("SELECT channel AS id FROM channel_monitors WHERE monitor = ?", [id]);
  const merged = (rows: readonly Row[], wanted: readonly number[]): readonly number[] => [
    ...new Set([...rows.map((row) => integer(row, "id")), ...wanted]),
  ];
  return [
    ...subjects("location", merged(at, locations)),
    ...subjects("channel", merged(by, channels)),
  ];
}

interface Pairs {
  readonly table: "assignments" | "channel_monitors";
  readonly of: "location" | "channel";
  readonly among: "locations" | "channels";
}

async function replace(
  sql: Sql,
  { table, of, among }: Pairs,
  id: MonitorId,
  wanted: readonly number[],
): Promise<void> {
  const there = await allAmong(sql, `SELECT id FROM ${among} WHERE id IN (*)`, [], wanted);
  await sql.run(`DELETE FROM ${table} WHERE monitor = ?`, [id]);
  await insertRows(
    sql,
    `INSERT INTO ${table} (${of}, monitor)`,
    there.map((row) => [integer(row, "id"), id]),
    "ON CONFLICT DO NOTHING",
  );
}

async function changeEach(
  sql: Sql,
  ids: readonly MonitorId[],
  change: MonitorChange,
  at: EpochMillis,
): Promise<readonly MonitorId[]> {
  const select = "SELECT id, definition, labels FROM monitors WHERE id IN (*)";
  const rows = await allAmong(sql, select, [], ids);
  for (const row of rows) await changeOne(sql, row, change, at);
  return rows.map((row) => monitorId(integer(row, "id")));
}

async function changeOne(
  sql: Sql,
  row: Row,
  change: MonitorChange,
  at: EpochMillis,
): Promise<void> {
  const id = monitorId(integer(row, "id"));
  switch (change.kind) {
    case "delete":
      await remove(sql, id);
      return;
    case "location":
      await assign(sql, id, change);
      break;
    case "active":
    case "label": {
      const definition = changedBy(definitionIn(text(row, "definition")), change);
      await sql.run(
        `UPDATE monitors SET active = ?, definition = ?, labels = ?, revision = revision + 1, updated_at = ?
         WHERE id = ?`,
        [
          Number(definition.active),
          JSON.stringify(definition),
          JSON.stringify(definition.labels),
          at,
          id,
        ],
      );
      break;
    }
  }
  await reviseLocations(sql, id);
  await sql.run(`${makeDue} monitor = ?`, [id]);
}

async function assign(
  sql: Sql,
  id: MonitorId,
  { location, assigned }: Extract<MonitorChange, { kind: "location" }>,
): Promise<void> {
  // One that it is taken from has to know, too.
  await reviseLocations(sql, id);
  await sql.run(
    assigned
      ? "INSERT INTO assignments (location, monitor) SELECT id, ? FROM locations WHERE id = ? ON CONFLICT DO NOTHING"
      : "DELETE FROM assignments WHERE monitor = ? AND location = ?",
    [id, location],
  );
}

function changedBy(
  definition: MonitorDefinition,
  change: Extract<MonitorChange, { kind: "active" | "label" }>,
): MonitorDefinition {
  if (change.kind === "active") return { ...definition, active: change.active };
  const { [change.key]: _before, ...others } = definition.labels;
  const labels = change.value === null ? others : { ...others, [change.key]: change.value };
  return { ...definition, labels };
}

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
