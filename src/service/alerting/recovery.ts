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
  /** How many of those have to get as many as are wanted; 0 if all have passed, and the judge only has to look. */
  readonly enough: number;
  /** How many good checks in a row are wanted of a location. */
  readonly wanted: number;
}

/**
 * The same rule as `presenceOf` has for the end of an incident: too few locations for a quorum are still without enough
 * good checks. Null without any view, and while it would not close if the locations that have begun to pass since it began
 * go on: one that it does not wait for says nothing of its end. If all pass, it closes if they go on, since whenever they
 * pass.
 */
export function recoveryOf<Place>(
  views: readonly RecoveringView<Place>[],
  { quorum, successes: wanted }: Pick<AlertPolicy, "quorum" | "successes">,
  began: EpochMillis,
): Recovery<Place> | null {
  const waited = views
    .map(({ location, recent, since }) => ({ location, passed: run(recent, isGood), since }))
    .filter(({ passed }) => passed < wanted);
  if (views.length === 0) return null;
  if (!isQuorum(quorum, waited.length, views.length)) return { short: [], enough: 0, wanted };
  const left = waited.findIndex(
    (_, index) => !isQuorum(quorum, waited.length - index, views.length),
  );
  const enough = left === -1 ? waited.length : left;
  const allPass = views.every(({ recent }) => run(recent, isGood) > 0);
  const passing = waited.filter(({ passed, since }) => passed > 0 && (allPass || since >= began));
  if (passing.length < enough) return null;
  return { short: waited.map(({ location, passed }) => ({ location, passed })), enough, wanted };
}
