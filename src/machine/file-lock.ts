import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/**
 * Takes a lock that lives as long as its holder, whatever ends that; null if another process holds it. The runtime
 * has no file locks, but SQLite's are the system's. Throws what the file system says.
 */
export function lockFile(file: string): Disposable | null {
  closeSync(openSync(file, "a", 0o600));
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    // Nothing is ever written, and a journal would have no room on a disk that is full.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return { [Symbol.dispose]: () => lock.close() };
  } catch (error) {
    lock.close();
    if (isBusy(error)) return null;
    throw error;
  }
}

/** SQLITE_BUSY and SQLITE_LOCKED (sqlite.org/rescode.html). */
const isBusy = (error: unknown): boolean =>
  Error.isError(error) &&
  "errcode" in error &&
  typeof error.errcode === "number" &&
  [5, 6].includes(error.errcode & 0xff);
