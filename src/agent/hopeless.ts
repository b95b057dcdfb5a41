import { backoff } from "#backoff";
import type { Clock } from "#clock";
import * as limits from "#limits";
import { millisToNanos, type Nanos, nanos } from "#units";

interface Trouble {
  failures: number;
  /** Of these, such as came while others got through. */
  counted: number;
  /** By the monotonic clock. */
  notBefore: Nanos;
  /** How many results the service had taken in when it last failed. */
  takenBefore: number;
}

/**
 * Monitors whose results the service fails on, while it takes others': the existing service answers 500 to every
 * result of a monitor that it no longer knows. Each is tried again by a pause of its own, so that it holds up nobody.
 * A service that fails on everything is out of order, and no monitor's failures are counted meanwhile.
 */
export class Hopeless {
  readonly #clock: Clock;
  readonly #chance: () => number;
  readonly #troubled = new Map<string, Trouble>();

  constructor(clock: Clock, chance: () => number) {
    this.#clock = clock;
    this.#chance = chance;
  }

  /** Whether a monitor's results are to wait for another time. */
  isHeld(monitorId: string): boolean {
    const trouble = this.#troubled.get(monitorId);
    return trouble !== undefined && trouble.notBefore > this.#clock.monotonic();
  }

  /** The service failed on a monitor's result, having taken `taken` of all so far; true when that is once too often. */
  failed(monitorId: string, taken: number): boolean {
    const known = this.#troubled.get(monitorId);
    const counts = known === undefined || taken > known.takenBefore;
    const failures = (known?.failures ?? 0) + 1;
    const counted = (known?.counted ?? 0) + (counts ? 1 : 0);
    const pause = backoff(failures, limits.backoffMax, this.#chance());
    const notBefore = nanos(this.#clock.monotonic() + millisToNanos(pause));
    this.#troubled.set(monitorId, { failures, counted, notBefore, takenBefore: taken });
    return counted >= limits.ingestAttemptsMax;
  }

  /** What there was to say of a monitor is no longer so. */
  forget(monitorId: string): void {
    this.#troubled.delete(monitorId);
  }
}
