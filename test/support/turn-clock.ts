import { type Clock, systemClock } from "#base/clock";
import { millis } from "#base/units";

/** So often is all that is ready read: what a peer of this process can say takes a few turns of the event loop. */
const turn = 10;

/**
 * A clock that sleeps in turns of the event loop, each as short as its timers go. On a busy machine a turn takes longer,
 * and so does a timeout: what comes before it in a test has always had its turns.
 */
export const turnClock: Clock = {
  ...systemClock,
  sleep: async (duration, signal) => {
    const isOver = (): boolean => signal?.aborted === true;
    for (let left: number = duration; left > 0 && !isOver(); left -= turn)
      await systemClock.sleep(millis(Math.min(turn, left)), signal);
  },
};
