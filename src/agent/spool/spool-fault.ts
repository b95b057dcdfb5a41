/** What can be wrong with a spool's file. */
export type SpoolTrouble =
  | "foreign"
  | "newer"
  | "corrupt"
  | "busy"
  | "full"
  | "unwritable"
  | "failing";

/** What a person reads of it, and what to do. */
const sentences: { readonly [T in SpoolTrouble]: string } = {
  foreign:
    "the file is not one of Picket's: set PICKET_STATE_DIR to a directory that only this agent uses",
  newer: "the file was written by a newer Picket: run that one again to report what it holds",
  corrupt: "the file is damaged: check the disk and the kernel's log",
  busy: "another agent uses the file: give each agent its own PICKET_STATE_DIR",
  full: "the disk is full: make room on it",
  unwritable: "the file cannot be written: let this agent's user write to its folder",
  failing: "the disk fails: see the kernel's log",
};

/** A spool's file cannot be used; the message is a sentence for people, the cause is what the system said. */
export class SpoolFault extends Error {
  override readonly name = "SpoolFault";
  readonly trouble: SpoolTrouble;

  constructor(trouble: SpoolTrouble, cause?: unknown) {
    super(sentences[trouble], { cause });
    this.trouble = trouble;
  }

  /** The system's own words, for the log. */
  get detail(): string | null {
    return Error.isError(this.cause) ? this.cause.message : null;
  }
}

/** SQLite's primary result codes, https://www.sqlite.org/rescode.html; what is not here is the disk's failing. */
const troubles: ReadonlyMap<number, SpoolTrouble> = new Map([
  [3, "unwritable"], // SQLITE_PERM
  [5, "busy"], // SQLITE_BUSY
  [6, "busy"], // SQLITE_LOCKED
  [8, "unwritable"], // SQLITE_READONLY
  [11, "corrupt"], // SQLITE_CORRUPT
  [13, "full"], // SQLITE_FULL
  [14, "unwritable"], // SQLITE_CANTOPEN
  [26, "foreign"], // SQLITE_NOTADB
]);

/** What SQLite or the file system threw, as a fault. */
export function faultOf(error: unknown): SpoolFault {
  if (error instanceof SpoolFault) return error;
  if (Error.isError(error) && "errcode" in error)
    return new SpoolFault(troubles.get(Number(error.errcode) & 0xff) ?? "failing", error);
  const code = Error.isError(error) && "code" in error ? error.code : null;
  if (code === "ENOSPC" || code === "EDQUOT") return new SpoolFault("full", error);
  if (code === "EIO") return new SpoolFault("failing", error);
  return new SpoolFault(code === null ? "failing" : "unwritable", error);
}
