import type { CancelledWork } from "#service/store/trash/cancelled-work";
import type { NewsTally, TalliedWays, TalliesQuery } from "#service/store/news/news-tally";
import { savedSaying } from "#service/store/news/saved-saying";
import {
  allAmong,
  integer,
  optionalInstant,
  optionalInteger,
  type Row,
  type Sql,
  text,
} from "#service/store/sql";
import type { LetterFate } from "#service/store/subscriber-store";
import { epochMillis, type EpochMillis } from "#base/units";

interface BegunTally extends Pick<NewsTally, "about" | "at">, Pick<TalliesQuery, "kind"> {
  /** JSON of what the letters say; empty of reports. */
  readonly said: string;
  readonly ways: TalliedWays;
}

/** Begins to count what becomes of the letters of a piece of news, in the transaction that writes them; false if it did before. */
export async function beginTally(
  sql: Sql,
  { kind, about, at, said, ways }: BegunTally,
): Promise<boolean> {
  const insert = "INSERT INTO news_tallies (kind, about, at, said, ways) VALUES (?, ?, ?, ?, ?)";
  return (
    (await sql.run(`${insert} ON CONFLICT DO NOTHING`, [
      kind,
      about,
      at,
      said,
      JSON.stringify(ways),
    ])) === 1
  );
}

/** Columns of a letter that say which news it is. */
export const talliedColumns = "kind, report_update, maintenance, sealed, created_at";

/** Counts what became of one letter. One that its reader left, or that no one is to get any more, counts for nothing. */
export async function tally(
  sql: Sql,
  letter: Row | undefined,
  fate: LetterFate,
  at: EpochMillis,
): Promise<void> {
  const news = letter === undefined ? null : newsOf(letter);
  if (letter === undefined || news === null) return;
  const where = "WHERE kind = ? AND about = ? AND at = ?";
  switch (fate.is) {
    case "sent":
      await sql.run(`UPDATE news_tallies SET sent = sent + 1, sent_at = ? ${where}`, [at, ...news]);
      return;
    case "refused":
    case "ended":
      await sql.run(
        `UPDATE news_tallies SET failed = failed + 1, trouble = ?, trouble_at = ? ${where}`,
        [fate.trouble, at, ...news],
      );
      return;
    case "later":
      if (fate.trouble !== null)
        await sql.run(`UPDATE news_tallies SET trouble = ?, trouble_at = ? ${where}`, [
          fate.trouble,
          at,
          ...news,
        ]);
      return;
    case "dropped":
      // It failed at each attempt until it was too late; the last one said why.
      if (integer(letter, "attempts") > 0)
        await sql.run(`UPDATE news_tallies SET failed = failed + 1 ${where}`, [...news]);
  }
}

/** Which news a letter is about; null for a confirmation and for a link to sign in. */
export function newsOf(letter: Row): readonly [kind: string, about: number, at: number] | null {
  const about =
    optionalInteger(letter, "report_update") ??
    optionalInteger(letter, "maintenance") ??
    cancelledId(letter);
  return about === null ? null : [text(letter, "kind"), about, integer(letter, "created_at")];
}

/** The work is gone: the letter itself has it. */
function cancelledId(letter: Row): number | null {
  if (text(letter, "kind") !== "cancellation") return null;
  const { id }: Pick<CancelledWork, "id"> = JSON.parse(text(letter, "sealed"));
  return id;
}

/** What became of these news, with what still waits; the newest first. */
export async function talliesOf(
  sql: Sql,
  { kind, about }: TalliesQuery,
): Promise<readonly NewsTally[]> {
  const rows = await allAmong(
    sql,
    "SELECT * FROM news_tallies WHERE kind = ? AND about IN (*)",
    [kind],
    about,
  );
  const left = await lettersLeft(sql, { kind, about });
  return rows
    .map((row) => tallyOf(row, left.get(`${integer(row, "about")} ${integer(row, "at")}`)))
    .toSorted((a, b) => b.at - a.at);
}

const leftColumns = `created_at, COUNT(id) AS count,
  SUM(CASE WHEN attempts > 0 THEN 1 ELSE 0 END) AS retried FROM page_letters`;

/** How many letters wait still, by what they are about and when they were written. */
async function lettersLeft(
  sql: Sql,
  { kind, about }: TalliesQuery,
): Promise<ReadonlyMap<string, Row>> {
  if (kind === "cancellation") {
    const select = `SELECT kind, sealed, ${leftColumns} WHERE kind = ? GROUP BY kind, sealed, created_at`;
    const rows = await sql.all(select, [kind]);
    return new Map(rows.map((row) => [`${cancelledId(row)} ${integer(row, "created_at")}`, row]));
  }
  const column = kind === "report" ? "report_update" : "maintenance";
  const select = `SELECT ${column} AS about, ${leftColumns} WHERE ${column} IN (*) GROUP BY ${column}, created_at`;
  const rows = await allAmong(sql, select, [], about);
  return new Map(
    rows.map((row) => [`${integer(row, "about")} ${integer(row, "created_at")}`, row]),
  );
}

function tallyOf(row: Row, left: Row | undefined): NewsTally {
  const retried = left === undefined ? 0 : integer(left, "retried");
  const count = left === undefined ? 0 : integer(left, "count");
  return {
    about: integer(row, "about"),
    at: epochMillis(integer(row, "at")),
    sent: integer(row, "sent"),
    failed: integer(row, "failed"),
    waiting: count - retried,
    retried,
    sentAt: optionalInstant(row, "sent_at"),
    trouble: text(row, "trouble"),
    troubleAt: optionalInstant(row, "trouble_at"),
    said:
      text(row, "kind") === "cancellation"
        ? "cancelled"
        : (savedSaying(text(row, "said"))?.is ?? null),
    ways: waysIn(text(row, "ways")),
  };
}

function waysIn(json: string): TalliedWays | null {
  if (json === "") return null;
  const ways: TalliedWays = JSON.parse(json);
  return ways;
}
