import { type MonitorDefinition, periodicities } from "#check/definition";
import type { ResultStatus } from "#check/verdict";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** What one location saw last of one monitor. */
export interface View {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  /** The slot of the first result in a row that says this status. */
  readonly since: EpochMillis;
}

/** How often and how long a monitor is checked: that decides for how long a view counts. */
export interface Rhythm {
  readonly periodicity: Millis;
  /** Of one attempt. */
  readonly timeout: Millis;
  readonly retry: number;
}

/** A period that is not understood never makes a view fresh for long: it counts as the shortest. */
export const rhythmOf = ({ periodicity, timeout, retry }: MonitorDefinition): Rhythm => ({
  periodicity: periodicities[periodicity] ?? millis(0),
  timeout: timeout === 0 ? checkLimits.timeoutDefault : millis(timeout),
  retry,
});

/** Until when a view says something of the present: two further results should have come by then. */
export function freshUntil(
  { slot }: Pick<View, "slot">,
  { periodicity, timeout, retry }: Rhythm,
): EpochMillis {
  const longest = Math.min(timeout * (retry + 1), limits.longestCheckCounted);
  return after(slot, millis(2 * periodicity + longest + limits.viewFreshMargin));
}
