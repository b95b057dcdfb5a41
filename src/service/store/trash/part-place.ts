import * as limits from "#limits/status-limits";
import { integer, type Sql, text } from "#service/store/sql";
import type { KeptRows } from "#service/store/trash/kept-rows";
import { partTables } from "#service/store/trash/throwing-away";
import type { PartKind } from "#service/store/trash/trash-store";

const most: { readonly [K in PartKind]: number } = {
  component: limits.pageComponentsMax,
  group: limits.pageGroupsMax,
};

export const pageOf = (kept: KeptRows): number => integer(kept[0]?.rows[0], "page");

/** Whose files say the page of a part now; empty if none do, or it is gone. */
export async function ownerOfPage(sql: Sql, kept: KeptRows): Promise<string> {
  const [page] = await sql.all("SELECT owner FROM pages WHERE id = ?", [pageOf(kept)]);
  return page === undefined ? "" : text(page, "owner");
}

/** Whether a page has as many parts of a kind as it may have. */
export async function isFull(sql: Sql, kind: PartKind, kept: KeptRows): Promise<boolean> {
  const select = `SELECT COUNT(*) AS count FROM ${partTables[kind]} WHERE page = ?`;
  return integer((await sql.all(select, [pageOf(kept)]))[0], "count") >= most[kind];
}
