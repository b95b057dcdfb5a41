import { type ConnectionEvidence, type PathHop, wasCutOff } from "#check/evidence";
import { type Failure, type FailureCode, isTimeout } from "#check/failure";
import type { KnownPath, PathChange } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { changeIn } from "#agent/vantage/path-changes";
import { isHeard, settledHops } from "#agent/vantage/settled-hop";
import type { EpochMillis } from "#base/units";

/**
 * How a failure may be due to the path: no answer came at all, or what was sent after the connection was there is lost. A
 * target that answers, whatever it says, has a path that works.
 */
export type PathFailure = "unanswered" | "stalled";

/** Null for a failure that no path explains. */
export function pathFailureOf(
  { code, phase }: Pick<Failure, "code" | "phase">,
  evidence: ConnectionEvidence | null,
): PathFailure | null {
  if (evidence !== null && (wasCutOff(evidence) || evidence.onlySmallPass === true))
    return "stalled";
  if (evidence?.refusedBy?.from === "this machine" || evidence?.refusedBy?.from === "the peer")
    return null;
  if (unreached.has(code)) return "unanswered";
  return isTimeout(code) && (phase === "connect" || phase === "proxy") ? "unanswered" : null;
}

const unreached: ReadonlySet<FailureCode> = new Set([
  "host_unreachable",
  "network_unreachable",
  "icmp_timeout",
  "icmp_host_unreachable",
  "icmp_net_unreachable",
  "icmp_ttl_exceeded",
  "dns_timeout",
]);

interface FailedPath {
  readonly known: KnownPath;
  /** Of the look at the path right after the failure. */
  readonly answers: readonly PathHop[];
  readonly failure: PathFailure;
  /** When a check of this monitor last passed by this path; null if none did since the start. */
  readonly passedAt: EpochMillis | null;
  readonly at: EpochMillis;
}

/**
 * The change of the path that may be said of a failure; null if none may. It came after the last check that passed, and
 * nothing answers behind it: what a check has passed over is not at fault, nor is a router behind which others answer.
 */
export function changeToSay(failed: FailedPath): PathChange | null {
  const { known, answers, passedAt, at } = failed;
  const found = changeIn(known, answers, at);
  const recent = known.changes.find(
    ({ kind, at: seen }) => kind !== "returned" && passedAt !== null && seen > passedAt,
  );
  if (recent !== undefined && (found === null || recent.ttl <= found.ttl)) {
    if (isDeadBehind(recent, failed)) return recent;
  }
  return found !== null && isDeadBehind(found, failed) ? found : null;
}

function isDeadBehind(change: PathChange, { known, answers, failure, at }: FailedPath): boolean {
  if (failure === "stalled") return true;
  if (change.kind === "ended" || change.kind === "circle") return true;
  const last = change.kind === "gained" ? change.ttl + 1 : change.ttl;
  // The target's own silence says nothing: it may be what failed.
  const behind = settledHops(known, at).filter(({ ttl }) => ttl > last);
  const silent = answers.filter(
    (one) => !isHeard(one) && behind.some(({ ttl }) => ttl === one.ttl),
  );
  const isHeardBehind = answers.some((one) => one.ttl > last && isHeard(one));
  // Of a router that is gone, the next one answers, and is behind it.
  return change.kind !== "lost" && silent.length >= limits.silentAsks && !isHeardBehind;
}
