import type { Clock } from "#base/clock";
import * as limits from "#limits/spool-limits";
import type { Spool } from "#agent/spool/spool";
import { millis, type Nanos, nanos, nanosToMillis } from "#base/units";

/**
 * Makes what waits durable at least once a second. Right behind a round of reports hardly anything waits: a save at that
 * moment writes nothing, and puts the next one off, so most results never touch the disk.
 */
export class SpoolSaves {
  readonly #spool: Spool;
  readonly #clock: Clock;
  #savedAt: Nanos;

  constructor(spool: Spool, clock: Clock) {
    this.#spool = spool;
    this.#clock = clock;
    this.#savedAt = clock.monotonic();
  }

  save(): void {
    this.#spool.save();
    this.#savedAt = this.#clock.monotonic();
  }

  /** Apart from the reporter, whose calls may take long. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const age = nanosToMillis(nanos(this.#clock.monotonic() - this.#savedAt));
      if (age >= limits.spoolSaveEvery) this.save();
      else await this.#clock.sleep(millis(Math.ceil(limits.spoolSaveEvery - age)), signal);
    }
  }
}
