import { type ConnectionEvidence, type PathHop, wasCutOff } from "#check/evidence";
import { type Failure, type FailureCode, isTimeout } from "#check/failure";
import type { KnownPath, PathChange } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { changeIn } from "#agent/vantage/path-changes";
import { addressesAt, hopAt, isHeard, settledHops } from "#agent/vantage/settled-hop";
import type { EpochMillis } from "#base/units";

/**
 * How a failure may be due to the path: no answer came at all, or what was sent after the connection was there is lost, or
 * only large packets are. A target that answers, whatever it says, has a path that works.
 */
export type PathFailure = "unanswered" | "stalled" | "large stalled";

/** Null for a failure that no path explains. */
export function pathFailureOf(
  { code, phase }: Pick<Failure, "code" | "phase">,
  evidence: ConnectionEvidence | null,
): PathFailure | null {
  if (evidence?.onlySmallPass === true) return "large stalled";
  if (evidence !== null && wasCutOff(evidence)) return "stalled";
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
  /** When a check last passed that shows the path to have worked; null if none did since the start. */
  readonly passedAt: EpochMillis | null;
  readonly at: EpochMillis;
}

/**
 * The change of the path that may be said of a failure; null if none may. It came after the last check that passed, the
 * path is still as it says, and nothing answers behind it: what a check has passed over is not at fault, nor is a router
 * that is off the path again, nor one behind which others answer.
 */
export function changeToSay(failed: FailedPath): PathChange | null {
  const { known, answers, passedAt, at } = failed;
  const found = changeIn(known, answers, at);
  const recent = known.changes.find(
    (one) => passedAt !== null && one.at > passedAt && isStillSo(one, found, failed),
  );
  if (recent !== undefined && (found === null || recent.ttl <= found.ttl)) {
    if (isDeadBehind(recent, failed)) return recent;
  }
  return found !== null && isDeadBehind(found, failed) ? found : null;
}

/** Whether the path is still as a change says that a trace saw before the failure. */
function isStillSo(change: PathChange, found: PathChange | null, failed: FailedPath): boolean {
  const { ttl, gone, came } = change;
  switch (change.kind) {
    case "returned":
      return false;
    case "replaced":
    case "gained":
    case "lost": {
      // A router that is back at once is learned, and no change is kept of it.
      if ((hopAt(failed.known, ttl)?.address ?? null) !== came) return false;
      const now = addressesAt(failed.answers, ttl);
      if (came === null) return !now.includes(gone ?? "");
      return now.includes(came) || (now.length === 0 && failed.failure === "unanswered");
    }
    case "ended":
      return isStillCut(change, ttl, found, failed);
    case "circle":
      return isStillCut(change, ttl + 2, found, failed);
  }
}

/** Whether nothing from a hop on has answered since but the two of a circle; the look at the failure has asked there. */
function isStillCut(
  change: PathChange,
  from: number,
  found: PathChange | null,
  { known, answers, at }: FailedPath,
): boolean {
  if (known.hops.some(({ ttl, seenAt }) => ttl >= from && seenAt > change.at)) return false;
  const behind = answers.filter(({ ttl }) => ttl >= from);
  const inCircle = change.kind === "circle" ? [change.came, change.gone] : [];
  const isBack = behind.some(
    ({ ended, address }) => ended === "target" || (ended === "hop" && !inCircle.includes(address)),
  );
  if (isBack) return false;
  if (found?.kind === "ended" || found?.kind === "circle") return true;
  const ttls = new Set(settledHops(known, at).map(({ ttl }) => ttl));
  return behind.filter(({ ttl }) => ttls.has(ttl)).length >= limits.silentAsks;
}

function isDeadBehind(change: PathChange, { known, answers, failure, at }: FailedPath): boolean {
  if (failure !== "unanswered") return true;
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
