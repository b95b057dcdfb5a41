import { closeSync, openSync, statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import * as limits from "#limits";
import { migrations } from "#service/migrations";
import { cutText, showText } from "#text";

/** A column's value as SQLite gives it. */
export type Row = Readonly<Record<string, SQLInputValue>>;

/** The service's one file. Statements are prepared once; a transaction is all or nothing. */
export interface Database extends Disposable {
  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[];
  get(sql: string, ...values: readonly SQLInputValue[]): Row | null;
  /** The number of rows that changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number;
  transaction<T>(work: () => T): T;
  /** A transaction in which no row takes those with it that refer to it: whoever calls it sees to them. */
  withoutCascades<T>(work: () => T): T;
  /** Writes, changing nothing. Throws where that cannot be done. */
  prove(): void;
  /** From now on a file that another process holds fails a call at once: nothing is answered while it waits. */
  stopWaiting(): void;
}

/** Opens a database and brings it to the newest shape. Throws a sentence when it is newer than this Picket. */
export function openDatabase(file: string): Database {
  makePrivate(file);
  const sqlite = new DatabaseSync(file, { timeout: limits.databaseBusyTimeout });
  const isStillThere = presenceOf(file);
  try {
    // FULL, because a result that was acknowledged is forgotten by the agent.
    sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;");
    migrate(sqlite, file);
  } catch (error) {
    sqlite.close();
    throw isDamage(error)
      ? new Error(
          `${file} is damaged, or is no database of Picket (${error.message}): put a backup in its place, or give another file`,
          { cause: error },
        )
      : error;
  }
  return databaseOf(sqlite, isStillThere);
}

/** SQLite's CORRUPT and NOTADB (sqlite.org/rescode.html). */
const isDamage = (error: unknown): error is Error =>
  Error.isError(error) &&
  "errcode" in error &&
  typeof error.errcode === "number" &&
  [11, 26].includes(error.errcode & 0xff);

/** What is written to a file that has no name any more is gone with the process. */
export class DatabaseMoved extends Error {}

/** Throws when the file that was opened is not the one that now has its name. */
function presenceOf(file: string): () => void {
  const opened = statSync(file);
  return () => {
    const found = statSync(file, { throwIfNoEntry: false });
    if (found?.ino === opened.ino && found.dev === opened.dev) return;
    throw new DatabaseMoved(
      `the database ${file} was moved or replaced: put it back, or restart the service to use what is there now`,
    );
  };
}

/** Headers of monitors may hold secrets, so only the owner reads a file that is made here; SQLite's side files follow it. */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    throw new Error(
      `the database ${file} cannot be opened (${why}): give a file in a folder that is there and may be written`,
      { cause: error },
    );
  }
}

/** Another process may be at the same steps: each is looked for again once the file is ours. */
function migrate(sqlite: DatabaseSync, file: string): void {
  for (let done = versionOf(sqlite); done !== migrations.length; done = versionOf(sqlite)) {
    if (done > migrations.length)
      throw new Error(
        `${file} was written by a newer Picket (step ${done}, this one knows ${migrations.length}): run that one, or give another file`,
      );
    sqlite.exec("BEGIN IMMEDIATE");
    const step = migrations[versionOf(sqlite)];
    if (step !== undefined) sqlite.exec(`${step}; PRAGMA user_version = ${versionOf(sqlite) + 1};`);
    sqlite.exec("COMMIT");
  }
}

const versionOf = (sqlite: DatabaseSync): number =>
  Number(sqlite.prepare("PRAGMA user_version").get()?.["user_version"]);

function databaseOf(sqlite: DatabaseSync, isStillThere: () => void): Database {
  const statements = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = statements.get(sql) ?? sqlite.prepare(sql);
    statements.set(sql, known);
    return known;
  };
  let depth = 0;
  const database: Database = {
    all: (sql, ...values) => prepared(sql).all(...values),
    get: (sql, ...values) => prepared(sql).get(...values) ?? null,
    run: (sql, ...values) => {
      if (depth === 0) isStillThere();
      return Number(prepared(sql).run(...values).changes);
    },
    transaction: (work) => {
      // An inner transaction is part of the outer one.
      if (depth > 0) return work();
      isStillThere();
      sqlite.exec("BEGIN IMMEDIATE");
      depth += 1;
      try {
        const result = work();
        sqlite.exec("COMMIT");
        return result;
      } catch (error) {
        // SQLite has rolled back already where the disk was full.
        if (sqlite.isTransaction) sqlite.exec("ROLLBACK");
        throw error;
      } finally {
        depth -= 1;
      }
    },
    withoutCascades: (work) => {
      // SQLite does not hear it inside of a transaction.
      sqlite.exec("PRAGMA foreign_keys = OFF");
      try {
        return database.transaction(work);
      } finally {
        sqlite.exec("PRAGMA foreign_keys = ON");
      }
    },
    prove: () =>
      database.transaction(() => sqlite.exec(`PRAGMA user_version = ${versionOf(sqlite)}`)),
    stopWaiting: () => sqlite.exec("PRAGMA busy_timeout = 0"),
    [Symbol.dispose]: () => sqlite.close(),
  };
  return database;
}

/** A text column; SQLite's STRICT tables hold what they promise, and this says so to the compiler. */
export function text(row: Row, column: string): string {
  const value = row[column];
  return typeof value === "string" ? value : "";
}

/** A text column that holds one of a few words. Another word is from a later Picket, and is never taken for one of ours. */
export function oneOf<Word extends string>(row: Row, column: string, words: readonly Word[]): Word {
  const value = text(row, column);
  const known = words.find((word) => word === value);
  if (known === undefined)
    throw new Error(
      `the database holds a ${column} that this version of Picket does not know: ${showText(cutText(value, limits.messageIdCharsMax))}`,
    );
  return known;
}

export const integer = (row: Row, column: string): number => Number(row[column] ?? 0);
export const optionalInteger = (row: Row, column: string): number | null =>
  row[column] === null || row[column] === undefined ? null : Number(row[column]);
