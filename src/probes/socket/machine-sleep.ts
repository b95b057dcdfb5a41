import { uptime } from "node:os";
import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import { millis, type Millis, nanosToMillis, seconds } from "#base/units";

/**
 * Knows how long the whole machine slept. Its monotonic clock stands still meanwhile, and its boot clock does not. That one
 * costs a call, so it is read only if the wall clock is seen to have gone ahead.
 */
export class MachineSleep {
  readonly #clock: Clock;
  readonly #boot: () => Millis;
  /** How far both clocks were from the monotonic one. */
  #wallAhead: number;
  #bootAhead: number;
  #total = 0;

  constructor(clock: Clock, boot: () => Millis = () => seconds(uptime())) {
    this.#clock = clock;
    this.#boot = boot;
    this.#wallAhead = this.#aheadOf(clock.wall());
    this.#bootAhead = this.#aheadOf(boot());
  }

  /** As far as it was seen, by now. */
  get total(): Millis {
    const wallAhead = this.#aheadOf(this.#clock.wall());
    if (Math.abs(wallAhead - this.#wallAhead) >= limits.wallStepMin) {
      this.#wallAhead = wallAhead;
      const before = this.#bootAhead;
      this.#bootAhead = this.#aheadOf(this.#boot());
      // A clock that was set has no boot clock that goes with it.
      const slept = this.#bootAhead - before;
      if (slept >= limits.wallStepMin) this.#total += slept;
    }
    return millis(this.#total);
  }

  #aheadOf(instant: number): number {
    return instant - nanosToMillis(this.#clock.monotonic());
  }
}
