import type { PathFlow, PathProtocol } from "#check/known-path";
import * as limits from "#limits/path-limits";
import { dialledAddress } from "#network/dialled-address";
import type { PathEnd } from "#probes/socket/socket-calls";
import type { EpochMillis } from "#base/units";

/** An end that checks of this run have reached: the guard let them through. */
export type ReachedEnd = PathEnd & { readonly protocol: PathProtocol };

/** Which monitors have their targets in which network, and when each last passed. */
export class PathUsers {
  readonly #monitors = new Map<string, MonitorPath>();
  readonly #networks = new Map<string, Map<string, ReachedEnd>>();

  passed(monitorId: string, end: ReachedEnd, at: EpochMillis): void {
    const before = this.#monitors.get(monitorId);
    const network = before?.address === end.address ? before.network : networkOf(end.address);
    if (before === undefined && this.#monitors.size >= limits.monitorsMax) return;
    if (before !== undefined && before.network !== network) this.#leave(monitorId, before.network);
    this.#monitors.set(monitorId, { network, address: end.address, at });
    this.#networks
      .getOrInsertComputed(network, () => new Map<string, ReachedEnd>())
      .set(monitorId, end);
  }

  /** Null if no check of it has passed since the start. */
  passedAt(monitorId: string): EpochMillis | null {
    return this.#monitors.get(monitorId)?.at ?? null;
  }

  /** Of any monitor that has its target there. */
  newestPassIn(network: string): EpochMillis | null {
    let newest: EpochMillis | null = null;
    for (const monitorId of this.monitorsOf(network)) {
      const at = this.passedAt(monitorId);
      if (at !== null && (newest === null || at > newest)) newest = at;
    }
    return newest;
  }

  networks(): Iterable<string> {
    return this.#networks.keys();
  }

  monitorsOf(network: string): readonly string[] {
    return [...(this.#networks.get(network)?.keys() ?? [])];
  }

  /** Null if no check of it has passed since the start. */
  networkOf(monitorId: string): string | null {
    return this.#monitors.get(monitorId)?.network ?? null;
  }

  /** The end that the first of them reaches. */
  endIn(network: string): ReachedEnd | null {
    return this.#networks.get(network)?.values().next().value ?? null;
  }

  /** Whether one of them reaches the end of a flow. */
  hasReached({ address, port, protocol }: PathFlow): boolean {
    const ends = this.#networks.get(networkOf(address))?.values().toArray() ?? [];
    return ends.some(
      (one) => one.address === address && one.port === port && one.protocol === protocol,
    );
  }

  forgetOthers(runs: (monitorId: string) => boolean): void {
    for (const [id, { network }] of this.#monitors) {
      if (runs(id)) continue;
      this.#monitors.delete(id);
      this.#leave(id, network);
    }
  }

  #leave(monitorId: string, network: string): void {
    const ends = this.#networks.get(network);
    ends?.delete(monitorId);
    if (ends?.size === 0) this.#networks.delete(network);
  }
}

interface MonitorPath {
  readonly network: string;
  readonly address: string;
  readonly at: EpochMillis;
}

/** What shares its path: the /24 of IPv4, the /48 of IPv6. */
export function networkOf(address: string): string {
  const dialled = dialledAddress(address)?.dialled ?? null;
  if (dialled === null) return address;
  const { width, value } = dialled;
  if (width === 32) {
    const bytes = [24n, 16n, 8n].map((shift) => (value >> shift) & 0xffn);
    return `${bytes.join(".")}.0/24`;
  }
  const groups = [112n, 96n, 80n].map((shift) => ((value >> shift) & 0xffffn).toString(16));
  return `${groups.join(":")}::/48`;
}
