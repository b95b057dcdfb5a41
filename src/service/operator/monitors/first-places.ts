import { placesTickedMax } from "#limits/pages-limits";
import type { PicturedLocation } from "#service/operator/picture";
import type { MonitorRow } from "#service/store/state-store";

/*
 * What the form of a new monitor has ticked when it opens: what a person would most likely tick, so that a monitor that is
 * saved at once is checked, and someone is notified.
 */

interface Place {
  readonly id: number;
}

/** Few locations with a running agent: all of these. Of more, those of the last monitor. */
export function firstLocations<P extends Place>(
  all: readonly P[],
  pictured: readonly PicturedLocation[],
  last: MonitorRow | null,
): readonly P[] {
  const running = new Set(pictured.filter(isRunning).map(({ id }) => id));
  const able = all.filter(({ id }) => running.has(id));
  // If no agent runs yet, the first that comes is to find the monitor.
  const likely = able.length === 0 ? all : able;
  return likely.length <= placesTickedMax
    ? likely
    : all.filter(({ id }) => last?.locations.some((one) => one === id) === true);
}

/** The ids of locations that have a running agent, as forms have them. */
export const runningAt = (pictured: readonly PicturedLocation[]): ReadonlySet<string> =>
  new Set(pictured.filter(isRunning).map(({ id }) => String(id)));

const isRunning = ({ state }: PicturedLocation): boolean => state.status === "active";

interface MonitorList {
  readonly monitors: readonly number[];
}

/** The only channel; of more, those of the last monitor. */
export const firstChannels = <C extends MonitorList>(
  all: readonly C[],
  last: MonitorRow | null,
): readonly C[] =>
  all.length === 1
    ? all
    : all.filter(({ monitors }) => last !== null && monitors.includes(last.id));
