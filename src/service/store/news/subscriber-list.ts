import { integer, type Sql } from "#service/store/sql";
import { stateConditions, type SubscriberState } from "#service/store/news/subscriber-state";
import type { Subscribers, SubscribersQuery } from "#service/store/subscriber-store";
import { subscribersOf } from "#service/store/verbs/subscriber-rows";

/** Subscribers of a page, the oldest first. */
export async function listSubscribers(
  sql: Sql,
  asked: SubscribersQuery,
): ReturnType<Subscribers["list"]> {
  const { limit, offset } = asked;
  const { where, values } = conditionOf(asked);
  const rows = await sql.all(
    `SELECT * FROM page_subscribers WHERE ${where} ORDER BY id LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  const counted = (state: SubscriberState): string =>
    `COUNT(CASE WHEN ${stateConditions[state]} THEN 1 END) AS ${state}`;
  const [counts] = await sql.all(
    `SELECT COUNT(*) AS count, ${counted("ended")}, ${counted("unconfirmed")}, ${counted("unsubscribed")}
     FROM page_subscribers WHERE ${where}`,
    values,
  );
  return {
    subscribers: await subscribersOf(sql, rows),
    total: integer(counts, "count"),
    ended: integer(counts, "ended"),
    unconfirmed: integer(counts, "unconfirmed"),
    unsubscribed: integer(counts, "unsubscribed"),
  };
}

function conditionOf(asked: SubscribersQuery): {
  readonly where: string;
  readonly values: readonly (string | number)[];
} {
  const { page, way, state } = asked;
  const own = state === undefined ? membersCondition(asked) : stateConditions[state];
  const where = `page = ? AND ${own}`;
  return way === undefined
    ? { where, values: [page] }
    : { where: `${where} AND way = ?`, values: [page, way] };
}

function membersCondition(asked: SubscribersQuery): string {
  const { withUnsubscribed, withUnconfirmed = true, withEnded = false } = asked;
  const confirmed = withUnconfirmed ? "" : " AND accepted_at IS NOT NULL";
  if (withUnsubscribed) return `1 = 1${confirmed}`;
  const ended = withEnded ? " OR ended_by_receiver = 1" : "";
  return `(unsubscribed_at IS NULL${ended})${confirmed}`;
}
