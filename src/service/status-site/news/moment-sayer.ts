import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import * as limits from "#limits/status-limits";
import type { Letters } from "#service/store/subscriber-store";

interface MomentSayerOptions {
  readonly letters: Pick<Letters, "workDue" | "sayMoments">;
  readonly clock: Clock;
  readonly log: Logger;
}

interface FailedLook {
  readonly error: unknown;
  /** Null if it is not known which are due. */
  readonly work: number | null;
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
      const failed = await this.#look();
      if (failed !== null && !isFailing)
        log.error("could not look for planned work that begins or ends", {
          "error.message": String(failed.error),
          ...(failed.work === null ? {} : { maintenance: failed.work }),
        });
      isFailing = failed !== null;
      await clock.sleep(limits.workMomentsLookEvery, signal);
    }
  }

  /** Work that fails keeps no other from being said. Gives the first that failed; null if none did. */
  async #look(): Promise<FailedLook | null> {
    const { letters, clock } = this.#options;
    let failed: FailedLook | null = null;
    const due = await letters.workDue(clock.wall()).catch((error: unknown) => {
      failed = { error, work: null };
      return [];
    });
    for (const work of due)
      await letters.sayMoments(work, clock.wall()).catch((error: unknown) => {
        failed ??= { error, work };
      });
    return failed;
  }
}
