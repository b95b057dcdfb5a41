import type { ConnectionEvidence } from "#check/evidence";
import { withEvidence } from "#check/evidence-words";
import type { Failure } from "#check/failure";
import type { Witness } from "#probes/socket/witness";

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

export const peerWitness = (ends: PeerEnds, witness: Witness): PeerWitness =>
  new WatchedPeer(ends, witness);

type PeerEnds = Pick<ConnectionEvidence, "address" | "port" | "peer">;

/** A class, for each connection has one: V8 makes a getter in an object anew, which costs as much as a system call. */
class WatchedPeer implements PeerWitness {
  readonly #ends: PeerEnds;
  readonly #witness: Witness;

  constructor(ends: PeerEnds, witness: Witness) {
    this.#ends = ends;
    this.#witness = witness;
  }

  get evidence(): ConnectionEvidence | null {
    const { sight } = this.#witness;
    if (sight === null) return null;
    const { source, refusedBy, tcp } = sight;
    return { ...this.#ends, source, refusedBy, tcp, path: null, onlySmallPass: null };
  }

  dismiss(): void {
    this.#witness.dismiss();
  }
}

/** A failure in words that say what the kernel knew, and that in addition. */
export function explained(failed: Failure, witness: PeerWitness | null): NoConnection {
  const evidence = witness?.evidence ?? null;
  return { ok: false, failure: withEvidence(failed, evidence), evidence };
}

/** Where nothing was dialled. */
export const unreached = (failed: Failure): NoConnection => explained(failed, null);
