import { expect } from "vitest";
import { type Failure, type FailureCode, failureCodes, type FailurePhase } from "#check/failure";
import { type Outcome, type PhaseName, phaseNames, type Phases } from "#check/outcome";
import { happened, sumOf } from "./probing.ts";

/**
 * What every outcome keeps, whatever the peer did: the phases and our own work sum to the total to the nanosecond, none is negative, a
 * failure has a code of the vocabulary, and the phase that it names is the last one that took time.
 */
export function expectTimingContract(outcome: Outcome): void {
  expect(sumOf(outcome.phases) + (outcome.own ?? 0)).toBe(outcome.total);
  expect(outcome.own ?? 0).toBeGreaterThanOrEqual(0);
  for (const phase of Object.values(outcome.phases)) expect(phase ?? 0).toBeGreaterThanOrEqual(0);
  const last = lastPhases(outcome);
  const { failure } = outcome;
  if (failure === null) return;
  expect(Object.keys(failureCodes)).toContain(failure.code);
  if (isTimed(failure.phase)) expect(happened(last).at(-1)).toBe(failure.phase);
}

/** The failure of an outcome as `code in phase`, for tables; `ok` when there is none. */
export const told = ({ failure }: { readonly failure: Failure | null }): Told =>
  failure === null ? "ok" : `${failure.code} in ${failure.phase}`;

export type Told = "ok" | `${FailureCode} in ${FailurePhase}`;

/** A redirect chain comes back to phases that were over: its last request is what failed. */
function lastPhases(outcome: Outcome): Phases {
  if (outcome.kind !== "http") return outcome.phases;
  const ofHops = outcome.hops.reduce((sum, { phases }) => sum + sumOf(phases), 0);
  expect(ofHops + (outcome.own ?? 0)).toBe(outcome.total);
  return outcome.hops.at(-1)?.phases ?? outcome.phases;
}

const isTimed = (phase: FailurePhase): phase is PhaseName =>
  phaseNames.some((name) => name === phase);
