import * as limits from "#limits/vantage-limits";
import { minutes } from "#units";

/** What packets are sent for when something fails. */
export type EvidencePurpose = "names" | "gateway" | "ways";

/**
 * How many packets an agent sends to look something up: a mass outage sends what one failure does. Instants are
 * milliseconds of the monotonic clock.
 */
export class EvidenceBudget {
  readonly #spent: Record<EvidencePurpose, readonly Expense[]> = {
    names: [],
    gateway: [],
    ways: [],
  };
  readonly #tracedAt = new Map<string, number>();
  #lastTraceAt = -Infinity;
  #refused = 0;

  /** Questions that were wanted and not asked. */
  get refused(): number {
    return this.#refused;
  }

  /** Takes room for so many packets; false where there is none. What they did not need comes back by `spent`. */
  take(purpose: EvidencePurpose, packets: number, now: number): boolean {
    const recent = this.#spent[purpose].filter(({ at }) => now - at < minutes(1));
    const sum = recent.reduce((all, one) => all + one.packets, 0);
    const isFree = sum + packets <= shares[purpose];
    this.#spent[purpose] = isFree ? [...recent, { at: now, packets }] : recent;
    if (!isFree) this.#refused += 1;
    return isFree;
  }

  /** The same for the trace of a whole way to an address. */
  takeTrace(address: string, now: number): boolean {
    const before = this.#tracedAt.get(address) ?? -Infinity;
    if (now - this.#lastTraceAt < limits.traceEvery || now - before < limits.traceTargetEvery) {
      this.#refused += 1;
      return false;
    }
    if (!this.take("ways", limits.traceHopsMax, now)) return false;
    if (this.#tracedAt.size >= limits.tracedTargetsMax) this.#tracedAt.clear();
    this.#tracedAt.set(address, now);
    this.#lastTraceAt = now;
    return true;
  }

  /** What was taken last for a purpose cost only so many. */
  spent(purpose: EvidencePurpose, packets: number): void {
    const last = this.#spent[purpose].at(-1);
    if (last !== undefined)
      this.#spent[purpose] = [...this.#spent[purpose].slice(0, -1), { ...last, packets }];
  }
}

interface Expense {
  readonly at: number;
  readonly packets: number;
}

const shares: { readonly [P in EvidencePurpose]: number } = {
  names: limits.namePacketsPerMinute,
  gateway: limits.gatewayPacketsPerMinute,
  ways: limits.tracePacketsPerMinute,
};
