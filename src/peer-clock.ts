import type { Clock } from "#clock";
import * as limits from "#limits/process-limits";
import { millis } from "#units";

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
