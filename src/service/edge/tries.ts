import type { Clock } from "#base/clock";
import * as limits from "#limits/pages-limits";
import { clientNetwork } from "#network/client-network";
import { type Nanos, nanos, nanosToMillis } from "#base/units";

/** How many tries a window has. */
interface TriesMax {
  readonly perAddress: number;
  readonly together: number;
}

/**
 * How often people may try to sign in: so many a minute from one address, and so many from all of them. What one address
 * is refused counts for no one else, so a stranger cannot use up the tries of all.
 */
export class Tries {
  readonly #clock: Clock;
  readonly #max: TriesMax;
  /** The oldest window comes first. Each address was let try, so there are never more of them than tries. */
  readonly #begun = new Map<string, TryCount>();

  constructor(clock: Clock, max: TriesMax) {
    this.#clock = clock;
    this.#max = max;
  }

  /** Counts a try at one of several doors, each of which has its own; false if there were too many. */
  take(address: string, door = ""): boolean {
    const now = this.#clock.monotonic();
    this.#forget(now);
    const one = `${door} ${clientNetwork(address)}`;
    if (this.#count(one) >= this.#max.perAddress || this.#count(door) >= this.#max.together)
      return false;
    for (const name of [one, door])
      this.#begun.getOrInsertComputed(name, () => ({ since: now, count: 0 })).count += 1;
    return true;
  }

  #count(name: string): number {
    return this.#begun.get(name)?.count ?? 0;
  }

  #forget(now: Nanos): void {
    for (const [name, { since }] of this.#begun) {
      if (nanosToMillis(nanos(now - since)) < limits.signInWindow) return;
      this.#begun.delete(name);
    }
  }
}

interface TryCount {
  readonly since: Nanos;
  count: number;
}
