import type { Clock } from "#base/clock";
import type { Millis } from "#base/units";

/** What a loop waits for: that it is rung, or that a time has passed. A ring while it works is not lost. */
export class Bell {
  #rings = new AbortController();

  ring(): void {
    this.#rings.abort();
  }

  async wait(clock: Clock, duration: Millis, signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#rings.signal]);
    await clock.sleep(duration, either);
    this.#rings = new AbortController();
  }
}
