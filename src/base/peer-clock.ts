import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";
import { millis, millisToNanos } from "#base/units";

/**
 * The clock for a wait for a peer's answer. It sleeps in pieces, and between two of them all that came is read. So an
 * answer that came while this process was stopped or starved counts: one long sleep would end before it is read.
 */
export const peerClock = (clock: Clock): Clock => ({
  wall: () => clock.wall(),
  monotonic: () => clock.monotonic(),
  sleep: async (duration, signal) => {
    const pieces = limits.peerWaitPieces;
    const until = (piece: number): number => Math.round((duration * piece) / pieces);
    for (let piece = 0; piece < pieces; piece += 1) {
      if (signal?.aborted === true) return;
      await clock.sleep(millis(until(piece + 1) - until(piece)), signal);
    }
  },
});

/**
 * The same for checks, which are too many to sleep in pieces. A timer that fired late fires before what came meanwhile is
 * read, so that a moment more passes for that.
 */
export const checkClock = (clock: Clock): Clock => ({
  wall: () => clock.wall(),
  monotonic: () => clock.monotonic(),
  sleep: async (duration, signal) => {
    const due = clock.monotonic() + millisToNanos(duration);
    await clock.sleep(duration, signal);
    const late = clock.monotonic() - due;
    if (signal?.aborted !== true && late > millisToNanos(limits.timerLateMax))
      await clock.sleep(limits.readingTime, signal);
  },
});
