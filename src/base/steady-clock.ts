import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import * as limits from "#limits/process-limits";
import {
  epochMillis,
  type EpochMillis,
  millis,
  type Millis,
  type Nanos,
  nanos,
  nanosToMillis,
} from "#base/units";

/**
 * A clock whose wall time does not step: where the machine's clock is set, it continues by the monotonic one,
 * and takes the new time only after that has stood for a while. So a clock that is wrong for a few seconds makes
 * no agent dead, keeps none alive and deletes nothing.
 */
export class SteadyClock implements Clock {
  readonly #clock: Clock;
  /** The wall time at the monotonic clock's zero. */
  #base: number;
  /** How much of it came from steps forward that were taken over. */
  #taken = 0;
  #step: { readonly by: number; readonly since: Nanos } | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#base = clock.wall() - nanosToMillis(clock.monotonic());
  }

  wall(): EpochMillis {
    return epochMillis(Math.round(this.#base + nanosToMillis(this.#clock.monotonic())));
  }

  monotonic(): Nanos {
    return this.#clock.monotonic();
  }

  sleep(duration: Millis, signal?: EndSignal): Promise<void> {
    return this.#clock.sleep(duration, signal);
  }

  /** The later of this time and the machine's: nothing that was right by one of them lies ahead of it. */
  get latest(): EpochMillis {
    return epochMillis(Math.max(this.wall(), this.#clock.wall()));
  }

  /** This time or the machine's, whichever is nearer to an instant: while the clock is being set, one of them is right. */
  nearestTo(instant: EpochMillis): EpochMillis {
    const [own, machine] = [this.wall(), this.#clock.wall()];
    return Math.abs(instant - own) <= Math.abs(instant - machine) ? own : machine;
  }

  /** The time without any step forward: what is deleted by age is deleted by this one. */
  get withoutSteps(): EpochMillis {
    return epochMillis(Math.min(this.wall() - this.#taken, this.#clock.wall()));
  }

  /**
   * Compares the two clocks. Slews are followed at once. `noticed` is a step that is seen for the first time, `taken`
   * one that has stood for long enough: from now on, it counts. Both are 0 otherwise.
   */
  look(): { readonly noticed: Millis; readonly taken: Millis } {
    const by = this.#clock.wall() - this.wall();
    const now = this.#clock.monotonic();
    if (Math.abs(by) < limits.wallStepMin) {
      this.#base += by;
      this.#step = null;
      return { noticed: millis(0), taken: millis(0) };
    }
    if (this.#step === null || Math.abs(by - this.#step.by) >= limits.wallStepMin) {
      this.#step = { by, since: now };
      return { noticed: millis(by), taken: millis(0) };
    }
    if (nanosToMillis(nanos(now - this.#step.since)) < limits.wallStepTakenAfter)
      return { noticed: millis(0), taken: millis(0) };
    this.#step = null;
    this.#base += by;
    this.#taken += Math.max(0, by);
    return { noticed: millis(0), taken: millis(by) };
  }
}
