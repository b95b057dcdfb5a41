import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import { putComponents } from "#service/store/news/subscriber-parts";
import { integer, type Sql } from "#service/store/sql";
import type { SubscriberChange, SubscriberChangeOutcome } from "#service/store/subscriber-store";
import type { EpochMillis } from "#base/units";

/** Changes what an operator calls a subscriber and which components it is about, if it is still as that operator saw it. */
export async function changeSubscriber(
  sql: Sql,
  id: number,
  { name, components, seen }: SubscriberChange,
  at: EpochMillis,
  _logged: LoggedSubscriber,
): Promise<SubscriberChangeOutcome> {
  const there =
    "id = ? AND accepted_at IS NOT NULL AND (unsubscribed_at IS NULL OR ended_by_receiver = 1)";
  // Two changes in one millisecond differ, too.
  const changedAt = Math.max(at, seen + 1);
  const [row] = await sql.all(
    `UPDATE page_subscribers SET name = ?, is_whole = ?, updated_at = ? WHERE ${there} AND updated_at = ? RETURNING page`,
    [name, Number(components === null), changedAt, id, seen],
  );
  if (row === undefined) {
    const left = await sql.all(`SELECT id FROM page_subscribers WHERE ${there}`, [id]);
    return left.length === 0 ? "gone" : "overtaken";
  }
  await putComponents(sql, id, integer(row, "page"), components);
  return "changed";
}
