import * as limits from "#limits/status-limits";
import type { EpochMillis } from "#base/units";
import { integer, type Sql } from "#service/store/sql";
import type { MailAsk } from "#service/store/subscriber-store";

/* Mails that strangers ask for: how many one address, one reader and one page may have sent. */

/** What one reader, and all readers of a page, may ask for in an hour. */
export async function refusalOf(
  sql: Sql,
  { page, reader, at }: MailAsk,
): Promise<"too often" | null> {
  await lockPage(sql, page);
  const since = at - limits.asksSpan;
  const count = async (column: "reader" | "page", value: string | number): Promise<number> => {
    const select = `SELECT COUNT(*) AS count FROM page_asks WHERE ${column} = ? AND at > ?`;
    return integer((await sql.all(select, [value, since]))[0], "count");
  };
  if ((await count("page", page)) >= limits.asksOfPageMax) return "too often";
  if (reader !== "" && (await count("reader", reader)) >= limits.asksOfReaderMax)
    return "too often";
  return null;
}

/** Two at the same instant count one after the other, also in two replicas. */
export const lockPage = (sql: Sql, page: number): Promise<unknown> =>
  sql.all(`SELECT id FROM pages WHERE id = ? ${sql.words.forUpdate}`, [page]);

/**
 * Counts a mail, and gives its number; null if its address may get none, had one a moment ago, or enough for a day.
 * Whoever left at `leftAt` gets one more at once: the one before is of no use any more.
 */
export async function noteAsk(
  sql: Sql,
  { page, mark, mayGet, reader, at }: MailAsk,
  leftAt: EpochMillis | null,
): Promise<number | null> {
  const [row] = await sql.all(
    "SELECT COUNT(*) AS count, MAX(at) AS newest FROM page_asks WHERE mark = ? AND at > ?",
    [mark, at - limits.asksKeptFor],
  );
  const newest = integer(row, "newest");
  const isApart = newest <= at - limits.asksApart || (leftAt !== null && newest <= leftAt);
  const isSent = mayGet && integer(row, "count") < limits.asksOfAddressMax && isApart;
  const [made] = await sql.all(
    "INSERT INTO page_asks (page, mark, reader, at) VALUES (?, ?, ?, ?) RETURNING id",
    [page, isSent ? mark : "", reader, at],
  );
  return isSent ? integer(made, "id") : null;
}
