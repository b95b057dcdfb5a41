import { beginOf, isSkipped, type MovedWindow, type Window } from "#service/alerting/maintenance";
import type { EpochMillis } from "#base/units";

/** The time of what repeats that is over before it was to be, as it was: what is said until then is about it. Null if none is. */
export function endedEarly(moved: readonly MovedWindow[], at: EpochMillis): Window | null {
  const ended = moved.find((one) => !isSkipped(one) && one.to <= at && at < one.planned);
  return ended === undefined ? null : { from: beginOf(ended), to: ended.to };
}

/** The time of what repeats that is under way as it began before it was to. Undefined if none is. */
export const begunEarly = (
  moved: readonly MovedWindow[],
  at: EpochMillis,
): MovedWindow | undefined =>
  moved.find((one) => one.begins !== undefined && one.begins <= at && at < one.to);
