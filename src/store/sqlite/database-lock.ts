import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { StoreFault } from "#store/store-fault";

/**
 * Takes a database for one service. The lock is SQLite's own on a small file beside it, because the kernel lets go of
 * it when the process ends, however it ends. (The database itself stays open to readers and to `picket service key`.)
 */
export function lockFile(file: string): Disposable {
  const beside = `${file}-lock`;
  makePrivate(beside);
  const lock = new DatabaseSync(beside, { timeout: 0 });
  try {
    lock.exec("PRAGMA journal_mode = DELETE; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
  } catch (error) {
    lock.close();
    throw new StoreFault(
      "store_locked",
      `another service uses the database ${file}: end that one, or give this one another file`,
      error,
    );
  }
  return { [Symbol.dispose]: () => lock.close() };
}

/** Headers of monitors may hold secrets, so only the owner reads a file that is made here; SQLite's side files follow it. */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    throw new StoreFault(
      "store_broken",
      `the database ${file} cannot be opened (${why}): give a file in a folder that is there and may be written`,
      error,
    );
  }
}
