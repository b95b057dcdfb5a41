import { reportUpdatesMax } from "#limits/status-limits";
import { altersEach, type Audit, subjects } from "#service/store/audit/audited";
import { integer, type Sql, text } from "#service/store/sql";
import { type KeptRows, putBack } from "#service/store/trash/kept-rows";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import { epochMillis, type EpochMillis } from "#base/units";

type Restoring = readonly [update: number, since: EpochMillis];

/** The log has it as a change of the maintenance. */
export const restoresWorkUpdate: Audit<Restoring, RestoreOutcome> = {
  ...altersEach(async (sql: Sql, update: number) => {
    const kept = await keptUpdate(sql, update, epochMillis(0));
    return kept === null ? [] : subjects("maintenance", [workOf(kept)]);
  }),
  undoes: () => true,
};

/** An update of planned work is there again as it was. */
export async function restoreWorkUpdate(
  sql: Sql,
  update: number,
  since: EpochMillis,
): Promise<RestoreOutcome> {
  const kept = await keptUpdate(sql, update, since);
  if (kept === null) return (await isThere(sql, update)) ? "there" : "gone";
  const [known] = await sql.all(
    "SELECT COUNT(id) AS count FROM maintenance_updates WHERE maintenance = ?",
    [workOf(kept)],
  );
  if (integer(known, "count") >= reportUpdatesMax) return "full";
  await putBack(sql, "workUpdate", kept);
  // Its maintenance is deleted, and may come back.
  if (!(await isThere(sql, update))) return "gone";
  await sql.run("DELETE FROM trash WHERE kind = 'workUpdate' AND id = ?", [update]);
  return "restored";
}

const isThere = async (sql: Sql, update: number): Promise<boolean> =>
  (await sql.all("SELECT id FROM maintenance_updates WHERE id = ?", [update])).length === 1;

async function keptUpdate(sql: Sql, update: number, since: EpochMillis): Promise<KeptRows | null> {
  const select = `SELECT kept FROM trash WHERE kind = 'workUpdate' AND id = ? AND deleted_at > ?${sql.words.forUpdate}`;
  const [row] = await sql.all(select, [update, since]);
  return row === undefined ? null : JSON.parse(text(row, "kept"));
}

const workOf = (kept: KeptRows): number => integer(kept[0]?.rows[0], "maintenance");
