import { beginTally } from "#service/store/news/tally-rows";
import { insertRows, integer, type Sql, type SqlValue, text } from "#service/store/sql";
import type { EpochMillis } from "#base/units";

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
  const { page, kind, about, components, at } = news;
  await beginTally(sql, news);
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
  const rows = (await sql.all(select, values)).map((row) => [
    page,
    kind,
    integer(row, "id"),
    about,
    "",
    at,
    at,
    text(row, "way"),
  ]);
  const column = kind === "report" ? "report_update" : "maintenance";
  const columns = `page, kind, subscriber, ${column}, sealed, created_at, due_at, way`;
  await insertRows(sql, `INSERT INTO page_letters (${columns})`, rows, "");
}
