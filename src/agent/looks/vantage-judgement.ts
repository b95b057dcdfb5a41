import { type Cause, isTargetsOwn } from "#check/cause";
import type { PlaceEvidence } from "#check/place-evidence";
import type { Result } from "#check/result";
import { leading } from "#agent/vantage/cause-words";
import type { EpochMillis } from "#base/units";
import type { Condition, ConditionState } from "#agent/vantage/condition";
import type { ReportedEvidence } from "#wire/write-evidence";

/**
 * What becomes of a result: it is reported, with the cause if one is known and as much of its evidence as is due, or
 * nothing was learned of its target.
 */
export type VantageJudgement =
  | { readonly is: "reported"; readonly result: Result; readonly evidence: ReportedEvidence }
  | { readonly is: "hidden"; readonly cause: Cause };

/** A fault of this agent's own place, as a person is shown it. */
export interface VantageCondition {
  readonly cause: Cause;
  readonly state: ConditionState;
  /** What the machine and its name servers say now. */
  readonly place: PlaceEvidence;
}

export const shownCondition = (
  { dependency, id, sentence, affected, state }: Condition,
  { since, place }: { readonly since: EpochMillis; readonly place: PlaceEvidence },
): VantageCondition => ({
  cause: { ...dependency, certainty: "proven", since, id, sentence, affected: affected.size },
  state,
  place,
});

/** A result with why it failed; its message begins with that, unless it lies at the target itself. */
export function withCause(result: Result, cause: Cause | null): Result {
  const seen = result.failure;
  if (cause === null || seen === null) return result;
  const failure = isTargetsOwn(cause.scope)
    ? seen
    : { ...seen, message: leading(cause, seen.message) };
  return { ...result, failure, cause };
}
