import * as limits from "#limits/status-limits";
import { integer, type Sql } from "#service/store/sql";
import type { SubscriberWay } from "#service/store/subscriber-store";

/** Whether a page has as many subscribers by a way as it may have. Those who left count for nothing. */
export async function isFull(sql: Sql, page: number, way: SubscriberWay): Promise<boolean> {
  const select =
    "SELECT COUNT(*) AS count FROM page_subscribers WHERE page = ? AND way = ? AND unsubscribed_at IS NULL";
  return integer((await sql.all(select, [page, way]))[0], "count") >= roomFor[way];
}

const roomFor: { readonly [W in SubscriberWay]: number } = {
  email: limits.pageSubscribersMax,
  webhook: limits.pageWebhooksMax,
};
