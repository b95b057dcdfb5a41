import { isMapping } from "#base/json";
import { gonePartEntriesMax, gonePartsNamed } from "#limits/store-limits";
import type { AuditedKind } from "#service/store/audit/audited";
import type { NamedPart, NamedSubject } from "#service/store/audit/audit-log";
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
    for (const [id, name] of found) names.set(`${kind} ${id}`, name);
  }
  for (const [key, name] of await goneNames(sql, goneIn(asked, names))) names.set(key, name);
  return new Map([...names].filter(([, name]) => name !== ""));
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

async function partNames(
  sql: Sql,
  kind: NamedPart["kind"],
  ids: readonly string[],
): Promise<readonly NamePair[]> {
  const select = `SELECT CAST(id AS TEXT) AS id, name FROM ${partTables[kind]} WHERE id IN (*)`;
  const rows = await allAmong(sql, select, [], ids.map(Number));
  return rows.map((row): NamePair => [text(row, "id"), text(row, "name")]);
}

/** The page of each part that is not there, by `kind id`. */
function goneIn(
  asked: readonly NamedSubject[],
  there: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const gone = new Map<string, string>();
  for (const one of asked) {
    const key = `${one.kind} ${one.id}`;
    if ("page" in one && one.page !== null && !there.has(key)) gone.set(key, one.page);
  }
  return new Map([...gone].slice(0, gonePartsNamed));
}

/** A part that is gone is in the entry of its page that took it away. */
async function goneNames(
  sql: Sql,
  gone: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  if (gone.size === 0) return names;
  const rows = await sql.all(
    `SELECT line FROM audit_entries WHERE number IN
       (SELECT (SELECT MAX(number) FROM
          (SELECT number, line FROM audit_entries WHERE kind = 'page' AND subject = gone.column1
           ORDER BY number DESC LIMIT ${gonePartEntriesMax}) AS newest WHERE line LIKE gone.column2)
        FROM (VALUES ${[...gone].map(() => "(?, ?)").join(", ")}) AS gone)
     ORDER BY number DESC`,
    [...gone].flatMap(([field, page]) => [page, `%"field":"${field}",%`]),
  );
  for (const row of rows) {
    const { fields }: { readonly fields: readonly FieldChange[] } = JSON.parse(text(row, "line"));
    for (const change of fields)
      if (gone.has(change.field) && !names.has(change.field))
        names.set(change.field, nameOfPart(change));
  }
  return names;
}

const nameOfPart = (change: FieldChange): string =>
  change.is === "text" ? nameIn(change.after ?? change.before ?? "") : "";

/** A part as the log has it, or a part of it if that was too long. */
export function nameIn(part: string): string {
  try {
    const known: unknown = JSON.parse(part);
    return isMapping(known) && typeof known["name"] === "string" ? known["name"] : "";
  } catch {
    return "";
  }
}
