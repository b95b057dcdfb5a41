import type { Clock } from "#base/clock";
import type { Millis } from "#base/units";
import { StoreFault } from "#service/store/store-fault";

/** Reads again and again what an owner may have changed at another replica; while the database is away, it stays as it was. */
export async function readAgain(
  read: () => Promise<void>,
  every: Millis,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await clock.sleep(every, signal);
    if (signal.aborted) return;
    try {
      await read();
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
    }
  }
}
