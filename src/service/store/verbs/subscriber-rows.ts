import { locales } from "#service/status-page/page-definition";
import { allAmong, integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import { type SubscriberRow, subscriberSources } from "#service/store/subscriber-store";
import { epochMillis } from "#base/units";

/** Rows of the table, with their components. */
export async function subscribersOf(
  sql: Sql,
  rows: readonly Row[],
): Promise<readonly SubscriberRow[]> {
  const pairs = await allAmong(
    sql,
    "SELECT subscriber, component FROM subscriber_components WHERE subscriber IN (*)",
    [],
    rows.map((row) => integer(row, "id")),
  );
  const componentsOf = Map.groupBy(pairs, (row) => integer(row, "subscriber"));
  return rows.map((row) => subscriberOf(row, componentsOf.get(integer(row, "id")) ?? []));
}

/** What is kept of who left says nothing of one that is active again, or was ended since. */
const hasLeftItself = (row: Row): boolean =>
  integer(row, "left_by_reader") === 1 &&
  integer(row, "ended_by_receiver") === 0 &&
  optionalInstant(row, "unsubscribed_at") !== null;

function subscriberOf(row: Row, pairs: readonly Row[]): SubscriberRow {
  const lastSentAt = optionalInstant(row, "last_sent_at");
  const word = text(row, "source");
  const components = pairs.map((pair) => integer(pair, "component")).toSorted((a, b) => a - b);
  return {
    id: integer(row, "id"),
    page: integer(row, "page"),
    way: text(row, "way") === "webhook" ? "webhook" : "email",
    mark: text(row, "mark"),
    sealed: text(row, "sealed"),
    name: text(row, "name"),
    source: subscriberSources.find((source) => source === word) ?? "self_signup",
    locale: locales.find((locale) => locale === text(row, "locale")) ?? "en",
    components: integer(row, "is_whole") === 1 ? null : components,
    askedAt: optionalInstant(row, "asked_at"),
    acceptedAt: optionalInstant(row, "accepted_at"),
    unsubscribedAt: optionalInstant(row, "unsubscribed_at"),
    refusals: integer(row, "refusals"),
    trouble: text(row, "trouble"),
    failingSince: optionalInstant(row, "failing_since"),
    lastSent:
      lastSentAt === null ? null : { at: lastSentAt, trouble: text(row, "last_sent_trouble") },
    isEndedByReceiver: integer(row, "ended_by_receiver") === 1,
    hasLeftItself: hasLeftItself(row),
    createdAt: epochMillis(integer(row, "created_at")),
    updatedAt: epochMillis(integer(row, "updated_at")),
  };
}
