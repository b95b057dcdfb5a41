import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { migrations } from "#service/migrations";

/** A column's value as SQLite gives it. */
export type Row = Readonly<Record<string, SQLInputValue>>;

/** The service's one file. Statements are prepared once; a transaction is all or nothing. */
export interface Database extends Disposable {
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get(sql: string, ...values: readonly SQLInputValue[]): Row | null;
  /** The number of rows that changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number;
  transaction<T>(work: () => T): T;
}

/** Opens a database and brings it to the newest shape. Throws a sentence when it is newer than this Picket. */
export function openDatabase(file: string): Database {
  const sqlite = new DatabaseSync(file, { timeout: busyTimeoutMillis });
  try {
    // FULL, because a result that was acknowledged is forgotten by the agent.
    sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    migrate(sqlite, file);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return databaseOf(sqlite);
}

/** Another process, such as a backup or `picket service key`, holds the file for moments only. */
const busyTimeoutMillis = 5_000;

function migrate(sqlite: DatabaseSync, file: string): void {
  const done = Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (done > migrations.length)
    throw new Error(
      `${file} was written by a newer Picket (step ${done}, this one knows ${migrations.length}): run that one, or give another file`,
    );
  migrations.slice(done).forEach((step, index) => {
    sqlite.exec(`BEGIN; ${step}; PRAGMA user_version = ${done + index + 1}; COMMIT;`);
  });
}

function databaseOf(sqlite: DatabaseSync): Database {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? sqlite.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  let depth = 0;
  return {
    all: (sql, ...values) => prepared(sql).all(...values),
    get: (sql, ...values) => prepared(sql).get(...values) ?? null,
    run: (sql, ...values) => Number(prepared(sql).run(...values).changes),
    transaction: (work) => {
      // An inner transaction is part of the outer one.
      if (depth > 0) return work();
      sqlite.exec("BEGIN IMMEDIATE");
      depth += 1;
      try {
        const result = work();
        sqlite.exec("COMMIT");
        return result;
      } catch (error) {
        sqlite.exec("ROLLBACK");
        throw error;
      } finally {
        depth -= 1;
      }
    },
    [Symbol.dispose]: () => sqlite.close(),
  };
}

/** A text column; SQLite's STRICT tables hold what they promise, and this says so to the compiler. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}
export const integer = (row: Row, column: string): number => Number(row[column] ?? 0);
export const optionalInteger = (row: Row, column: string): number | null =>
  row[column] === null || row[column] === undefined ? null : Number(row[column]);
