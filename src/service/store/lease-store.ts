import type { Millis } from "#base/units";

/**
 * Work that one replica at a time may do. Time is the database's, so replicas' clocks do not matter. What a replica had
 * whose session has ended is free at once; of one without a session, once its leases have ended.
 */
export interface Leases {
  /** Takes or renews those of `names` that are free or ours; gives all that are ours now. */
  hold(holder: string, names: readonly string[], length: Millis): Promise<readonly string[]>;
  release(holder: string): Promise<void>;
  /** Replicas that hold any lease, or asked for one, within `length`. In order. */
  holders(length: Millis): Promise<readonly string[]>;
}
