import type { Cause } from "#check/cause";
import type { Result } from "#check/result";
import type { ConditionState } from "#vantage/condition";

/** What becomes of a result: it is reported, with the cause if one is known, or nothing was learned of its target. */
export type VantageJudgement =
  | { readonly is: "reported"; readonly result: Result }
  | { readonly is: "hidden"; readonly cause: Cause };

/** A fault of this agent's own place, as a person is shown it. */
export interface VantageCondition {
  readonly cause: Cause;
  readonly state: ConditionState;
}
