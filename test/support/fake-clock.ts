import type { Clock } from "#base/clock";
import type { EndSignal } from "#base/ending";
import { epochMillis, type EpochMillis, type Millis, nanos, type Nanos } from "#base/units";

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** A clock that stands still until a test moves it; sleepers wake in order, and what they do settles before the next. */
export class FakeClock implements Clock {
  #wall: number;
  #monotonic = 0;
  #sleepers: Sleeper[] = [];

  constructor(wall: number = Date.UTC(2026, 0, 1)) {
    this.#wall = wall;
  }

  wall(): EpochMillis {
    return epochMillis(this.#wall);
  }

  monotonic(): Nanos {
    return nanos(this.#monotonic * 1e6);
  }

  sleep(duration: Millis, signal?: EndSignal): Promise<void> {
    if (signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        wakeAt: this.#monotonic + Math.max(0, duration),
        wake: () => {
          this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
          signal?.removeEventListener("abort", sleeper.wake);
          resolve();
        },
      };
      this.#sleepers.push(sleeper);
      signal?.addEventListener("abort", sleeper.wake);
    });
  }

  /** How many sleepers wait. */
  get sleeping(): number {
    return this.#sleepers.length;
  }

  /** Moves both clocks on, waking every sleeper on the way at its own instant. */
  async advance(duration: number): Promise<void> {
    const end = this.#monotonic + duration;
    await settle();
    for (;;) {
      const next = this.#sleepers.toSorted((a, b) => a.wakeAt - b.wakeAt)[0];
      if (next === undefined || next.wakeAt > end) break;
      this.#moveTo(Math.max(next.wakeAt, this.#monotonic));
      next.wake();
      await settle();
    }
    this.#moveTo(end);
    await settle();
  }

  /** Moves both clocks on while nothing runs, as SIGSTOP does: every sleeper whose time came wakes late. */
  suspend(duration: number): void {
    this.#moveTo(this.#monotonic + duration);
  }

  /** Steps the wall clock alone, as a correction of the system's time does. */
  stepWall(by: number): void {
    this.#wall += by;
  }

  #moveTo(monotonic: number): void {
    this.#wall += monotonic - this.#monotonic;
    this.#monotonic = monotonic;
  }
}

/** Lets every promise callback that is ready run, and those that they make ready. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
