import { alters } from "#service/store/audit/audited";
import type { Comments, IncidentComment } from "#service/store/comment-store";
import { integer, type Sql, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis } from "#base/units";

/** What people wrote about incidents. */
export const comments: VerbsOf<Comments> = {
  add: writes("comments.add", null, alters("incident"), add),
  of: reads("comments.of", async (sql, incident: number) => {
    const rows = await sql.all(
      "SELECT at, author, message FROM incident_comments WHERE incident = ? ORDER BY id LIMIT ?",
      [incident, storeLimits.commentsPerIncidentMax],
    );
    return rows.map((row) => ({
      at: epochMillis(integer(row, "at")),
      author: text(row, "author"),
      message: text(row, "message"),
    }));
  }),
};

async function add(
  sql: Sql,
  incident: number,
  { at, author, message }: IncidentComment,
): Promise<boolean> {
  const added = await sql.run(
    `INSERT INTO incident_comments (incident, at, author, message)
     SELECT number, ?, ?, ? FROM incidents WHERE number = ?
       AND (SELECT COUNT(id) FROM incident_comments WHERE incident = incidents.number) < ?`,
    [at, author, message, incident, storeLimits.commentsPerIncidentMax],
  );
  return added === 1;
}
