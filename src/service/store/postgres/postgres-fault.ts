import { thrownText } from "#base/text";
import { StoreFault, type StoreFaultCode } from "#service/store/store-fault";

/** SQLSTATE codes, or their first two characters (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const codes: ReadonlyMap<string, StoreFaultCode> = new Map([
  ["08", "store_unreachable"],
  ["28", "store_unreachable"],
  ["3D", "store_unreachable"],
  ["57", "store_unreachable"],
  ["53", "store_busy"],
  ["XX", "store_broken"],
  // data_corrupted, index_corrupted
  ["XX001", "store_damaged"],
  ["XX002", "store_damaged"],
  ["58", "store_broken"],
  // The disk is full.
  ["53100", "store_full"],
  // A standby that was not (yet) made the first.
  ["25006", "store_unreachable"],
  ["55P03", "store_locked"],
  // insufficient_privilege
  ["42501", "store_forbidden"],
  // The call took too long.
  ["57014", "store_busy"],
  // The connection waited in a transaction for too long.
  ["25P03", "store_unreachable"],
]);

/** Of Node's sockets and of the library, which has no code for what it says itself. */
const network = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES)/;
const libraryWords =
  /Connection terminated|timeout exceeded|timeout expired|Query read timeout|not queryable|SSL/;

/** What a PostgreSQL or the way to it said, as a fault; null for a mistake in the program. */
export function faultOf(error: unknown): StoreFault | null {
  if (error instanceof StoreFault) return error;
  const code = codeOf(error);
  if (code === null) return null;
  const why = thrownText(error);
  return new StoreFault(code, `${sentenceOf(code, why)} (${why})`, error);
}

function codeOf(error: unknown): StoreFaultCode | null {
  if (!Error.isError(error)) return null;
  const code = sqlStateOf(error);
  if (isWorkerAway(error, code)) return "store_part_away";
  const known = codes.get(code) ?? codes.get(code.slice(0, 2)) ?? null;
  if (known !== null) return known;
  return network.test(code) || libraryWords.test(error.message) ? "store_unreachable" : null;
}

/** What the coordinator of a cluster says of a worker that it does not reach, or that ended in the middle. */
const isWorkerAway = (error: Error, code: string): boolean =>
  /remote node|connection marked as essential|could not establish any connections to the node/.test(
    error.message,
  ) ||
  (/^(08|57P)/.test(code) &&
    "where" in error &&
    String(error.where).includes("while executing command on"));

function sentenceOf(code: StoreFaultCode, why: string): string {
  if (isExtensionOld(why)) return extensionOld;
  return code === "store_part_away" && isRefused(why) ? refused : sentences[code];
}

/** Between an update of Citus' programs and that of the extension, Citus does nothing. */
export const isExtensionOld = (why: string): boolean =>
  why.includes("loaded Citus library version");

const extensionOld =
  "Citus was updated on a server, and its extension was not: run ALTER EXTENSION citus UPDATE in this database on each server";

/** What servers of a cluster say to each other of a role that may not connect, e.g. as its password is missing. */
export const isRefused = (why: string): boolean =>
  /password|authentication|no pg_hba\.conf entry|certificate|does not support SSL|does not exist|permission denied|not permitted/.test(
    why,
  );

const refused =
  "a worker of the PostgreSQL cluster does not let the coordinator in: check .pgpass of the coordinator and pg_hba.conf of the worker";

/** Two transactions that stood in each other's way: the one that was undone is done again. */
export function canBeDoneAgain(error: unknown): boolean {
  return Error.isError(error) && ["40001", "40P01"].includes(sqlStateOf(error));
}

export const sqlStateOf = (error: unknown): string =>
  Error.isError(error) && "code" in error ? String(error.code) : "";

const sentences: Readonly<Record<StoreFaultCode, string>> = {
  store_locked: "another session has locked what this call needs in PostgreSQL: end it, or wait",
  store_full: "the disk of PostgreSQL is full: make room on it",
  store_moved: "the database was moved or deleted",
  overtaken: "someone else changed it meanwhile",
  rehearsed: "it was only asked what would change",
  store_unreachable:
    "PostgreSQL cannot be reached or does not let us in: look at its address, its log and the password",
  store_forbidden:
    "PostgreSQL does not allow this to the service's role: picket service doctor says which right it lacks",
  store_part_away:
    "a worker of the PostgreSQL cluster cannot be reached: start it, or promote its standby",
  store_broken: "PostgreSQL reports a fault: look at its log",
  store_damaged:
    "PostgreSQL reports damaged data: look at its log, and repair the index or restore a backup",
  store_busy: "PostgreSQL has no room for this call now: try again",
  store_closed: "the store is closed",
  unsupported: "PostgreSQL has no such thing",
};
