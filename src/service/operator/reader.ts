import type { Role } from "#service/store/people-store";

/** Who looks: at a service that asks no one to sign in, or as a person who did, or not yet. */
export type Reader =
  | {
      readonly kind: "local";
      readonly formToken: string;
      /** The one that they chose, which their browser keeps; empty: that of the browser. */
      readonly timeZone: string;
    }
  | {
      readonly kind: "signed in";
      readonly name: string;
      readonly role: Role;
      /** The one that they chose in their profile: an account keeps it, or else their browser. Empty: that of the browser. */
      readonly timeZone: string;
      /** By what they signed in, e.g. `key 3`: all sessions of one person have the same. */
      readonly who: string;
      readonly session: string;
      readonly formToken: string;
    }
  | { readonly kind: "stranger" };

/** Who sent a request and what is in its form, as far as that is known. */
export interface SeenRequest {
  readonly reader: Reader;
  /** Null if it has none, or one that may not come from a page of ours. */
  readonly form: URLSearchParams | null;
}
export const stranger: SeenRequest = { reader: { kind: "stranger" }, form: null };
