import { integer, type Sql, type SqlValue } from "#service/store/sql";

/** The columns of what a person says of a resource: a field without one does not compile. */
export type ColumnsOf<D> = { readonly [F in keyof D]: string };

type Column = readonly [name: string, value: SqlValue];

/** The columns with their values: texts and numbers as they are, switches as 0 and 1, everything else as JSON. */
export const fieldColumns = <N extends string>(
  values: Readonly<Record<NoInfer<N>, unknown>>,
  columns: Readonly<Record<N, string>>,
): readonly Column[] =>
  Object.entries<string>(columns).map(([field, column]) => [
    column,
    sqlValue(Reflect.get(values, field)),
  ]);

function sqlValue(value: unknown): SqlValue {
  if (typeof value === "string" || typeof value === "number" || value === null) return value;
  return typeof value === "boolean" ? Number(value) : JSON.stringify(value);
}

/** Inserts one row; gives its id. */
export async function insertColumns(
  sql: Sql,
  table: string,
  columns: readonly Column[],
): Promise<number> {
  const names = columns.map(([name]) => name).join(", ");
  const marks = columns.map(() => "?").join(", ");
  const insert = `INSERT INTO ${table} (${names}) VALUES (${marks}) RETURNING id`;
  const [row] = await sql.all(
    insert,
    columns.map(([, value]) => value),
  );
  return integer(row, "id");
}

/** Whether there was such a row. */
export async function updateColumns(
  sql: Sql,
  table: string,
  id: number,
  columns: readonly Column[],
): Promise<boolean> {
  const set = columns.map(([name]) => `${name} = ?`).join(", ");
  const values = columns.map(([, value]) => value);
  return (await sql.run(`UPDATE ${table} SET ${set} WHERE id = ?`, [...values, id])) === 1;
}
