import type { Deadline } from "#base/deadline";
import type { Failure } from "#check/failure";
import type { LookupWatch } from "#probes/resolve/exchange-watch";

/** Finds the addresses of a name, as the host would. No answer is kept, and no look-up waits for another. */
export interface Resolver {
  /** At most `addressesMax` addresses, in the order in which to dial them. Ends when the deadline does. */
  resolve(
    host: string,
    family: IpFamily,
    deadline: Deadline,
    watch?: LookupWatch,
  ): Promise<Resolution>;
}

export type IpFamily = "any" | "4" | "6";

export type Resolution =
  | { readonly ok: true; readonly addresses: readonly string[] }
  | { readonly ok: false; readonly failure: Failure };

/** A DNS server that is asked. */
export interface NameServer {
  readonly host: string;
  readonly port: number;
}
