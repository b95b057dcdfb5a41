import { alters } from "#service/store/audit/audited";
import type { Comments, IncidentComment, NewComment } from "#service/store/comment-store";
import { integer, optionalInstant, type Row, type Sql, text } from "#service/store/sql";
import * as storeLimits from "#limits/store-limits";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** What people wrote about incidents. */
export const comments: VerbsOf<Comments> = {
  add: writes("comments.add", null, alters("incident"), add),
  edit: writes("comments.edit", null, alters("incident"), edit),
  remove: writes(
    "comments.remove",
    null,
    alters("incident"),
    async (sql, incident: number, id: number): Promise<IncidentComment | null> => {
      const remove = "DELETE FROM incident_comments WHERE incident = ? AND id = ? RETURNING *";
      const [row] = await sql.all(remove, [incident, id]);
      return row === undefined ? null : commentOf(row);
    },
  ),
  putBack: writes(
    "comments.putBack",
    null,
    { ...alters("incident"), undoes: () => true },
    async (sql, incident: number, comment: IncidentComment) => {
      const { id, editedAt, edits } = comment;
      const kept = [id, ...valuesOf(comment), editedAt, edits, incident];
      return (await insert(sql, "id, at, author, who, message, edited_at, edits", kept)) === 1;
    },
  ),
  of: reads("comments.of", async (sql, incident: number) => {
    const rows = await sql.all(
      "SELECT * FROM incident_comments WHERE incident = ? ORDER BY id LIMIT ?",
      [incident, storeLimits.commentsPerIncidentMax],
    );
    return rows.map(commentOf);
  }),
};

async function add(sql: Sql, incident: number, comment: NewComment): Promise<boolean> {
  return (await insert(sql, "at, author, who, message", [...valuesOf(comment), incident])) === 1;
}

const valuesOf = ({ at, author, who, message }: NewComment) => [at, author, who, message];

/** Into an incident that is there and has room; its number comes last. */
const insert = (
  sql: Sql,
  columns: string,
  values: readonly (string | number | null)[],
): Promise<number> =>
  sql.run(
    `INSERT INTO incident_comments (${columns}, incident)
     SELECT ${columns.replaceAll(/\w+/g, "?")}, number FROM incidents WHERE number = ?
       AND (SELECT COUNT(id) FROM incident_comments WHERE incident = incidents.number) < ?
     ON CONFLICT DO NOTHING`,
    [...values, storeLimits.commentsPerIncidentMax],
  );

async function edit(
  sql: Sql,
  incident: number,
  id: number,
  message: string,
  at: EpochMillis,
): Promise<boolean> {
  const [row] = await sql.all(
    `SELECT message FROM incident_comments WHERE incident = ? AND id = ?${sql.words.forUpdate}`,
    [incident, id],
  );
  if (row === undefined) return false;
  if (text(row, "message") === message) return true;
  const update = "UPDATE incident_comments SET message = ?, edited_at = ?, edits = edits + 1";
  return (
    (await sql.run(`${update} WHERE incident = ? AND id = ?`, [message, at, incident, id])) === 1
  );
}

const commentOf = (row: Row): IncidentComment => ({
  id: integer(row, "id"),
  at: epochMillis(integer(row, "at")),
  author: text(row, "author"),
  who: text(row, "who"),
  message: text(row, "message"),
  editedAt: optionalInstant(row, "edited_at"),
  edits: integer(row, "edits"),
});
