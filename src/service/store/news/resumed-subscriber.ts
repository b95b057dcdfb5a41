import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import { lockPage } from "#service/store/news/page-asks";
import { isFull } from "#service/store/news/subscriber-room";
import type { Sql } from "#service/store/sql";
import type { ResumeOutcome } from "#service/store/subscriber-store";
import type { EpochMillis } from "#base/units";

/** Takes up a subscription again that its receiver ended, as if nothing had been refused. What it missed is not sent. */
export async function resumeSubscriber(
  sql: Sql,
  id: number,
  at: EpochMillis,
  { page, way }: LoggedSubscriber,
): Promise<ResumeOutcome> {
  await lockPage(sql, page);
  const ended = "id = ? AND ended_by_receiver = 1";
  const [row] = await sql.all(`SELECT id FROM page_subscribers WHERE ${ended}`, [id]);
  if (row === undefined) return "gone";
  if (await isFull(sql, page, way)) return "full";
  const resumed = await sql.run(
    `UPDATE page_subscribers SET unsubscribed_at = NULL, ended_by_receiver = 0, refusals = 0, trouble = '',
       failing_since = NULL, updated_at = ? WHERE ${ended}`,
    [at, id],
  );
  return resumed === 1 ? "resumed" : "gone";
}
