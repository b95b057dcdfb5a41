import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import * as storeLimits from "#limits/store-limits";
import type { Row } from "#service/store/sql";
import { StoreFault } from "#service/store/store-fault";

/** Only whoever is alone with a file can end its journal, which would otherwise be taken for the new file's. */
export function openOld(file: string): DatabaseSync {
  const old = new DatabaseSync(file, { timeout: storeLimits.databaseBusyTimeout });
  try {
    old.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    return old;
  } catch (error) {
    old.close();
    throw new StoreFault(
      "store_locked",
      `another process has the database ${file} open, and it cannot be given its new shape: end that one first`,
      error,
    );
  }
}

/** The rows of a statement on a database of before. */
export type OldRows = (sql: string, ...values: SQLInputValue[]) => readonly Row[];

/** Rows of every version have the columns of the last: those that it had not yet have what they were added with. */
export const rowsOf =
  (old: DatabaseSync): OldRows =>
  (sql, ...values) =>
    Array.from(old.prepare(sql).iterate(...values), (row) => ({ ...added, ...row }));

const added: Row = {
  status: "unknown",
  status_since: 0,
  last_seen_by: "heartbeat",
  stopped_at: null,
  sealed: "",
  trigger: "cron",
};
