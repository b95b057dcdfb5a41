import { randomUUID } from "node:crypto";
import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import type { Leases } from "#service/store/lease-store";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/** Work that one replica at a time does: the parts of the judge's monitors, and forgetting what is old. */
export const forgetting = "forget";
export const judgingOf = (part: number): string => `judge/${part}`;

const parts = Array.from({ length: limits.judgeParts }, (_, part) => part);

/**
 * This service among those that share a database. It looks every second which others there are, whatever else it does, so
 * that long work does not lose its lease, and that of a service that is gone is taken over.
 */
export class Replica {
  /** By which the leases are ours. */
  readonly holder: string = randomUUID();
  readonly #leases: Leases;
  readonly #clock: Clock;
  readonly #log: Logger;
  #leased: ReadonlySet<string> = new Set();
  /** When the leases were last renewed. */
  #heldAt: Nanos = nanos(0);
  #failing = false;

  constructor(leases: Leases, { clock, log }: { readonly clock: Clock; readonly log: Logger }) {
    this.#leases = leases;
    this.#clock = clock;
    this.#log = log;
  }

  holds(work: string): boolean {
    return this.#leased.has(work);
  }

  /** The parts whose monitors are judged here. */
  get parts(): readonly number[] {
    return parts.filter((part) => this.holds(judgingOf(part)));
  }

  /** Asks until `signal` aborts; `taken` hears when there is work that was not ours before. */
  async run(signal: AbortSignal, taken: () => void): Promise<void> {
    while (!signal.aborted) {
      const before = this.#leased;
      await this.#ask();
      if ([...this.#leased].some((work) => !before.has(work))) taken();
      await this.#clock.sleep(limits.replicasLookedAtEvery, signal);
    }
    // Others take over at once; where the store is gone, they do when the leases have ended.
    await this.#leases.release(this.holder).catch(() => {});
  }

  async #ask(): Promise<void> {
    try {
      const others = await this.#leases.holders(limits.leaseLength);
      // Whoever is not seen may have lost its leases.
      if (!others.includes(this.holder)) this.#leased = new Set();
      await this.#holdShare([...new Set([...others, this.holder])].toSorted());
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#log.error("could not ask for a part of the work that replicas share", {
          "error.message": String(error),
        });
      this.#failing = true;
      this.#leased = new Set();
    }
  }

  /** Each replica asks for as many parts as each other one; the first in order forgets. */
  async #holdShare(all: readonly string[]): Promise<void> {
    const own = all.indexOf(this.holder);
    const judged = parts.filter((part) => part % all.length === own).map(judgingOf);
    const wanted = own === 0 ? [forgetting, ...judged] : judged;
    const now = this.#clock.monotonic();
    const isTime = nanosToMillis(nanos(now - this.#heldAt)) >= limits.leaseRenewedEvery;
    if (!isTime && new Set(wanted).symmetricDifference(this.#leased).size === 0) return;
    this.#leased = new Set(await this.#leases.hold(this.holder, wanted, limits.leaseLength));
    this.#heldAt = now;
  }
}
