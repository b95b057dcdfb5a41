import type { TalliedWays } from "#service/store/news/news-tally";
import { beginTally } from "#service/store/news/tally-rows";
import { undoneWithin } from "#limits/service-limits";
import { insertRows, integer, type Row, type Sql, type SqlValue, text } from "#service/store/sql";
import type { Concern } from "#service/store/subscriber-store";
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

/** What a report or a maintenance says. */
interface News extends Concern {
  readonly kind: "report" | "maintenance";
  /** The id of the update, or of the maintenance. */
  readonly about: number;
  readonly at: EpochMillis;
  /** What the letters keep of it, and what is kept with what becomes of them. */
  readonly letter?: string;
  readonly tally?: string;
  /** Whether it is not said again, as it was said if its count is there. */
  readonly isOnce?: boolean;
}

/**
 * Writes a letter to each subscriber whom it concerns, in the transaction that makes the news; false if it was said before.
 * Of a page that is not published nothing is sent: then it is as if no one had wanted that, apart from what is said once.
 */
export async function announce(sql: Sql, news: News): Promise<boolean> {
  const { page, kind, about, at, letter = "", tally = "", isOnce = false } = news;
  const isOpen = await isPublished(sql, page);
  if (!isOpen && !isOnce) return false;
  const concerned = isOpen ? await concernedBy(sql, news) : [];
  const isNew = await beginTally(sql, { ...news, said: tally, ways: waysOf(concerned) });
  if (isOnce && !isNew) return false;
  const column = kind === "report" ? "report_update" : "maintenance";
  const rows = concerned.map(({ id, way }) => [page, kind, id, about, letter, at, at, way]);
  const columns = `page, kind, subscriber, ${column}, sealed, created_at, due_at, way`;
  await insertRows(sql, `INSERT INTO page_letters (${columns})`, rows, "");
  return true;
}

/** Whether readers can open a page, so that its news are sent. */
export async function isPublished(sql: Sql, page: number): Promise<boolean> {
  const [row] = await sql.all("SELECT definition FROM pages WHERE id = ?", [page]);
  if (row === undefined) return false;
  const { published }: { readonly published?: boolean } = JSON.parse(text(row, "definition"));
  return published !== false;
}

/**
 * The same about planned work that was deleted, in the transaction that purges it from the trash. What the letters say is in
 * them, as the work is gone.
 */
export async function announceDeleted(sql: Sql, purged: Row): Promise<void> {
  const sealed = text(purged, "cancelled");
  const work = cancelledOf(sealed);
  if (work === null || work.sent !== undefined) return;
  await announceCancelled(
    sql,
    work,
    after(epochMillis(integer(purged, "deleted_at")), undoneWithin),
  );
}

/** To those who were sent something of it; how many they are. */
export async function announceCancelled(
  sql: Sql,
  work: CancelledWork,
  at: EpochMillis,
): Promise<number> {
  const sealed = JSON.stringify(work);
  const kind = "cancellation";
  const concerned = await concernedBy(sql, work);
  if (concerned.length > 0)
    await beginTally(sql, { kind, about: work.id, at, said: "", ways: waysOf(concerned) });
  const rows = concerned.map(({ id, way }) => [
    work.page,
    kind,
    id,
    sealed,
    at,
    at,
    wayOfCancellation(way),
  ]);
  const columns = "page, kind, subscriber, sealed, created_at, due_at, way";
  await insertRows(sql, `INSERT INTO page_letters (${columns})`, rows, "");
  return rows.length;
}

const waysOf = (all: readonly { readonly way: string }[]): TalliedWays => {
  const webhook = all.filter(({ way }) => way === "webhook").length;
  return { email: all.length - webhook, webhook };
};

/** What is kept of planned work that subscribers are to read of; null: nothing. */
export function cancelledOf(kept: string): CancelledWork | null {
  if (kept === "") return null;
  const work: CancelledWork = JSON.parse(kept);
  return work;
}

/** A replica of an older version asks for its ways alone: it would send such a letter as a confirmation. */
export const wayOfCancellation = (way: string): string => `${way}: cancellation`;

/** How many subscribers news about some components concern. */
export async function concernedCount(sql: Sql, concern: Concern): Promise<number> {
  const { where, values } = concernedWhere(concern);
  const [row] = await sql.all(`SELECT COUNT(id) AS count FROM page_subscribers ${where}`, values);
  return integer(row, "count");
}

/** The subscribers whom they concern. */
async function concernedBy(
  sql: Sql,
  concern: Concern,
): Promise<readonly { readonly id: number; readonly way: string }[]> {
  const { where, values } = concernedWhere(concern);
  const rows = await sql.all(`SELECT id, way FROM page_subscribers ${where} ORDER BY id`, values);
  return rows.map((row) => ({ id: integer(row, "id"), way: text(row, "way") }));
}

function concernedWhere({ page, components, saidAt }: Concern): {
  readonly where: string;
  readonly values: readonly SqlValue[];
} {
  const by = saidAt === undefined ? "" : " AND accepted_at <= ?";
  const active = `page = ? AND accepted_at IS NOT NULL AND unsubscribed_at IS NULL${by}`;
  const first = saidAt === undefined ? [page] : [page, saidAt];
  if (components.length === 0) return { where: `WHERE ${active}`, values: first };
  const marks = components.map(() => "?").join(", ");
  const concerned = `is_whole = 1 OR EXISTS (SELECT 1 FROM subscriber_components
    WHERE subscriber = page_subscribers.id AND component IN (${marks}))`;
  return { where: `WHERE ${active} AND (${concerned})`, values: [...first, ...components] };
}
