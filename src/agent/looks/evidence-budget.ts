import * as limits from "#limits/vantage-limits";
import { minutes } from "#base/units";

/** What packets are sent for when something fails. */
type EvidencePurpose = "names" | "gateway" | "ways";

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

  /** Takes room for so many packets; null if there is none. Whoever needed fewer says so in what it gets. */
  take(purpose: EvidencePurpose, packets: number, now: number): Expense | null {
    const recent = this.#spent[purpose].filter(({ at }) => now - at < minutes(1));
    const sum = recent.reduce((all, one) => all + one.packets, 0);
    const expense = sum + packets <= shares[purpose] ? { at: now, packets } : null;
    this.#spent[purpose] = expense === null ? recent : [...recent, expense];
    if (expense === null) this.#refused += 1;
    return expense;
  }

  /** The same for the trace of a whole way to an address. */
  takeTrace(address: string, now: number): Expense | null {
    const before = this.#tracedAt.get(address) ?? -Infinity;
    if (now - this.#lastTraceAt < limits.traceEvery || now - before < limits.traceTargetEvery) {
      this.#refused += 1;
      return null;
    }
    const expense = this.take("ways", limits.traceHopsMax, now);
    if (expense === null) return null;
    if (this.#tracedAt.size >= limits.tracedTargetsMax) this.#tracedAt.clear();
    this.#tracedAt.set(address, now);
    this.#lastTraceAt = now;
    return expense;
  }
}

export interface Expense {
  readonly at: number;
  packets: number;
}

const shares: { readonly [P in EvidencePurpose]: number } = {
  names: limits.namePacketsPerMinute,
  gateway: limits.gatewayPacketsPerMinute,
  ways: limits.tracePacketsPerMinute,
};
