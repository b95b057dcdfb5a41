import { systemClock } from "#base/clock";
import { millis, nanos } from "#base/units";

/** How many checks are begun, and how often. */
export interface Load {
  readonly name: string;
  /** Checks a second, begun whether or not the ones before have ended. */
  readonly rate: number;
  readonly checks: number;
  /** Whether Picket's main thread is busy all the while. */
  readonly busy: boolean;
}

/** Each load for so many seconds. */
export const loadsFor = (seconds: number): readonly Load[] => [
  { name: "10/s", rate: 10, checks: 10 * seconds, busy: false },
  { name: "100/s", rate: 100, checks: 100 * seconds, busy: false },
  { name: "500/s", rate: 500, checks: 500 * seconds, busy: false },
  { name: "100/s, main thread busy", rate: 100, checks: 100 * seconds, busy: true },
];

/** One more for what costs little enough. */
export const busyQuickLoad = (seconds: number): Load => ({
  name: "500/s, main thread busy",
  rate: 500,
  checks: 500 * seconds,
  busy: true,
});

/** What every tool does once for each kind of target, before it is measured: all of these tools run for months. */
export const uncounted: Load = { name: "uncounted", rate: 200, checks: 150, busy: false };

/**
 * Begins `begin(index)` at the load's rate, so many `together` in one moment; gives back what came of all of them.
 */
export async function openLoop<T>(
  { rate, checks }: Load,
  begin: (index: number) => Promise<T>,
  together = 1,
): Promise<readonly T[]> {
  const begun: Promise<T>[] = [];
  let due = systemClock.monotonic();
  for (let index = 0; index < checks; index += 1) {
    if (index % together === 0)
      await systemClock.sleep(millis((due - systemClock.monotonic()) / 1e6));
    begun.push(begin(index));
    due = nanos(due + 1e9 / rate);
  }
  return Promise.all(begun);
}
