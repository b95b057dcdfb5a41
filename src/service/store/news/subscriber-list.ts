import { integer, type Sql } from "#service/store/sql";
import type { Subscribers, SubscribersQuery } from "#service/store/subscriber-store";
import { subscribersOf } from "#service/store/verbs/subscriber-rows";

/** Subscribers of a page, the oldest first. */
export async function listSubscribers(
  sql: Sql,
  asked: SubscribersQuery,
): ReturnType<Subscribers["list"]> {
  const { page, limit, offset } = asked;
  const where = conditionOf(asked);
  const rows = await sql.all(
    `SELECT * FROM page_subscribers WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`,
    [page, limit, offset],
  );
  const [counts] = await sql.all(
    `SELECT COUNT(*) AS count, COUNT(CASE WHEN ended_by_receiver = 1 THEN 1 END) AS ended,
       COUNT(CASE WHEN accepted_at IS NULL AND unsubscribed_at IS NULL THEN 1 END) AS unconfirmed
     FROM page_subscribers WHERE ${where}`,
    [page],
  );
  return {
    subscribers: await subscribersOf(sql, rows),
    total: integer(counts, "count"),
    ended: integer(counts, "ended"),
    unconfirmed: integer(counts, "unconfirmed"),
  };
}

function conditionOf(asked: SubscribersQuery): string {
  const { withUnsubscribed, withUnconfirmed = true, withEnded = false } = asked;
  const confirmed = withUnconfirmed ? "" : " AND accepted_at IS NOT NULL";
  if (withUnsubscribed) return `page = ?${confirmed}`;
  const ended = withEnded ? " OR ended_by_receiver = 1" : "";
  return `page = ? AND (unsubscribed_at IS NULL${ended})${confirmed}`;
}
