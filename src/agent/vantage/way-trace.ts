import { type ConnectionEvidence, leftNothing, peerHasAll } from "#check/evidence";
import { type MachineSight, wayTo } from "#agent/vantage/machine-sight";

/**
 * Whether a trace can say more of a failed connection: its packets left this machine for another network, and the peer did
 * not answer them.
 */
export function isWorthTrace(evidence: ConnectionEvidence, { routes }: MachineSight): boolean {
  if (leftNothing(evidence) || peerHasAll(evidence)) return false;
  if (evidence.refusedBy?.from === "this machine" || evidence.refusedBy?.from === "the peer")
    return false;
  const way = wayTo(evidence.address, routes);
  return way.is === "out" && way.gateway !== null && evidence.source !== null;
}
