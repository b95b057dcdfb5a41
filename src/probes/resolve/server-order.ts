import type { Clock } from "#base/clock";
import * as limits from "#limits/probes-limits";
import type { NameServer } from "#probes/resolve/resolving";
import { showHostPort } from "#network/host-port";
import { millisToNanos, nanos, type Nanos } from "#base/units";

/**
 * In which order name servers are asked: those that kept silent when they were last asked after the others, so that one
 * that is down delays the questions of one moment only. Every few seconds one question is put to them in addition, which no check
 * waits for: as soon as they answer it, the order is that of the list again.
 */
export class ServerOrder {
  readonly #clock: Clock;
  /** By `address:port`: when each one is to be asked again. */
  readonly #askAgainAt = new Map<string, Nanos>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  keptSilent({ host, port }: NameServer): void {
    const [oldest] = this.#askAgainAt.keys();
    if (oldest !== undefined && this.#askAgainAt.size >= limits.silentServersMax)
      this.#askAgainAt.delete(oldest);
    this.#askAgainAt.set(showHostPort(host, port), this.#later());
  }

  answered({ host, port }: NameServer): void {
    if (this.#askAgainAt.size > 0) this.#askAgainAt.delete(showHostPort(host, port));
  }

  /** The list with those that kept silent at its end. */
  of(servers: readonly NameServer[]): readonly NameServer[] {
    if (this.#askAgainAt.size === 0) return servers;
    const silent = servers.filter((server) => this.#isSilent(server));
    return [...servers.filter((server) => !silent.includes(server)), ...silent];
  }

  /** A server of the list whose silence is to be tried now, by this caller alone; null as long as none is. */
  dueOf(servers: readonly NameServer[]): NameServer | null {
    if (this.#askAgainAt.size === 0) return null;
    const now = this.#clock.monotonic();
    const due = servers.find(
      ({ host, port }) => (this.#askAgainAt.get(showHostPort(host, port)) ?? Infinity) <= now,
    );
    if (due !== undefined) this.keptSilent(due);
    return due ?? null;
  }

  #isSilent({ host, port }: NameServer): boolean {
    return this.#askAgainAt.has(showHostPort(host, port));
  }

  #later(): Nanos {
    return nanos(this.#clock.monotonic() + millisToNanos(limits.silentServerAgainAfter));
  }
}
