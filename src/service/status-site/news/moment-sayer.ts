import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import * as limits from "#limits/status-limits";
import type { Store } from "#service/store/store";

interface MomentSayerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Writes the letters that planned work is to be sent of by itself: that it begins soon, begins and is over. Each replica
 * looks, and the store has each moment said once.
 */
export class MomentSayer {
  readonly #options: MomentSayerOptions;

  constructor(options: MomentSayerOptions) {
    this.#options = options;
  }

  /** Until it is stopped; a failure is logged once, and the look repeated. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#options;
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await this.#look();
        isFailing = false;
      } catch (error) {
        if (!isFailing)
          log.error("could not look for planned work that begins or ends", {
            "error.message": String(error),
          });
        isFailing = true;
      }
      await clock.sleep(limits.workMomentsLookEvery, signal);
    }
  }

  async #look(): Promise<void> {
    const { store, clock } = this.#options;
    const { letters } = store.readers;
    for (const work of await letters.workDue(clock.wall()))
      await letters.sayMoments(work, clock.wall());
  }
}
