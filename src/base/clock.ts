import type { EndSignal } from "#base/ending";
import { epochMillis, type EpochMillis, type Millis, nanos, type Nanos } from "#base/units";

/** Time is a dependency with three verbs; this is the only file that asks the runtime for it. */
export interface Clock {
  /** The wall clock: places events in the day, may step in either direction. */
  wall(): EpochMillis;
  /** The monotonic clock: only differences mean anything, and only within one thread. */
  monotonic(): Nanos;
  /** Ends after `duration`, or at once when `signal` aborts; never rejects. */
  sleep(duration: Millis, signal?: EndSignal): Promise<void>;
}

/** setTimeout fires at once for a delay that does not fit 31 bits. */
const timeoutMillisMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  wall: () => epochMillis(Date.now()),
  monotonic: () => nanos(performance.now() * 1e6),
  sleep: (duration, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(Math.max(0, duration), timeoutMillisMax));
      signal?.addEventListener("abort", end);
    }),
};

/** The same, with a monotonic clock that all threads of the process read alike: coarser work than probing needs it. */
export const processClock: Clock = {
  ...systemClock,
  monotonic: () => nanos(Number(process.hrtime.bigint())),
};
