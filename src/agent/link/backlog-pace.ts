import type { Clock } from "#base/clock";
import type { Nanos } from "#base/units";

/** How much backlog may go now: a second's worth at once, and no more than that in each second after it. */
export class Pace {
  readonly #clock: Clock;
  /** Which part of a second's worth is there, from 0 to 1. */
  #share = 1;
  #lookedAt: Nanos;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#lookedAt = clock.monotonic();
  }

  /** How many may go, of a rate of so many a second. */
  allowance(perSecond: number): number {
    const now = this.#clock.monotonic();
    this.#share = Math.min(1, this.#share + (now - this.#lookedAt) / 1e9);
    this.#lookedAt = now;
    return Math.floor(this.#share * perSecond);
  }

  spend(count: number, perSecond: number): void {
    this.#share = Math.max(0, this.#share - count / perSecond);
  }
}
