import type { Clock } from "#base/clock";
import type { Mark } from "#probes/socket/marker";
import type { KernelCalls } from "#probes/raw/kernel-calls";
import type { Stamp } from "#probes/raw/arena";
import { nanos, type Nanos } from "#base/units";

/** How far the wall clock is ahead of the monotonic one; each reading is off by its spread at the most. */
interface Distance {
  readonly ahead: number;
  readonly spread: number;
}

/**
 * Places the kernel's stamps, which are of the wall clock, on the monotonic one. The distance of the two changes only
 * when the wall clock is set. A thread can lose the processor between two readings, so the sharpest distance is
 * kept for as long as the new ones do not contradict it.
 */
export class WallStamps {
  readonly #clock: Clock;
  readonly #calls: Pick<KernelCalls, "wall">;
  #distance: Distance;

  constructor(clock: Clock, calls: Pick<KernelCalls, "wall">) {
    this.#clock = clock;
    this.#calls = calls;
    this.#distance = this.#read();
  }

  /**
   * Null for a stamp that cannot be right: it must lie between two instants that are known to lie around it. The clock
   * was then set between the stamp and now.
   */
  place(stamp: Stamp, notBefore: Nanos): Mark | null {
    const read = this.#read();
    const kept = this.#distance;
    const agree = Math.abs(read.ahead - kept.ahead) <= read.spread + kept.spread;
    if (!agree || read.spread < kept.spread) this.#distance = read;
    const { ahead, spread } = this.#distance;
    const at = stamp - ahead;
    if (at > this.#clock.monotonic() + spread || at < notBefore - spread) return null;
    return { at: nanos(at), errorBar: nanos(spread) };
  }

  #read(): Distance {
    const before = this.#clock.monotonic();
    const wall = this.#calls.wall();
    const after = this.#clock.monotonic();
    return { ahead: wall - (before + after) / 2, spread: (after - before) / 2 };
  }
}
