import { X509Certificate } from "node:crypto";
import * as limits from "#limits/probes-limits";
import { type PeerChain, peerChain } from "#probes/socket/certificate";

interface KeptChain {
  readonly certificates: readonly Buffer[];
  readonly chain: PeerChain;
}

/** What peers showed before: to read a certificate costs more than to see that it is the same one. */
export class KeptChains {
  /** By the ends of their certificates, which are parts of signatures: few have to be compared whole. */
  readonly #kept = new Map<string, KeptChain>();

  /** Leaf first, in DER. Null for a peer that showed none. */
  of(certificates: readonly Buffer[]): PeerChain | null {
    const key = endsOf(certificates);
    const kept = this.#kept.get(key);
    const chain =
      kept !== undefined && areSame(kept.certificates, certificates)
        ? kept.chain
        : peerChain(() => certificates.map((der) => new X509Certificate(der)));
    if (chain === null) return null;
    // The one that was asked for last is the last to go.
    this.#kept.delete(key);
    this.#kept.set(key, kept?.chain === chain ? kept : { certificates, chain });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.chainsKeptMax && oldest !== undefined) this.#kept.delete(oldest);
    return chain;
  }
}

function endsOf(certificates: readonly Buffer[]): string {
  let ends = "";
  for (const der of certificates)
    ends += der.toString("latin1", Math.max(0, der.length - endBytes));
  return ends;
}

const endBytes = 16;

const areSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
  some.length === others.length && some.every((one, index) => one.equals(others[index] ?? noBytes));

const noBytes = Buffer.alloc(0);
