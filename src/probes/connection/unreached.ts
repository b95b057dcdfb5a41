import type { ConnectionEvidence } from "#check/evidence";
import { withEvidence } from "#check/evidence-words";
import type { Failure } from "#check/failure";
import type { Witness } from "#probes/evidence/witness";

/** Why there is no connection, and what the kernel knew of the last one that was tried. */
export interface NoConnection {
  readonly ok: false;
  readonly failure: Failure;
  readonly evidence: ConnectionEvidence | null;
}

/** A witness, and whose connection it watches. */
export interface PeerWitness extends Pick<Witness, "dismiss"> {
  readonly evidence: ConnectionEvidence | null;
}

export const peerWitness = (
  ends: Pick<ConnectionEvidence, "address" | "port" | "peer">,
  witness: Witness,
): PeerWitness => ({
  get evidence() {
    const { sight } = witness;
    if (sight === null) return null;
    const { source, refusedBy, tcp } = sight;
    return { ...ends, source, refusedBy, tcp, path: null, onlySmallPass: null };
  },
  dismiss: () => witness.dismiss(),
});

/** A failure in words that say what the kernel knew, and that beside it. */
export function explained(failed: Failure, witness: PeerWitness | null): NoConnection {
  const evidence = witness?.evidence ?? null;
  return { ok: false, failure: withEvidence(failed, evidence), evidence };
}

/** Where nothing was dialled. */
export const unreached = (failed: Failure): NoConnection => explained(failed, null);
