import { type Subject, subjects } from "#service/store/audit/audited";
import { integer, type Row, type Sql } from "#service/store/sql";
import { epochMillis, type EpochMillis } from "#base/units";

/* What the tables of status pages, and of what stands on them, have in common. */

export const timesOf = (
  row: Row,
): { readonly createdAt: EpochMillis; readonly updatedAt: EpochMillis } => ({
  createdAt: epochMillis(integer(row, "created_at")),
  updatedAt: epochMillis(integer(row, "updated_at")),
});

export const countIn = async (
  sql: Sql,
  select: string,
  values: readonly number[] = [],
): Promise<number> => integer((await sql.all(select, values))[0], "count");

/** Where parts of a page are. */
export type PartTable = "page_components" | "page_groups" | "page_templates";

/** What is on a page is a part of it. */
export async function pageOfPart(
  sql: Sql,
  table: PartTable,
  id: number,
): Promise<readonly Subject[]> {
  const rows = await sql.all(`SELECT page FROM ${table} WHERE id = ?`, [id]);
  return subjects(
    "page",
    rows.map((row) => integer(row, "page")),
  );
}
