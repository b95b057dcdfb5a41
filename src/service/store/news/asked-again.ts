import { noteAsk, refusalOf } from "#service/store/news/page-asks";
import { isFull } from "#service/store/news/subscriber-room";
import type { Sql } from "#service/store/sql";
import type { AddOutcome, NewSubscription, SubscriberRow } from "#service/store/subscriber-store";
import { insertLetter } from "#service/store/verbs/letter-rows";

/**
 * Has a reader who left asked whether news are wanted again, as an operator adds the address. Until the mail's link is
 * followed nothing comes, and what the reader chose stays. One mailbox has only so many such mails, whoever asks for them.
 */
export async function askAgain(
  sql: Sql,
  { id, unsubscribedAt }: SubscriberRow,
  { page, way, mark, sealed, name, at }: NewSubscription,
): Promise<AddOutcome> {
  const asked = { page, mark, sealed, mayGet: true, reader: "", at };
  if ((await refusalOf(sql, asked)) !== null) return "too often";
  if (await isFull(sql, page, way)) return "full";
  if ((await noteAsk(sql, asked, unsubscribedAt)) === null) return "too often";
  await sql.run("UPDATE page_subscribers SET asked_at = ?, updated_at = ? WHERE id = ?", [
    at,
    at,
    id,
  ]);
  if (name !== "") await sql.run("UPDATE page_subscribers SET name = ? WHERE id = ?", [name, id]);
  await insertLetter(sql, { page, kind: "confirmation", subscriber: id, at });
  return { id, isNew: false, isAsked: true };
}
