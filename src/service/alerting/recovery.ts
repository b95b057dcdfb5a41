import { type AlertPolicy, isQuorum } from "#check/alert-policy";
import { isGood, run } from "#service/alerting/presence";
import type { ResultStatus } from "#check/verdict";
import type { EpochMillis } from "#base/units";

/** What one location that reports sees of a monitor whose incident is open. */
interface RecoveringView<Place> {
  readonly location: Place;
  /** The newest first. */
  readonly recent: readonly ResultStatus[];
  /** Since when it sees what it sees now. */
  readonly since: EpochMillis;
}

/** What an open incident waits for until it closes. */
export interface Recovery<Place> {
  /** Locations without enough good checks in a row, and how many each has. */
  readonly short: readonly { readonly location: Place; readonly passed: number }[];
  /** How many of those have to get as many as are wanted. */
  readonly enough: number;
  /** How many good checks in a row are wanted of a location. */
  readonly wanted: number;
}

/**
 * The same rule as `presenceOf` has for the end of an incident: too few locations for a quorum are still without enough
 * good checks. Null while no location has passed since it began, and when nothing is missing.
 */
export function recoveryOf<Place>(
  views: readonly RecoveringView<Place>[],
  { quorum, successes: wanted }: Pick<AlertPolicy, "quorum" | "successes">,
  began: EpochMillis,
): Recovery<Place> | null {
  const hasPassed = views.some(({ recent, since }) => run(recent, isGood) > 0 && since >= began);
  const short = views
    .map(({ location, recent }) => ({ location, passed: run(recent, isGood) }))
    .filter(({ passed }) => passed < wanted);
  if (!hasPassed || !isQuorum(quorum, short.length, views.length)) return null;
  const left = short.findIndex((_, index) => !isQuorum(quorum, short.length - index, views.length));
  return { short, enough: left === -1 ? short.length : left, wanted };
}
