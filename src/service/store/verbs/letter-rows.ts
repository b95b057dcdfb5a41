import { beginTally } from "#service/store/news/tally-rows";
import { undoneWithin } from "#limits/service-limits";
import { insertRows, integer, type Row, type Sql, type SqlValue, text } from "#service/store/sql";
import type { CancelledWork } from "#service/store/trash/cancelled-work";
import { after, epochMillis, type EpochMillis } from "#base/units";

/** A letter before it is written: of which kind, to whom, and what it is about. */
type NewLetter = { readonly page: number; readonly at: EpochMillis } & (
  | { readonly kind: "confirmation"; readonly subscriber: number }
  | { readonly kind: "entry"; readonly ask: number; readonly sealed: string }
);

export async function insertLetter(sql: Sql, letter: NewLetter): Promise<void> {
  const { page, kind, at } = letter;
  const [subscriber, ask, sealed] =
    letter.kind === "entry"
      ? [null, letter.ask, letter.sealed]
      : ([letter.subscriber, null, ""] as const);
  await sql.run(
    `INSERT INTO page_letters (page, kind, subscriber, ask, sealed, created_at, due_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [page, kind, subscriber, ask, sealed, at, at],
  );
}

/** What a report or a maintenance concerns: the page as a whole, where it names no component. */
interface News {
  readonly page: number;
  readonly kind: "report" | "maintenance";
  /** The id of the update, or of the maintenance. */
  readonly about: number;
  readonly components: readonly number[];
  readonly at: EpochMillis;
}

/** Writes a letter to each subscriber whom it concerns, in the transaction that makes the news. */
export async function announce(sql: Sql, news: News): Promise<void> {
  const { page, kind, about, at } = news;
  await beginTally(sql, news);
  const column = kind === "report" ? "report_update" : "maintenance";
  const rows = (await concernedBy(sql, news)).map(({ id, way }) => [
    page,
    kind,
    id,
    about,
    "",
    at,
    at,
    way,
  ]);
  const columns = `page, kind, subscriber, ${column}, sealed, created_at, due_at, way`;
  await insertRows(sql, `INSERT INTO page_letters (${columns})`, rows, "");
}

/**
 * The same about planned work that was deleted, in the transaction that purges it from the trash. What the letters say is in
 * them, as the work is gone.
 */
export async function announceDeleted(sql: Sql, purged: Row): Promise<void> {
  const sealed = text(purged, "cancelled");
  if (sealed === "") return;
  const work: CancelledWork = JSON.parse(sealed);
  const at = after(epochMillis(integer(purged, "deleted_at")), undoneWithin);
  const rows = (await concernedBy(sql, work)).map(({ id, way }) => [
    work.page,
    "cancellation",
    id,
    sealed,
    at,
    at,
    wayOfCancellation(way),
  ]);
  const columns = "page, kind, subscriber, sealed, created_at, due_at, way";
  await insertRows(sql, `INSERT INTO page_letters (${columns})`, rows, "");
}

/** A replica of an older version asks for its ways alone: it would send such a letter as a confirmation. */
export const wayOfCancellation = (way: string): string => `${way}: cancellation`;

/** The subscribers whom news about some components concern. */
async function concernedBy(
  sql: Sql,
  { page, components }: Pick<News, "page" | "components">,
): Promise<readonly { readonly id: number; readonly way: string }[]> {
  const active = "page = ? AND accepted_at IS NOT NULL AND unsubscribed_at IS NULL";
  const marks = components.map(() => "?").join(", ");
  const [concerned, values]: readonly [string, readonly SqlValue[]] =
    components.length === 0
      ? ["", [page]]
      : [
          ` AND (is_whole = 1 OR EXISTS (SELECT 1 FROM subscriber_components
              WHERE subscriber = page_subscribers.id AND component IN (${marks})))`,
          [page, ...components],
        ];
  const select = `SELECT id, way FROM page_subscribers WHERE ${active}${concerned} ORDER BY id`;
  const rows = await sql.all(select, values);
  return rows.map((row) => ({ id: integer(row, "id"), way: text(row, "way") }));
}
