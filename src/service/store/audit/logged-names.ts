import { isMapping } from "#base/json";
import type { AuditedKind } from "#service/store/audit/audited";
import type { NamedSubject } from "#service/store/audit/audit-log";
import type { FieldChange } from "#service/store/audit/field-change";
import { allAmong, type Sql, text } from "#service/store/sql";

/** What objects and parts of status pages are called, by `kind id`; what is gone has the name that it had last. */
export async function namesOf(
  sql: Sql,
  asked: readonly NamedSubject[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [kind, some] of Map.groupBy(asked, (one) => one.kind)) {
    const ids = [...new Set(some.map(({ id }) => id))];
    const found =
      kind === "component" || kind === "group"
        ? await partNames(sql, kind, ids)
        : await objectNames(sql, kind, ids);
    for (const [id, name] of found) if (name !== "") names.set(`${kind} ${id}`, name);
  }
  return names;
}

type NamePair = readonly [id: string, name: string];

async function objectNames(
  sql: Sql,
  kind: AuditedKind,
  ids: readonly string[],
): Promise<readonly NamePair[]> {
  const rows = await allAmong(
    sql,
    `SELECT subject, name FROM audit_entries WHERE number IN
       (SELECT MAX(number) FROM audit_entries WHERE kind = ? AND subject IN (*) GROUP BY subject)`,
    [kind],
    ids,
  );
  return rows.map((row): NamePair => [text(row, "subject"), text(row, "name")]);
}

const partTables = { component: "page_components", group: "page_groups" } as const;

/** A part that is gone is in the entry of its page that took it away. */
async function partNames(
  sql: Sql,
  kind: "component" | "group",
  ids: readonly string[],
): Promise<readonly NamePair[]> {
  const table = partTables[kind];
  const select = `SELECT CAST(id AS TEXT) AS id, name FROM ${table} WHERE id IN (*)`;
  const rows = await allAmong(sql, select, [], ids.map(Number));
  const names = new Map(rows.map((row): NamePair => [text(row, "id"), text(row, "name")]));
  for (const id of ids) if (!names.has(id)) names.set(id, await nameOfGone(sql, `${kind} ${id}`));
  return [...names];
}

async function nameOfGone(sql: Sql, field: string): Promise<string> {
  const [newest] = await sql.all(
    `SELECT line FROM audit_entries WHERE kind = 'page' AND line LIKE ?
     ORDER BY number DESC LIMIT 1`,
    [`%"field":"${field}",%`],
  );
  if (newest === undefined) return "";
  const { fields }: { readonly fields: readonly FieldChange[] } = JSON.parse(text(newest, "line"));
  const change = fields.find((one) => one.field === field);
  return change?.is === "text" ? nameIn(change.after ?? change.before ?? "") : "";
}

/** A part as the log has it, or a part of it if that was too long. */
export function nameIn(part: string): string {
  try {
    const known: unknown = JSON.parse(part);
    return isMapping(known) && typeof known["name"] === "string" ? known["name"] : "";
  } catch {
    return "";
  }
}
