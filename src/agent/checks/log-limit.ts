import type { Clock } from "#clock";
import { type Millis, millisToNanos, type Nanos } from "#units";

/** Lets so many lines through in a span of time, and counts those that it does not. */
export class Repeats {
  readonly #clock: Clock;
  readonly #linesMax: number;
  readonly #span: Millis;
  #startedAt: Nanos | null = null;
  #lines = 0;
  #leftOut = 0;

  constructor(clock: Clock, linesMax: number, span: Millis) {
    this.#clock = clock;
    this.#linesMax = linesMax;
    this.#span = span;
  }

  /** Whether one more line may be said now; one that may not is counted. */
  admits(): boolean {
    if (this.#isOver()) {
      this.#startedAt = this.#clock.monotonic();
      this.#lines = 0;
    }
    if (this.#lines < this.#linesMax) {
      this.#lines += 1;
      return true;
    }
    this.#leftOut += 1;
    return false;
  }

  /** How many were left out in a span that is over; zero while it goes on. The next call begins at zero. */
  takeLeftOut(): number {
    if (this.#leftOut === 0 || !this.#isOver()) return 0;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }

  #isOver(): boolean {
    return (
      this.#startedAt === null ||
      this.#clock.monotonic() - this.#startedAt >= millisToNanos(this.#span)
    );
  }
}
