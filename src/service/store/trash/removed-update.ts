import { reportUpdatesMax } from "#limits/status-limits";
import { altersEach, type Audit, subjects } from "#service/store/audit/audited";
import { updateOf } from "#service/store/news/report-rows";
import { followNewest, joinReport } from "#service/store/news/report-standing";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import { type KeptRows, putBack } from "#service/store/trash/kept-rows";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import { epochMillis, type EpochMillis } from "#base/units";

type Restoring = readonly [update: number, since: EpochMillis, at: EpochMillis];

/** The log has it as a change of the report. */
export const restoresUpdate: Audit<Restoring, RestoreOutcome> = {
  ...altersEach(async (sql: Sql, update: number) => {
    const kept = await keptUpdate(sql, update, epochMillis(0));
    return kept === null ? [] : subjects("report", [reportOf(kept)]);
  }),
  undoes: () => true,
};

/** As it was, with its letters that were not sent yet: the report stands as its newest update says. */
export async function restoreUpdate(
  sql: Sql,
  update: number,
  since: EpochMillis,
  at: EpochMillis,
): Promise<RestoreOutcome> {
  const kept = await keptUpdate(sql, update, since);
  if (kept === null) return (await updateRow(sql, update)) === undefined ? "gone" : "there";
  const report = reportOf(kept);
  const [known] = await sql.all("SELECT COUNT(id) AS count FROM report_updates WHERE report = ?", [
    report,
  ]);
  if (integer(known, "count") >= reportUpdatesMax) return "full";
  await putBack(sql, "update", kept);
  const row = await updateRow(sql, update);
  // Its report is deleted, and may come back.
  if (row === undefined) return "gone";
  await sql.run("DELETE FROM trash WHERE kind = 'update' AND id = ?", [update]);
  await joinReport(
    sql,
    report,
    updateOf(row).impacts.map(({ component }) => component),
  );
  await followNewest(sql, report, at);
  return "restored";
}

const updateRow = async (sql: Sql, update: number): Promise<Row | undefined> =>
  (await sql.all("SELECT * FROM report_updates WHERE id = ?", [update]))[0];

async function keptUpdate(sql: Sql, update: number, since: EpochMillis): Promise<KeptRows | null> {
  const select = `SELECT kept FROM trash WHERE kind = 'update' AND id = ? AND deleted_at > ?${sql.words.forUpdate}`;
  const [row] = await sql.all(select, [update, since]);
  return row === undefined ? null : JSON.parse(text(row, "kept"));
}

const reportOf = (kept: KeptRows): number => integer(kept[0]?.rows[0], "report");
