import { thrownText } from "#base/text";
import { StoreFault, type StoreFaultCode } from "#service/store/store-fault";

/** SQLite's primary result codes (https://www.sqlite.org/rescode.html) that are no fault of the caller's. */
const codes: ReadonlyMap<number, StoreFaultCode> = new Map([
  [3, "store_broken"], // SQLITE_PERM
  [5, "store_locked"], // SQLITE_BUSY
  [6, "store_locked"], // SQLITE_LOCKED
  [8, "store_broken"], // SQLITE_READONLY
  [10, "store_broken"], // SQLITE_IOERR
  [11, "store_damaged"], // SQLITE_CORRUPT
  [13, "store_full"], // SQLITE_FULL
  [14, "store_moved"], // SQLITE_CANTOPEN
  [26, "store_broken"], // SQLITE_NOTADB
]);
/** SQLITE_READONLY_DBMOVED. */
const movedCode = 1032;

/** What SQLite or the file system threw, as a fault; null for a mistake in the program, which stays what it is. */
export function faultOf(error: unknown, file: string): StoreFault | null {
  if (error instanceof StoreFault) return error;
  const code = codeOf(error);
  return code === null ? null : new StoreFault(code, sentenceOf(code, file, error), error);
}

function codeOf(error: unknown): StoreFaultCode | null {
  if (!Error.isError(error)) return null;
  if ("errcode" in error) {
    const errcode = Number(error.errcode);
    return errcode === movedCode ? "store_moved" : (codes.get(errcode & 0xff) ?? null);
  }
  if (!("code" in error)) return null;
  if (error.code === "ENOSPC" || error.code === "EDQUOT") return "store_full";
  if (error.code === "ENOENT") return "store_moved";
  return error.code === "EIO" || error.code === "EACCES" ? "store_broken" : null;
}

function sentenceOf(code: StoreFaultCode, file: string, error: unknown): string {
  const why = thrownText(error);
  if (code === "store_full") return fullSentence(file);
  if (code === "store_locked")
    return `another process holds the database ${file}: wait until it is done, or end it`;
  if (code === "store_moved") return movedSentence(file);
  const sentence = `the database ${file} cannot be used (${why}): look at the disk and the kernel's log, or restore a backup`;
  return code === "store_damaged"
    ? `${sentence}, the newest that picket service doctor --database BACKUP finds whole`
    : sentence;
}

export const fullSentence = (file: string): string =>
  `the disk of ${file} is full: make room on it`;

export const movedSentence = (file: string): string =>
  `the database ${file} was moved or deleted while the service ran: put it back, or restart the service`;
