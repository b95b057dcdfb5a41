import type { Clock } from "#clock";
import * as limits from "#limits";
import type { LogFields, Logger } from "#log";
import { nanos, type Nanos, nanosToMillis } from "#units";

interface Told {
  readonly at: Nanos;
  /** How often it happened since. */
  unsaid: number;
}

/** Warns of what may happen with every result, at most once a minute each; the next line tells how often it was. */
export class Seldom {
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #told = new Map<string, Told>();

  constructor(clock: Clock, log: Logger) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Messages are few and fixed: what differs from time to time belongs into the fields. */
  warn(message: string, fields: LogFields): void {
    const now = this.#clock.monotonic();
    const last = this.#told.get(message);
    if (last !== undefined && nanosToMillis(nanos(now - last.at)) < limits.sameWarningEvery) {
      last.unsaid += 1;
      return;
    }
    this.#told.set(message, { at: now, unsaid: 0 });
    const unsaid = last?.unsaid ?? 0;
    this.#log.warn(message, unsaid === 0 ? fields : { ...fields, "times before": unsaid });
  }
}
