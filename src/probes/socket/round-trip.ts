import type { Clock } from "#base/clock";
import { nanos, type Nanos } from "#base/units";

/**
 * From the instant before a packet was sent to the kernel's stamp of its answer. Null if that would be a guess: there is
 * no stamp, the kernel made it only when it was asked, or the wall clock was set meanwhile.
 */
export function roundTripOf(
  sent: ClockReading,
  stamp: WallNanos | null,
  looked: ClockReading,
): Nanos | null {
  if (stamp === null || isSetBetween(sent, looked)) return null;
  // The kernel begins to stamp a moment after a socket wants it (the kernel clock keeps one that does). Of an answer before
  // that, it says when it was asked.
  if (stamp <= sent.wall || stamp >= looked.wall) return null;
  return nanos(Number(stamp - sent.wall));
}

/** Nanoseconds since the Unix epoch, which have more digits than a number holds. */
export type WallNanos = bigint;

/** The wall clock, read between two looks at the clock that is never set. */
export interface ClockReading {
  readonly before: Nanos;
  readonly wall: WallNanos;
  readonly after: Nanos;
}

export function readClocks(
  clock: Pick<Clock, "monotonic">,
  kernel: { wall(): WallNanos },
): ClockReading {
  const before = clock.monotonic();
  const wall = kernel.wall();
  return { before, wall, after: clock.monotonic() };
}

/** Whether the wall clock moved by more or by less than the time that passed, wherever a thread lost the processor. */
function isSetBetween(first: ClockReading, last: ClockReading): boolean {
  const moved = Number(last.wall - first.wall);
  const least = last.before - first.after - roundingMax;
  const most = last.after - first.before + roundingMax;
  return moved < least || moved > most;
}

/** Nanoseconds: the runtime counts in milliseconds with a fraction. */
const roundingMax = 1_000;

/** A struct timespec of 64-bit Linux. */
export const timespecAt = (memory: Buffer, at: number): WallNanos =>
  memory.readBigInt64LE(at) * 1_000_000_000n + memory.readBigInt64LE(at + 8);
