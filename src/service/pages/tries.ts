import type { Clock } from "#clock";
import * as limits from "#limits/pages-limits";
import { type Nanos, nanosToMillis } from "#units";

/** How often a person may try to sign in: so many a minute from one address, and so many from all of them. */
export class Tries {
  readonly #clock: Clock;
  readonly #perAddressMax: number;
  readonly #begun = new Map<string, TryCount>();

  constructor(clock: Clock, perAddressMax: number = limits.signInTriesPerAddressMax) {
    this.#clock = clock;
    this.#perAddressMax = perAddressMax;
  }

  /** Counts a try; false where there were too many. */
  take(address: string): boolean {
    const now = this.#clock.monotonic();
    for (const [counted, { since }] of this.#begun)
      if (nanosToMillis(now) - nanosToMillis(since) >= limits.signInWindow)
        this.#begun.delete(counted);
    return (
      this.#count(everyone, now, limits.signInTriesMax) &&
      this.#count(address, now, this.#perAddressMax)
    );
  }

  /** The table has at most as many rows as all may try in a window. */
  #count(name: string, now: Nanos, triesMax: number): boolean {
    const tried = this.#begun.getOrInsertComputed(name, () => ({ since: now, count: 0 }));
    tried.count += 1;
    return tried.count <= triesMax;
  }
}

interface TryCount {
  readonly since: Nanos;
  count: number;
}

/** No address: the sum of all. */
const everyone = "";
