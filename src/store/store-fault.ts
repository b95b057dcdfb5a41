/** Why the store cannot do what was asked. A caller answers 503 to all but `unsupported`, and /healthz shows the sentence. */
export type StoreFaultCode =
  /** Another service has the file, or another process holds the database for longer than we wait. */
  | "store_locked"
  /** The disk is full. */
  | "store_full"
  /** The file is no longer where it was opened: what is written now would be lost. */
  | "store_moved"
  /** The database server does not answer. */
  | "store_unreachable"
  /** The file or the disk is damaged, or this is no database of ours. */
  | "store_broken"
  /** More calls wait than may: the callers come faster than the disk. */
  | "store_busy"
  /** The store was closed while this waited. */
  | "store_closed"
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
