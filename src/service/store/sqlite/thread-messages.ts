import type { Authorship } from "#service/store/audit/actor";
import type { StoreFaultCode } from "#service/store/store-fault";

/** What the service and a thread of its store say to each other. */
export interface ThreadRole {
  readonly file: string;
  readonly does: "writes" | "reads";
  /** Whether no other service may have the file while this thread lives. */
  readonly alone: boolean;
}

/** The arguments are those of the verb: the compiler has seen them where it was asked. */
export interface VerbRequest<A> {
  readonly id: number;
  /** The name of a verb, or one of those below. */
  readonly verb: string;
  readonly args: readonly A[];
  /** Whose change it is; null if none is recorded. */
  readonly authorship: Authorship | null;
}
export const backupVerb = "backup";
/** Tries whether the thread can do its work: a write that changes nothing. */
export const probeVerb = "probe";
/** Closes the file once what was asked before is done, and ends the thread. */
export const closeVerb = "close";

/** The value is the verb's, as the arguments are. */
export type ThreadReply<V> =
  | { readonly kind: "done"; readonly id: number; readonly value: V }
  /** The store's fault; with the id of the beginning, the thread cannot begin. */
  | {
      readonly kind: "fault";
      readonly id: number;
      readonly code: StoreFaultCode;
      readonly message: string;
    }
  /** What takes long at the beginning says how far it is. */
  | { readonly kind: "progress"; readonly sentence: string }
  /** A row cannot be read; all else is given. */
  | { readonly kind: "damage"; readonly sentence: string }
  /** A mistake in the program. */
  | { readonly kind: "threw"; readonly id: number; readonly message: string };

/** The id of the answer that a thread gives unasked, once it can work. */
export const threadBegins = 0;
