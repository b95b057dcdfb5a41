import { type Row, text } from "#service/store/sql";
import type { KeptRows } from "#service/store/trash/kept-rows";
import { iconNameIn, isKeptIcon } from "#service/status-page/icon-name";

/**
 * A page whose icon is a file that was not kept with it has none: a replica of a version that knows no such files may
 * have deleted it, and readers would get a 404.
 */
export function withoutLostIcon(kept: KeptRows): KeptRows {
  const files = kept.filter(({ table }) => table === "page_icons").flatMap(({ rows }) => rows);
  const names = new Set(files.map((row) => text(row, "name")));
  return kept.map(({ table, rows }) => ({
    table,
    rows: table === "pages" ? rows.map((row) => withKnownIcon(row, names)) : rows,
  }));
}

function withKnownIcon(row: Row, names: ReadonlySet<string>): Row {
  const definition: { readonly icon?: string } = JSON.parse(text(row, "definition"));
  const { icon = "" } = definition;
  if (!isKeptIcon(icon) || names.has(iconNameIn(icon) ?? "")) return row;
  return { ...row, definition: JSON.stringify({ ...definition, icon: "" }) };
}
