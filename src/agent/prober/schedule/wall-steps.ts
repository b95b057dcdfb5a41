import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import { type EpochMillis, millis, type Millis, type Nanos } from "#base/units";

/** Notices when the wall clock is set, or when the machine slept, by comparing it with the monotonic one. */
export class WallSteps {
  readonly #clock: Clock;
  #wall: EpochMillis;
  #monotonic: Nanos;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#wall = clock.wall();
    this.#monotonic = clock.monotonic();
  }

  /** How far the wall clock was set since the last look, negative for back; 0 for what is only a slew. */
  look(): Millis {
    const [wall, monotonic] = [this.#clock.wall(), this.#clock.monotonic()];
    const step = wall - this.#wall - (monotonic - this.#monotonic) / 1e6;
    this.#wall = wall;
    this.#monotonic = monotonic;
    return millis(Math.abs(step) < limits.wallStepMin ? 0 : Math.round(step));
  }
}
