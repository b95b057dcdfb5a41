import { integer, type Row, type Sql, text } from "#service/store/sql";
import type { KeptRows } from "#service/store/trash/kept-rows";

const table = "page_letters";

/**
 * Takes a letter out of what was deleted while it was under way, so that it is not sent again with what is put back.
 * Gives its row, or undefined if none was kept.
 */
export async function takeKeptLetter(
  sql: Sql,
  holder: string,
  letter: number,
): Promise<Row | undefined> {
  // A courier's name is random, and is in nothing that it does not hold.
  const mark = `%"holder":${JSON.stringify(holder)}%`;
  const rows = await sql.all(
    `SELECT kind, id, kept FROM trash WHERE kept LIKE ? ORDER BY kind, id${sql.words.forUpdate}`,
    [mark],
  );
  for (const row of rows) {
    const kept: KeptRows = JSON.parse(text(row, "kept"));
    const isIt = (one: Row): boolean => integer(one, "id") === letter && one["holder"] === holder;
    const found = kept.find((one) => one.table === table && one.rows.some(isIt));
    if (found === undefined) continue;
    const rest = kept.map((one) =>
      one === found ? { table, rows: one.rows.filter((other) => !isIt(other)) } : one,
    );
    await sql.run("UPDATE trash SET kept = ? WHERE kind = ? AND id = ?", [
      JSON.stringify(rest),
      text(row, "kind"),
      integer(row, "id"),
    ]);
    return found.rows.find(isIt);
  }
  return undefined;
}
