/** Why the store cannot do what was asked. A caller answers 503 to all but `unsupported`. */
export type StoreFaultCode =
  /** Another service has the file, or another process holds the database for longer than we wait. */
  | "store_locked"
  /** The disk is full. */
  | "store_full"
  /** The file is no longer where it was opened: what is written now would be lost. */
  | "store_moved"
  /** The database server does not answer. */
  | "store_unreachable"
  /** The database server does not allow its role what the store does. */
  | "store_forbidden"
  /** A server of the cluster does not answer: what it has cannot be read or written, and the others work. */
  | "store_part_away"
  /** The disk fails, or this is no database of ours. */
  | "store_broken"
  /** What is stored is damaged: some calls meet it, and others work on. */
  | "store_damaged"
  /** More calls wait than may: the callers come faster than the disk. */
  | "store_busy"
  /** The store was closed while this waited. */
  | "store_closed"
  /** What a form showed was changed since, so nothing was written. */
  | "overtaken"
  /** What a form would change was asked for, so nothing was written; the message is the changes as JSON. */
  | "rehearsed"
  /** This engine has no such thing. */
  | "unsupported";

/** What every call of a store rejects with when the fault is not the caller's. Nothing was changed, or it is not known. */
export class StoreFault extends Error {
  readonly code: StoreFaultCode;

  constructor(code: StoreFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause });
    this.name = "StoreFault";
    this.code = code;
  }
}

/** The same for whoever may ask how the service is: no path, no address. */
export const publicSentences: { readonly [C in StoreFaultCode]: string } = {
  store_locked: "another process has locked the database: wait until it is done, or end it",
  store_full: "the disk of the database is full: make room on it",
  store_moved:
    "the database was moved or deleted while the service ran: put it back, or restart the service",
  store_unreachable: "the database server cannot be reached: the service's log says why",
  store_forbidden:
    "the database server does not allow what the service does: the service's log says which right its role lacks",
  store_part_away:
    "a database server that has some of the results cannot be reached: the service's log says which",
  store_broken: "the database cannot be used: the service's log says why",
  store_damaged: "the database is damaged: restore a backup, the service's log says more",
  store_busy: "too many calls wait for the database",
  store_closed: "the service is stopping",
  overtaken: "someone else changed it meanwhile: load it again",
  rehearsed: "nothing was written: it was only asked what would change",
  unsupported: "the database does not support this: the service's log says more",
};

/** Whether something failed only because a database server of several is away. */
export const isAway = (error: unknown): boolean =>
  error instanceof StoreFault && error.code === "store_part_away";
