import * as limits from "#limits/status-limits";
import { allAmong, integer, type Row, type Sql, text } from "#service/store/sql";
import type { KeptRows } from "#service/store/trash/kept-rows";
import { partTables } from "#service/store/trash/throwing-away";
import type { PartKind } from "#service/store/trash/trash-store";

const most: { readonly [K in PartKind]: number } = {
  component: limits.pageComponentsMax,
  group: limits.pageGroupsMax,
  template: limits.pageTemplatesMax,
};

export const pageOf = (kept: KeptRows): number => integer(kept[0]?.rows[0], "page");

/** Whose files say the page of a part now; empty if none do, or it is gone. */
export async function ownerOfPage(sql: Sql, kept: KeptRows): Promise<string> {
  const [page] = await sql.all("SELECT owner FROM pages WHERE id = ?", [pageOf(kept)]);
  return page === undefined ? "" : text(page, "owner");
}

/**
 * Whether the page of planned work is there; that of none is not missed. Its row has the page as a text, which keeps no
 * page: whoever deletes it waits until the work is back, and takes it along. The table's lock comes first, as for the
 * rows of objects.
 */
export async function hasPage(sql: Sql, kept: KeptRows): Promise<boolean> {
  const page = text(kept[0]?.rows[0], "page");
  if (page === "") return true;
  if (sql.words.engine !== "sqlite") await sql.all("LOCK TABLE pages IN ROW EXCLUSIVE MODE");
  const select = `SELECT id FROM pages WHERE id = ?${sql.words.forUpdate}`;
  return (await sql.all(select, [Number(page)])).length === 1;
}

/** Whether a page has as many parts of a kind as it may have. */
export async function isFull(sql: Sql, kind: PartKind, kept: KeptRows): Promise<boolean> {
  return (await countOf(sql, kind, pageOf(kept))) >= most[kind];
}

async function countOf(sql: Sql, kind: PartKind, page: number): Promise<number> {
  const select = `SELECT COUNT(*) AS count FROM ${partTables[kind]} WHERE page = ?`;
  return integer((await sql.all(select, [page]))[0], "count");
}

/**
 * What goes with a monitor, without the components that their pages have no place for now: a page may be full, or of
 * files, which say themselves what stands on it. What they say now is not known: they may have been applied since.
 */
export async function withPlaces(sql: Sql, kept: KeptRows): Promise<KeptRows> {
  const table = partTables.component;
  const components = kept.find((one) => one.table === table)?.rows ?? [];
  const placed: Row[] = [];
  const byPage = Map.groupBy(components, (row) => integer(row, "page"));
  const owned = await lockedPages(sql, [...byPage.keys()]);
  for (const [page, rows] of byPage) {
    if (owned.has(page)) continue;
    const room = Math.max(0, most.component - (await countOf(sql, "component", page)));
    placed.push(...rows.slice(0, room));
  }
  if (placed.length === components.length) return kept;
  return kept.map((one) => (one.table === table ? { table, rows: placed } : one));
}

/** Those that files own. Whoever adds a component to any of them waits, so that they have room as it is counted. */
async function lockedPages(sql: Sql, pages: readonly number[]): Promise<ReadonlySet<number>> {
  const select = `SELECT id, owner FROM pages WHERE id IN (*) ORDER BY id${sql.words.forUpdate}`;
  const ordered = pages.toSorted((a, b) => a - b);
  const owned = (await allAmong(sql, select, [], ordered)).filter(
    (row) => text(row, "owner") !== "",
  );
  return new Set(owned.map((row) => integer(row, "id")));
}
