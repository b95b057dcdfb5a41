import { type MonitorDefinition, periodicities } from "#check/definition";
import { blamesTarget, type FailurePhase } from "#check/failure";
import { stateAfter } from "#check/slowness";
import type { ResultStatus } from "#check/verdict";
import * as limits from "#limits";
import { after, type EpochMillis, type Millis, millis } from "#units";

/** What one location saw last of one monitor. */
export interface View {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  /** The slot of the first result in a row that says this status. */
  readonly since: EpochMillis;
}

/** What of a result can move a view. */
export interface Sighting {
  readonly slot: EpochMillis;
  readonly status: ResultStatus;
  /** Empty where the agent did not say: the plain calls have no room for it. */
  readonly failurePhase: string;
  /** The check passed, but it may have been slower or faster than it looks: the agent was too busy to be sure. */
  readonly uncertain: boolean;
}

/**
 * The view after a result has come. Only a strictly newer slot moves it, so a backlog that arrives late rewrites no
 * present, and neither does a result that says nothing of the target.
 */
export function viewAfter(view: View | null, seen: Sighting): View | null {
  if (view !== null && seen.slot <= view.slot) return view;
  if (!saysSomethingOfTarget(seen.failurePhase)) return view;
  const status = statusAfter(view, seen);
  const since = view?.status === status ? view.since : seen.slot;
  return { slot: seen.slot, status, since };
}

/** A success that may have been too slow is no proof that a slow target has become fast. */
const statusAfter = (view: View | null, { status, uncertain }: Sighting): ResultStatus =>
  stateAfter(view?.status ?? null, { status, perhapsSlow: uncertain });

/** Faults of configuration, policy and agent are never a target's downtime. */
function saysSomethingOfTarget(phase: string): boolean {
  const blameless: readonly FailurePhase[] = ["config", "policy", "agent"];
  const known = blameless.find((one) => one === phase);
  return known === undefined || blamesTarget(known);
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
  timeout: timeout === 0 ? limits.timeoutDefault : millis(timeout),
  retry,
});

/** Until when a view says something of the present: two further results should have come by then. */
export function freshUntil({ slot }: View, { periodicity, timeout, retry }: Rhythm): EpochMillis {
  const longest = Math.min(timeout * (retry + 1), limits.longestCheckCounted);
  return after(slot, millis(2 * periodicity + longest + limits.viewFreshMargin));
}
