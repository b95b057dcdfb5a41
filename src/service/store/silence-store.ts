import type { Silence } from "#service/alerting/silence";
import type { EpochMillis } from "#base/units";

/** What has nothing sent about monitors and locations, for a time. */
export interface Silences {
  create(made: Omit<Silence, "id">): Promise<number>;
  /** Each ends one that lasts at `at`: then, or later than it would have; false when there is none. */
  end(id: number, at: EpochMillis): Promise<boolean>;
  extend(id: number, until: EpochMillis, at: EpochMillis): Promise<boolean>;
  /** Puts an end back to where it was, if it still is as it was seen; false if it is not. */
  putBack(
    id: number,
    end: { readonly seen: EpochMillis; readonly to: EpochMillis },
  ): Promise<boolean>;
  /** Those that have not ended by then, at most `storeLimits.alertsReadMax`. */
  list(now: EpochMillis): Promise<readonly Silence[]>;
}
