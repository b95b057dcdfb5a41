import { thrownText } from "#base/text";
import { closeSync, openSync } from "node:fs";
import { lockFile } from "#machine/file-lock";
import { StoreFault } from "#service/store/store-fault";

/**
 * Takes a database for one service. The lock is on a small file next to it: the database itself stays open to readers and
 * to `picket service key`.
 */
export function lockDatabase(file: string): Disposable {
  const beside = `${file}.lock`;
  makePrivate(beside);
  const lock = lockFile(beside);
  if (lock !== null) return lock;
  throw new StoreFault(
    "store_locked",
    `another service uses the database ${file}: end that one, or give this one another file`,
  );
}

/** Headers of monitors may hold secrets, so only the owner reads a file that is made here; SQLite's side files follow it. */
export function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    const why = thrownText(error);
    throw new StoreFault(
      "store_broken",
      `the database ${file} cannot be opened (${why}): give a file in a folder that is there and may be written`,
      error,
    );
  }
}
