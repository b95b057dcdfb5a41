import * as limits from "#limits/chart-limits";
import type { LocatedChoice } from "#service/operator/charts/past-choice";
import { type MonitorStory, pastOf, type Step } from "#service/operator/monitor-story";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import type { LocationId } from "#service/store/ids";
import { monitorId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What one of several locations saw. */
export interface LocationSteps {
  readonly location: LocationId;
  /** Empty if the chart shows single results: these name their locations. */
  readonly steps: readonly Step[];
}

/**
 * Each location of a chart of all of them, for the figures under the pointer, and both that are compared by their single
 * checks. Empty of any other chart, or if the monitor has more than a chart has colours for.
 */
export function eachLocation(
  { store }: PageRooms,
  monitor: PicturedMonitor,
  { locations }: Pick<MonitorRow, "locations">,
  choice: LocatedChoice,
  { points }: Pick<MonitorStory, "points">,
): Promise<readonly LocationSteps[]> {
  const { location: chosen, other, range } = choice;
  if (chosen !== null && other !== null && points.length > 0)
    return Promise.resolve([chosen, other].map((location) => ({ location, steps: [] })));
  if (chosen !== null || monitor.unread || !haveLines(locations.length)) return Promise.resolve([]);
  return Promise.all(
    locations.map(async (location): Promise<LocationSteps> => {
      if (points.length > 0) return { location, steps: [] };
      const { steps } = await pastOf(store, { monitor: monitorId(monitor.id), location, range });
      return { location, steps };
    }),
  );
}

/** Whether a chart of all locations has a line or a figure for each of so many. */
export const haveLines = (count: number): boolean => count > 1 && count <= limits.chartLocationsMax;
