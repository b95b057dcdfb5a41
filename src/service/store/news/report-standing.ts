import { allAmong, insertRows, integer, type Sql, text } from "#service/store/sql";
import type { EpochMillis } from "#base/units";

/** A component that was removed meanwhile is left out. */
export async function joinReport(
  sql: Sql,
  report: number,
  components: readonly number[],
): Promise<void> {
  const there = await allAmong(
    sql,
    "SELECT id FROM page_components WHERE id IN (*)",
    [],
    components,
  );
  await insertRows(
    sql,
    "INSERT INTO report_components (report, component)",
    there.map((row) => [report, integer(row, "id")]),
    "ON CONFLICT DO NOTHING",
  );
}

/** An update may be written later for an earlier time: the newest by its date says how the report stands. */
export async function followNewest(sql: Sql, id: number, at: EpochMillis): Promise<void> {
  const [newest] = await sql.all(
    "SELECT status, at FROM report_updates WHERE report = ? ORDER BY at DESC, id DESC LIMIT 1",
    [id],
  );
  await sql.run("UPDATE reports SET status = ?, newest_at = ?, updated_at = ? WHERE id = ?", [
    text(newest, "status"),
    integer(newest, "at"),
    at,
    id,
  ]);
}
