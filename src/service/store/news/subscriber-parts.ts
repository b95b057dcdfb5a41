import { allAmong, insertRows, integer, type Sql } from "#service/store/sql";

/** Writes which components a subscriber is about: only those that are on the page. */
export async function putComponents(
  sql: Sql,
  id: number,
  page: number,
  components: readonly number[] | null,
): Promise<void> {
  await sql.run("DELETE FROM subscriber_components WHERE subscriber = ?", [id]);
  const there = await allAmong(
    sql,
    "SELECT id FROM page_components WHERE page = ? AND id IN (*)",
    [page],
    components ?? [],
  );
  const rows = there.map((row) => [id, integer(row, "id")]);
  await insertRows(sql, "INSERT INTO subscriber_components (subscriber, component)", rows, "");
}
