import {
  alters,
  altersEach,
  type Audit,
  type Subject,
  subjects,
} from "#service/store/audit/audited";
import type {
  MaintenanceUpdate,
  MaintenanceUpdates,
} from "#service/store/maintenance-update-store";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { announcePlan } from "#service/store/news/said-work";
import { maintenanceOf, planChanges } from "#service/store/verbs/planned-work";
import { restoresWorkUpdate, restoreWorkUpdate } from "#service/store/trash/removed-work-update";
import { epochMillis } from "#base/units";

/** An update that is deleted can be put back. */
const deletion: Audit<readonly [id: number], boolean> = {
  ...altersEach(ofUpdate),
  gone: (id) => [{ kind: "workUpdate", id: String(id) }],
};

/** What people say of planned work after they announced it: each is recorded as a part of its maintenance. */
export const maintenanceUpdates: VerbsOf<MaintenanceUpdates> = {
  add: writes("maintenanceUpdates.add", planChanges, alters("maintenance"), addUpdate),
  change: writes("maintenanceUpdates.change", planChanges, altersEach(ofUpdate), changeUpdate),
  delete: writes("maintenanceUpdates.delete", planChanges, deletion, deleteUpdate),
  putBack: writes("maintenanceUpdates.putBack", planChanges, restoresWorkUpdate, restoreWorkUpdate),
  get: reads("maintenanceUpdates.get", updateById),
  of: reads("maintenanceUpdates.of", updatesOf),
};

async function ofUpdate(sql: Sql, id: number): Promise<readonly Subject[]> {
  return subjects("maintenance", [(await updateById(sql, id))?.maintenance ?? null]);
}

async function addUpdate(
  sql: Sql,
  maintenance: number,
  { at, message, createdAt }: Parameters<MaintenanceUpdates["add"]>[1],
  announces: boolean,
): Promise<number | null> {
  const [row] = await sql.all("SELECT * FROM maintenances WHERE id = ?", [maintenance]);
  if (row === undefined) return null;
  const [made] = await sql.all(
    `INSERT INTO maintenance_updates (maintenance, at, message, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?) RETURNING id`,
    [maintenance, at, message, createdAt, createdAt],
  );
  if (announces) await announcePlan(sql, maintenance, { ...maintenanceOf(row), at: createdAt });
  return integer(made, "id");
}

async function changeUpdate(
  sql: Sql,
  id: number,
  { at, message, updatedAt }: Parameters<MaintenanceUpdates["change"]>[1],
): Promise<boolean> {
  return (
    (await sql.run(
      "UPDATE maintenance_updates SET at = ?, message = ?, updated_at = ? WHERE id = ?",
      [at, message, updatedAt, id],
    )) === 1
  );
}

async function deleteUpdate(sql: Sql, id: number): Promise<boolean> {
  return (await sql.run("DELETE FROM maintenance_updates WHERE id = ?", [id])) === 1;
}

async function updateById(sql: Sql, id: number): Promise<MaintenanceUpdate | null> {
  const [row] = await sql.all("SELECT * FROM maintenance_updates WHERE id = ?", [id]);
  return row === undefined ? null : updateOf(row);
}

export async function updatesOf(
  sql: Sql,
  maintenances: readonly number[],
): Promise<ReadonlyMap<number, readonly MaintenanceUpdate[]>> {
  const rows = await allAmong(
    sql,
    "SELECT * FROM maintenance_updates WHERE maintenance IN (*) ORDER BY at DESC, id DESC",
    [],
    maintenances,
  );
  return Map.groupBy(rows.map(updateOf), ({ maintenance }) => maintenance);
}

const updateOf = (row: Row): MaintenanceUpdate => ({
  id: integer(row, "id"),
  maintenance: integer(row, "maintenance"),
  at: epochMillis(integer(row, "at")),
  message: text(row, "message"),
  createdAt: epochMillis(integer(row, "created_at")),
  updatedAt: epochMillis(integer(row, "updated_at")),
});
