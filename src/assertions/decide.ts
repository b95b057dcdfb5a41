import type { Evaluation } from "#check/assertion";
import { failure, type Failure, statusFailed } from "#check/failure";
import { type LatencyEnd, latencyOf, type Outcome } from "#check/outcome";
import { speedOf } from "#check/slowness";
import type { Millis } from "#base/units";
import type { Verdict } from "#check/verdict";

/**
 * What we say of one attempt. A failure on the wire is an error whatever the assertions say; with no status assertion
 * an HTTP status must be 2xx; every assertion must hold; then a latency that is certainly above the threshold, however
 * busy the probe was, is degraded.
 */
export function decide(
  outcome: Outcome,
  evaluations: readonly Evaluation[],
  degradedAt: Millis | null,
  latencyEnd: LatencyEnd = "total",
): Verdict {
  const failed =
    outcome.failure ??
    unexpectedStatus(outcome, evaluations) ??
    unjudgedBody(outcome, evaluations) ??
    notHeld(evaluations);
  if (failed !== null)
    return { status: failed.code === "cancelled" ? "unknown" : "error", failure: failed };
  const slow = speedOf(latencyOf(outcome, latencyEnd), outcome.errorBar, degradedAt) === "slow";
  return { status: slow ? "degraded" : "success", failure: null };
}

/** Status assertions alone judge the status when there are any. */
function unexpectedStatus(outcome: Outcome, evaluations: readonly Evaluation[]): Failure | null {
  if (outcome.kind !== "http" || outcome.response === null) return null;
  const { statusCode } = outcome.response;
  const judged = evaluations.filter(({ kind }) => kind === "status");
  const fine =
    judged.length > 0 ? judged.every(({ held }) => held) : statusCode >= 200 && statusCode <= 299;
  if (fine) return null;
  return failure(
    "unexpected_status",
    "assertion",
    `${statusFailed(statusCode)}${judged.length > 0 ? wanted(judged) : ""}`,
  );
}

const wanted = (judged: readonly Evaluation[]): string =>
  ` (${judged
    .filter(({ held }) => !held)
    .map(({ expected }) => expected)
    .join(", ")} does not hold)`;

/** The beginning of a body cannot prove what the rest may change. */
function unjudgedBody(outcome: Outcome, evaluations: readonly Evaluation[]): Failure | null {
  const open = evaluations.find(({ unproven }) => unproven);
  if (open === undefined || outcome.kind !== "http" || outcome.response === null) return null;
  const read = outcome.response.bodyBytes;
  return failure(
    "body_too_large",
    "receive",
    `The body is larger than the ${read} bytes that were read, so it is not known whether ${open.expected}`,
  );
}

function notHeld(evaluations: readonly Evaluation[]): Failure | null {
  const open = evaluations.filter(({ held }) => !held);
  const [first] = open;
  if (first === undefined) return null;
  const why = first.unreadable === null ? "" : `: ${first.unreadable}`;
  const more = open.length > 1 ? ` (and ${open.length - 1} more)` : "";
  return failure(
    "assertion_failed",
    "assertion",
    `Assertion failed: ${first.expected}${why}${more}`,
  );
}
