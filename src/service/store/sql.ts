import type { OversizedSpans } from "#service/store/packing/oversized-spans";
import { epochMillis, type EpochMillis } from "#base/units";

/** What every engine does with one statement inside a transaction; the texts are the same for all, with `?` for values. */
export interface Sql {
  readonly words: DialectWords;
  all(text: string, values?: readonly SqlValue[]): Promise<readonly Row[]>;
  /** By which others see that this process is there, while its session lasts; null if it has none, as on SQLite. */
  readonly session: number | null;
  /** The number of rows that changed. */
  run(text: string, values?: readonly SqlValue[]): Promise<number>;
  /** Says what a row has that cannot be read; what else was asked for is given without it. */
  damaged(sentence: string): void;
  /** Details that were too much for one row, remembered while the store is open. */
  readonly oversized: OversizedSpans;
}

/** The few words in which the engines differ. */
export interface DialectWords {
  readonly engine: "sqlite" | "postgres";
  /** Ends a SELECT whose rows no other transaction may change until this one ends. */
  readonly forUpdate: string;
  /** The same for the rows of one table of several. */
  readonly forUpdateOf: (table: string) => string;
  /** Ends a SELECT whose rows no other transaction may change until this one ends, while several may hold them so. */
  readonly forShare: string;
  /** Ends a SELECT whose rows no other transaction may hold in any way until this one ends. */
  readonly forUpdateAlone: string;
  /** As `forUpdate`, without the rows that another transaction has: they are left out. */
  readonly forUpdateIfFree: string;
  /** The database's clock in epoch milliseconds. */
  readonly now: string;
  /** Whether a column has a session, and that has ended. */
  readonly hasEnded: (column: string) => string;
  /** The bytes that a column has in the rows of a group, one behind the other. */
  readonly joinedBytes: (column: string) => string;
  /**
   * What a column has in the rows of a group of which a condition is true, as a list in JSON. Lists and bytes of one group have
   * its rows in the same order.
   */
  readonly list: (column: string, condition?: string) => string;
}

/** Behind what is calculated of the rows of a group: of those alone of which a condition is true. */
export const filterOf = (condition: string | undefined): string =>
  condition === undefined ? "" : ` FILTER (WHERE ${condition})`;

export type SqlValue = number | string | Uint8Array | null;
export type Row = Readonly<Record<string, unknown>>;

/** What a row has in a column; a column that the statement does not name is a mistake of ours, never an empty value. */
function valueIn(row: Row, column: string): unknown {
  if (column in row) return row[column];
  throw new Error(`a row has no column "${column}": it has ${Object.keys(row).join(", ")}`);
}

/** Columns hold what the schema promises; these say so to the compiler. Without a row it is 0, or an empty text. */
export const integer = (row: Row | undefined, column: string): number =>
  row === undefined ? 0 : Number(valueIn(row, column) ?? 0);
export function optionalInteger(row: Row, column: string): number | null {
  const value = valueIn(row, column);
  return value === null ? null : Number(value);
}
/** An instant, or null if there is none yet. */
export function optionalInstant(row: Row, column: string): EpochMillis | null {
  const value = optionalInteger(row, column);
  return value === null ? null : epochMillis(value);
}
export function text(row: Row | undefined, column: string): string {
  const value = row === undefined ? "" : valueIn(row, column);
  return typeof value === "string" ? value : "";
}
/** What `words.list` gave of a column of numbers, and of one of texts. */
export function numbersIn(row: Row, column: string): readonly number[] {
  const numbers: readonly number[] = JSON.parse(text(row, column));
  return numbers;
}
export function textsIn(row: Row, column: string): readonly string[] {
  const texts: readonly string[] = JSON.parse(text(row, column));
  return texts;
}
export function blob(row: Row, column: string): Uint8Array {
  const value = valueIn(row, column);
  if (!(value instanceof Uint8Array)) return new Uint8Array();
  // A Buffer of some engine would be a part of a larger memory, and looks like another thing to some readers.
  return Object.getPrototypeOf(value) === Uint8Array.prototype ? value : new Uint8Array(value);
}

/**
 * How many rows or keys one statement has. SQLite prepares each text once, so there are few sizes; for PostgreSQL each
 * statement is a way there and back, so there are few statements. Both have room for as many values.
 */
const sizes = [256, 64, 16, 4, 1] as const;
const largest = 1_000;
const rowsAtOnce = ({ words }: Sql, left: number): number =>
  words.engine === "postgres" ? Math.min(left, largest) : (sizes.find((one) => one <= left) ?? 1);
const keysAtOnce = ({ words }: Sql, left: number, most: number): number =>
  words.engine === "postgres"
    ? Math.min(left, most)
    : (sizes.findLast((one) => one >= left && one <= most) ??
      sizes.find((one) => one <= most) ??
      1);

/** Inserts rows, many with one statement: `head VALUES (…), (…) tail`. What `tail` returns comes back. */
export async function insertRows(
  sql: Sql,
  head: string,
  rows: readonly (readonly SqlValue[])[],
  tail: string,
): Promise<readonly Row[]> {
  const returned: Row[] = [];
  for (let done = 0; done < rows.length;) {
    const chunk = rows.slice(done, done + rowsAtOnce(sql, rows.length - done));
    const tuple = `(${chunk[0]?.map(() => "?").join(", ") ?? ""})`;
    const tuples = chunk.map(() => tuple).join(", ");
    returned.push(...(await sql.all(`${head} VALUES ${tuples} ${tail}`, chunk.flat())));
    done += chunk.length;
  }
  return returned;
}

/** Keys in lists for an `IN`, each of so many at most. */
export function* keyLists(
  sql: Sql,
  keys: readonly SqlValue[],
  most: number,
): Generator<readonly SqlValue[]> {
  for (let done = 0; done < keys.length;) {
    const size = keysAtOnce(sql, keys.length - done, most);
    const chunk = keys.slice(done, done + size);
    const last = chunk.at(-1) ?? null;
    // A key that is named again finds nothing more, so the list is filled up to a size that is prepared already.
    yield [...chunk, ...Array.from({ length: size - chunk.length }, () => last)];
    done += chunk.length;
  }
}

export const marksOf = (values: readonly SqlValue[]): string => values.map(() => "?").join(", ");

/** The rows of a SELECT with an `IN (*)`, for however many keys; keys of one call are never asked for twice. */
export async function allAmong(
  sql: Sql,
  select: string,
  values: readonly SqlValue[],
  keys: readonly SqlValue[],
  valuesAfter: readonly SqlValue[] = [],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const list of keyLists(sql, [...new Set(keys)], largest)) {
    const asked = select.replace("(*)", `(${marksOf(list)})`);
    // Not by spreading: a call has no room for the rows of many locations.
    for (const row of await sql.all(asked, [...values, ...list, ...valuesAfter])) rows.push(row);
  }
  return rows;
}

/** A step's statements in an engine's words. */
export function statementsOf(step: string, engine: DialectWords["engine"]): readonly string[] {
  const translated = engine === "sqlite" ? step : inPostgres(step);
  return translated
    .replace(/^\s*--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** Results are partitioned by their slots; postgres/partitions.ts makes the partitions. */
const inPostgres = (step: string): string =>
  step
    .replaceAll(
      "INTEGER PRIMARY KEY AUTOINCREMENT",
      "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
    )
    .replaceAll(/\bINTEGER\b/g, "BIGINT")
    .replaceAll(/\bBLOB\b/g, "BYTEA")
    .replaceAll(
      /(CREATE TABLE results \([^;]*)STRICT, WITHOUT ROWID;/g,
      "$1PARTITION BY RANGE (slot);",
    )
    .replaceAll(/ STRICT(, WITHOUT ROWID)?;/g, ";");
