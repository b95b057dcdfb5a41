import { type Subject, subjects } from "#service/store/audit/audited";
import { integer, type Sql } from "#service/store/sql";

/** What is on a page is a part of it. */
export async function pageOfPart(
  sql: Sql,
  table: "page_components" | "page_groups",
  id: number,
): Promise<readonly Subject[]> {
  const rows = await sql.all(`SELECT page FROM ${table} WHERE id = ?`, [id]);
  return subjects(
    "page",
    rows.map((row) => integer(row, "page")),
  );
}
