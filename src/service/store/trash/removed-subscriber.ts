import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import { lockPage } from "#service/store/news/page-asks";
import { isFull } from "#service/store/news/subscriber-room";
import { integer, optionalInteger, type Row, type Sql, text } from "#service/store/sql";
import { type KeptRows, putBack, sqlValueOf } from "#service/store/trash/kept-rows";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import type { EpochMillis } from "#base/units";

/**
 * Puts back a subscriber whom an operator removed. The row of one who left stays for a while, so that it is filled again,
 * and is no hindrance to whoever subscribes anew with the same address: then nothing is put back.
 */
export async function restoreSubscriber(
  sql: Sql,
  id: number,
  since: EpochMillis,
  { page, way }: LoggedSubscriber,
): Promise<RestoreOutcome> {
  await lockPage(sql, page);
  await lockSubscriber(sql, id);
  const [now] = await sql.all("SELECT * FROM page_subscribers WHERE id = ?", [id]);
  if (now === undefined) return "gone";
  const isIn = now["unsubscribed_at"] === null;
  const [row] = await sql.all(
    "SELECT kept FROM trash WHERE kind = 'subscriber' AND id = ? AND deleted_at > ?",
    [id, since],
  );
  if (row === undefined) return isIn ? "there" : "gone";
  if (isIn) return "again";
  if (await isFull(sql, page, way)) return "full";
  const kept: KeptRows = JSON.parse(text(row, "kept"));
  await fill(sql, now, kept);
  await sql.run("DELETE FROM subscriber_components WHERE subscriber = ?", [id]);
  await putBack(sql, "subscriber", kept);
  await sql.run("DELETE FROM trash WHERE kind = 'subscriber' AND id = ?", [id]);
  return "restored";
}

/** What is sent to it and what it leaves wait for each other: its letters first, as a courier takes them. */
export async function lockSubscriber(sql: Sql, id: number): Promise<void> {
  if (sql.words.engine === "sqlite") return;
  const { forUpdate } = sql.words;
  await sql.all(`SELECT id FROM page_letters WHERE subscriber = ? ORDER BY id${forUpdate}`, [id]);
  await sql.all(`SELECT id FROM page_subscribers WHERE id = ?${forUpdate}`, [id]);
}

/** Whether its letters arrive is as it is known by now. */
const known = new Set([
  "id",
  "refusals",
  "trouble",
  "failing_since",
  "last_sent_at",
  "last_sent_trouble",
]);

async function fill(sql: Sql, now: Row, kept: KeptRows): Promise<void> {
  const own = kept.find(({ table }) => table === "page_subscribers")?.rows[0] ?? {};
  // The mail whose link is waited for is the newest that was asked for.
  const askedAt = optionalInteger(now, "asked_at") ?? own["asked_at"];
  const filled = Object.entries({ ...own, asked_at: askedAt }).filter(([name]) => !known.has(name));
  await sql.run(
    `UPDATE page_subscribers SET ${filled.map(([name]) => `${name} = ?`).join(", ")} WHERE id = ?`,
    [...filled.map(([, value]) => sqlValueOf(value)), integer(now, "id")],
  );
}
