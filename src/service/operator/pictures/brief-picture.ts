import { unheardAmong } from "#service/operator/channels/unheard";
import type { MonitorDirectory } from "#service/operator/pictures/monitor-directory";
import type { PageRooms } from "#service/operator/page-rooms";
import { openIncidents } from "#service/operator/pictures/picture-facts";
import { picturedLocation, type Picture, type PicturedMonitor } from "#service/operator/picture";
import * as serviceLimits from "#limits/service-limits";
import { locationId, monitorId } from "#service/store/ids";

/**
 * A large service: of each monitor what the judge last said of it. What else there is to see of one is read for those
 * that are shown.
 */
export async function briefPicture(
  { store, clock, locations }: Pick<PageRooms, "store" | "clock" | "locations">,
  directory: MonitorDirectory,
): Promise<Picture> {
  const at = clock.wall();
  const { monitors, labels, texts } = await directory.now();
  const [unheard, said, incidents, places] = await Promise.all([
    unheardAmong(store, monitors.map(heardMonitor)),
    store.state.states.notActive(),
    openIncidents(store),
    locations.list(serviceLimits.serviceLocationsMax, 0),
  ]);
  return {
    at,
    detail: "brief",
    labels,
    texts,
    locations: places.map(picturedLocation),
    monitors: monitors.map((monitor) => {
      const state = said.get(monitorId(monitor.id));
      const incident = incidents.get(monitor.id) ?? null;
      const isUnheard = unheard.has(monitor.id);
      if (monitor.status === "inactive" || (state === undefined && incident === null && !isUnheard))
        return monitor;
      const since = state === undefined || state.since === 0 ? null : state.since;
      return { ...monitor, status: state?.status ?? "active", since, incident, unheard: isUnheard };
    }),
  };
}

const heardMonitor = ({ id, status, labels, seenBy }: PicturedMonitor) => ({
  id: monitorId(id),
  labels,
  locations: seenBy.map(({ location }) => locationId(location)),
  definition: { active: status !== "inactive" },
});
