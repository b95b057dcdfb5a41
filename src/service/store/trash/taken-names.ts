import { type Sql, text } from "#service/store/sql";
import type { KeptRows } from "#service/store/trash/kept-rows";

/** Whether another page has the name or the domain of one that was deleted: no two pages have the same. */
export async function isTaken(sql: Sql, kept: KeptRows): Promise<boolean> {
  const page = kept.find(({ table }) => table === "pages")?.rows[0];
  const found = await sql.all(
    "SELECT id FROM pages WHERE slug = ? OR (domain = ? AND domain <> '')",
    [text(page, "slug"), text(page, "domain")],
  );
  return found.length > 0;
}
