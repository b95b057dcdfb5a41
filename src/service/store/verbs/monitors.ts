import { altersEach, type Audit, deletes, subjects } from "#service/store/audit/audited";
import type { MonitorChange, MonitorPlaces } from "#service/store/monitor-change";
import type { MonitorDefinition } from "#check/definition";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import * as storeLimits from "#limits/store-limits";
import {
  allAmong,
  insertRows,
  integer,
  type Row,
  type Sql,
  type SqlValue,
  text,
} from "#service/store/sql";
import type { MonitorRow, Monitors, NewMonitor, Page } from "#service/store/state-store";
import { moving, movingEach, revising } from "#service/store/verbs/assignment-changes";
import { lockWithLocations } from "#service/store/verbs/monitor-locks";
import { definitionOf } from "#service/store/verbs/written-definition";
import { asMade } from "#service/store/verbs/as-made";
import { makeDue } from "#service/store/verbs/due-states";
import {
  changeable,
  create,
  createEach,
  makesEach,
  makesOne,
} from "#service/store/verbs/monitors/made-monitors";
import { marksOfAll, place, placedAt } from "#service/store/verbs/placed-monitors";
import { withinRules } from "#service/store/verbs/within-rules";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { type EpochMillis, epochMillis } from "#base/units";

/** What is assigned is a part of the location. */
const changesOfEach: Audit<Parameters<Monitors["changeEach"]>, unknown> = {
  ...altersEach(async (sql, ids: readonly MonitorId[], change: MonitorChange) => {
    const more = change.kind === "location" ? [change.location] : [];
    await lockWithLocations(sql, ids, more);
    return more.length > 0 ? subjects("location", more) : subjects("monitor", ids);
  }),
  gone: (ids, change) => (change.kind === "delete" ? subjects("monitor", ids) : []),
  // Only an Undo says what the change before it made.
  undoes: (_ids, _change, _at, made) => made !== undefined,
};

/** The monitors, and what is assigned where. */
export const monitors: VerbsOf<Monitors> = {
  create: writes("monitors.create", "assignments", makesOne, create),
  createEach: writes("monitors.createEach", "assignments", makesEach, createEach),
  update: writes(
    "monitors.update",
    "assignments",
    altersEach(async (sql, id: MonitorId, _to: NewMonitor, places?: MonitorPlaces) => [
      ...subjects("monitor", [id]),
      ...(places === undefined ? [] : await placedAt(sql, id, places)),
    ]),
    update,
  ),
  delete: writes("monitors.delete", "assignments", deletes("monitor"), remove),
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
  list: reads("monitors.list", async (sql, page: Page & { readonly after?: number }) => {
    const { after = 0, limit, offset } = page;
    const part = "SELECT * FROM monitors WHERE id > ? ORDER BY id LIMIT ? OFFSET ?";
    return monitorsOf(sql, await sql.all(part, [after, limit, offset]));
  }),
  marks: reads("monitors.marks", marksOfAll),
  count: reads("monitors.count", countOf),
  isFull: reads("monitors.isFull", async (sql, most: number) => {
    // Ids begin with 1, and none comes twice: so it is quick for as long as fewer were ever made.
    const [row] = await sql.all("SELECT COALESCE(MAX(id), 0) AS newest FROM monitors");
    return integer(row, "newest") >= most && (await countOf(sql)) >= most;
  }),
  activeIds: reads("monitors.activeIds", async (sql, location: LocationId) => {
    const rows = await sql.all(
      `SELECT monitors.id FROM assignments JOIN monitors ON monitors.id = assignments.monitor
       WHERE assignments.location = ? AND monitors.active = 1 ORDER BY monitors.id`,
      [location],
    );
    return rows.map((row) => monitorId(integer(row, "id")));
  }),
};

async function countOf(sql: Sql): Promise<number> {
  return integer((await sql.all("SELECT COUNT(*) AS count FROM monitors"))[0], "count");
}

async function update(
  sql: Sql,
  id: MonitorId,
  to: NewMonitor,
  places?: MonitorPlaces,
): Promise<boolean> {
  const update = `UPDATE monitors SET active = ?, definition = ?, owner = ?, labels = ?, revision = revision + 1, updated_at = ?
       WHERE id = ? AND kind = ?`;
  const values = [...changeable(to), to.at, id, to.definition.kind];
  const write = async (): Promise<boolean> => {
    if ((await sql.run(update, values)) === 0) return false;
    if (places !== undefined) await place(sql, id, places);
    return true;
  };
  const isThere = await (places === undefined ? revising : moving)(sql, id, write);
  if (!isThere) return false;
  await sql.run(`${makeDue} monitor = ?`, [id]);
  return true;
}

async function remove(sql: Sql, id: MonitorId): Promise<boolean> {
  const gone = await revising(sql, id, () => sql.run("DELETE FROM monitors WHERE id = ?", [id]));
  if (gone === 0) return false;
  await sql.run("INSERT INTO removals (kind, id) VALUES ('monitor', ?)", [id]);
  return true;
}

async function changeEach(
  sql: Sql,
  ids: readonly MonitorId[],
  change: MonitorChange,
  at: EpochMillis,
  made?: MonitorChange,
): Promise<readonly MonitorId[]> {
  const found = await allAmong(sql, "SELECT * FROM monitors WHERE id IN (*)", [], ids);
  const meant = made === undefined ? found : await asMade(sql, found, made);
  const rows = await withinRules(sql, meant, change);
  const there = rows.map((row) => monitorId(integer(row, "id")));
  await movingEach(sql, there, () => changeRows(sql, rows, change, at));
  return there;
}

/** All in few statements: for PostgreSQL each is a way there and back. */
async function changeRows(
  sql: Sql,
  rows: readonly Row[],
  change: MonitorChange,
  at: EpochMillis,
): Promise<void> {
  const ids = rows.map((row) => integer(row, "id"));
  switch (change.kind) {
    case "delete":
      await allAmong(sql, "DELETE FROM monitors WHERE id IN (*) RETURNING id", [], ids);
      await insertRows(
        sql,
        "INSERT INTO removals (kind, id)",
        ids.map((id) => ["monitor", id]),
        "",
      );
      return;
    case "location":
      await assignEach(sql, ids, change);
      break;
    case "active":
    case "label":
      await rewriteEach(sql, rows, change, at);
  }
  await allAmong(sql, `${makeDue} monitor IN (*) RETURNING monitor`, [], ids);
}

/** Rows that are there: each conflicts with itself, so that one statement changes many. */
async function rewriteEach(
  sql: Sql,
  rows: readonly Row[],
  change: Extract<MonitorChange, { kind: "active" | "label" }>,
  at: EpochMillis,
): Promise<void> {
  const changed = rows.map((row): readonly SqlValue[] => {
    const definition = changedBy(definitionOf(row), change);
    return [
      integer(row, "id"),
      text(row, "uid"),
      definition.kind,
      Number(definition.active),
      JSON.stringify(definition),
      text(row, "owner"),
      JSON.stringify(definition.labels),
      integer(row, "revision") + 1,
      integer(row, "created_at"),
      at,
    ];
  });
  await insertRows(
    sql,
    `INSERT INTO monitors (id, uid, kind, active, definition, owner, labels, revision, created_at, updated_at)`,
    changed,
    `ON CONFLICT (id) DO UPDATE SET active = excluded.active, definition = excluded.definition,
       labels = excluded.labels, revision = excluded.revision, updated_at = excluded.updated_at`,
  );
}

async function assignEach(
  sql: Sql,
  ids: readonly number[],
  { location, assigned }: Extract<MonitorChange, { kind: "location" }>,
): Promise<void> {
  const isThere = await sql.all("SELECT id FROM locations WHERE id = ?", [location]);
  if (isThere.length === 0) return;
  if (assigned)
    await insertRows(
      sql,
      "INSERT INTO assignments (location, monitor)",
      ids.map((id) => [location, id]),
      "ON CONFLICT DO NOTHING",
    );
  else
    await allAmong(
      sql,
      "DELETE FROM assignments WHERE location = ? AND monitor IN (*) RETURNING monitor",
      [location],
      ids,
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
    const definition = definitionOf(row);
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
