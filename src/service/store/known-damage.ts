import { systemClock } from "#base/clock";
import { StoreFault } from "#service/store/store-fault";
import { type Millis, type Nanos, nanos, nanosToMillis } from "#base/units";

/** Damage that some call has met. A question that tries the store may not meet it: so it is remembered. */
export class KnownDamage {
  /** After this it counts as repaired; null if nothing repairs it but another file. */
  readonly #repairedAfter: Millis | null;
  #met: { readonly fault: StoreFault; readonly at: Nanos } | null = null;

  constructor(repairedAfter: Millis | null) {
    this.#repairedAfter = repairedAfter;
  }

  /** Does a call, and remembers what it says of damage. */
  async noting<R>(call: () => Promise<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof StoreFault && error.code === "store_damaged")
        this.#met = { fault: error, at: systemClock.monotonic() };
      throw error;
    }
  }

  get fault(): StoreFault | null {
    if (this.#met === null) return null;
    const age = nanosToMillis(nanos(systemClock.monotonic() - this.#met.at));
    return this.#repairedAfter === null || age < this.#repairedAfter ? this.#met.fault : null;
  }
}
