import { hash, X509Certificate } from "node:crypto";
import * as limits from "#limits/probes-limits";
import { type PeerChain, peerChain } from "#probes/connection/certificate";

/** What peers showed before: to read a certificate costs more than to see that it is the same one. */
export class KeptChains {
  readonly #kept = new Map<string, PeerChain>();

  /** Leaf first, in DER. Null for a peer that showed none. */
  of(certificates: readonly Buffer[]): PeerChain | null {
    const key = hash("sha256", Buffer.concat(certificates), "base64");
    const kept = this.#kept.get(key);
    const chain = kept ?? peerChain(() => certificates.map((der) => new X509Certificate(der)));
    if (chain === null) return null;
    // The one that was asked for last is the last to go.
    this.#kept.delete(key);
    this.#kept.set(key, chain);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > limits.chainsKeptMax && oldest !== undefined) this.#kept.delete(oldest);
    return chain;
  }
}
