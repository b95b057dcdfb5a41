import { unaudited } from "#service/store/audit/audited";
import type { KeptForm, KeptForms } from "#service/store/people-store";
import { integer, type Sql, text } from "#service/store/sql";
import { reads, type VerbsOf, writes } from "#service/store/verb";
import { epochMillis, type EpochMillis } from "#base/units";

/** Forms whose sessions had ended. */
export const keptForms: VerbsOf<KeptForms> = {
  keep: writes("keptForms.keep", null, unaudited("a form is kept for whoever sent it"), keep),
  get: reads("keptForms.get", async (sql, id: string, who: string, at: EpochMillis) => {
    const select = "SELECT * FROM kept_forms WHERE id = ? AND who = ? AND until > ?";
    const [row] = await sql.all(select, [id, who, at]);
    if (row === undefined) return null;
    return { id, who, sealed: text(row, "sealed"), until: epochMillis(integer(row, "until")) };
  }),
  remove: writes(
    "keptForms.remove",
    null,
    unaudited("a form is kept for whoever sent it"),
    async (sql, id: string, who: string) => {
      const remove = "DELETE FROM kept_forms WHERE id = ? AND who = ?";
      return (await sql.run(remove, [id, who])) === 1;
    },
  ),
  forget: writes(
    "keptForms.forget",
    null,
    unaudited("a form is kept for whoever sent it"),
    async (sql, before: EpochMillis) => {
      await sql.run("DELETE FROM kept_forms WHERE until < ?", [before]);
    },
  ),
};

async function keep(
  sql: Sql,
  { id, who, sealed, until }: KeptForm,
  ofOneMax: number,
  allMax: number,
): Promise<boolean> {
  await sql.run(
    `DELETE FROM kept_forms WHERE who = ? AND id NOT IN
       (SELECT id FROM kept_forms WHERE who = ? ORDER BY until DESC, id LIMIT ?)`,
    [who, who, ofOneMax - 1],
  );
  const [count] = await sql.all("SELECT COUNT(*) AS forms FROM kept_forms");
  if (integer(count, "forms") >= allMax) return false;
  const insert = "INSERT INTO kept_forms (id, who, sealed, until) VALUES (?, ?, ?, ?)";
  await sql.run(insert, [id, who, sealed, until]);
  return true;
}
