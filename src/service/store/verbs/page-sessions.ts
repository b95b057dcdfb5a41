import { happens, unaudited } from "#service/store/audit/audited";
import type {
  EndedOnes,
  PageSession,
  PageSessionRow,
  PageSessions,
} from "#service/store/people-store";
import { endEvents } from "#service/store/audit/session-event";
import { integer, type Row, type Sql, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** Where people are signed in. */
export const pageSessions: VerbsOf<PageSessions> = {
  note: writes(
    "pageSessions.note",
    null,
    unaudited("it is about a session, and changes no object"),
    note,
  ),
  list: reads(
    "pageSessions.list",
    async (sql, who: string | null, at: EpochMillis, limit: number) => {
      const [whose, values] = who === null ? ["", [at]] : ["who = ? AND ", [who, at]];
      const rows = await sql.all(
        `SELECT * FROM page_sessions WHERE ${whose}until > ? ORDER BY seen_at DESC, id DESC LIMIT ?`,
        [...values, limit],
      );
      return rows.map(sessionOf);
    },
  ),
  end: writes(
    "pageSessions.end",
    null,
    happens((ended, _id, isNoted) => (isNoted ? endEvents(ended) : [])),
    (sql, id: number, _isNoted: boolean) => endThose(sql, "id = ?", [id]),
  ),
  endAll: writes(
    "pageSessions.endAll",
    null,
    happens((ended, _who, _except, isNoted) => (isNoted ? endEvents(ended) : [])),
    (sql, who: string, except: string, _isNoted: boolean) =>
      endThose(sql, "who = ? AND session <> ?", [who, except]),
  ),
  forget: writes(
    "pageSessions.forget",
    null,
    unaudited("it is about a session, and changes no object"),
    async (sql, before: EpochMillis) => {
      await sql.run("DELETE FROM page_sessions WHERE until < ?", [before]);
    },
  ),
};

async function note(sql: Sql, session: PageSession): Promise<void> {
  const { session: id, who, name, address, browser, at, until } = session;
  const [ended] = await sql.all("SELECT id FROM ended_sessions WHERE id = ?", [id]);
  if (ended !== undefined) return;
  await sql.run(
    `INSERT INTO page_sessions (session, who, name, address, browser, started_at, seen_at, until)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (session) DO UPDATE SET name = excluded.name, address = excluded.address,
       browser = excluded.browser, seen_at = excluded.seen_at`,
    [id, who, name, address, browser, at, at, until],
  );
  const account = /^account (\d{1,15})$/.exec(who)?.[1];
  if (account === undefined) return;
  const see = "UPDATE accounts SET seen_at = ? WHERE id = ? AND (seen_at IS NULL OR seen_at < ?)";
  await sql.run(see, [at, Number(account), at]);
}

/** Their cookies open nothing from now on. All of them are of one person. */
async function endThose(
  sql: Sql,
  where: string,
  values: readonly (string | number)[],
): Promise<EndedOnes> {
  const [whose] = await sql.all(
    `SELECT who, name FROM page_sessions WHERE ${where} ORDER BY seen_at DESC LIMIT 1`,
    values,
  );
  if (whose === undefined) return { who: "", name: "", count: 0 };
  await sql.run(
    `INSERT INTO ended_sessions (id, until) SELECT session, until FROM page_sessions WHERE ${where} ON CONFLICT DO NOTHING`,
    values,
  );
  const count = await sql.run(`DELETE FROM page_sessions WHERE ${where}`, values);
  return { who: text(whose, "who"), name: text(whose, "name"), count };
}

const sessionOf = (row: Row): PageSessionRow => ({
  id: integer(row, "id"),
  session: text(row, "session"),
  who: text(row, "who"),
  name: text(row, "name"),
  address: text(row, "address"),
  browser: text(row, "browser"),
  startedAt: epochMillis(integer(row, "started_at")),
  at: epochMillis(integer(row, "seen_at")),
  until: epochMillis(integer(row, "until")),
});
