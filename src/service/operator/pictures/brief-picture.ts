import { unheardAmong } from "#service/operator/channels/unheard";
import type { MonitorDirectory } from "#service/operator/pictures/monitor-directory";
import { plannedNow } from "#service/operator/planned/work-under-way";
import type { PageRooms } from "#service/operator/page-rooms";
import { openIncidents } from "#service/operator/pictures/picture-facts";
import { withSilenceIncidents } from "#service/operator/pictures/silence-incidents";
import {
  isSameIncident,
  picturedLocation,
  type Picture,
  type PicturedMonitor,
} from "#service/operator/picture";
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
  const kept = keptOf.getOrInsertComputed(monitors, () => ({
    heard: monitors.map(heardMonitor),
    last: monitors,
  }));
  const [unheard, said, incidents, places, planned] = await Promise.all([
    unheardAmong(store, kept.heard),
    store.state.states.notActive(),
    openIncidents(store),
    locations.list(serviceLimits.serviceLocationsMax, 0),
    plannedNow(store, at),
  ]);
  kept.last = monitors.map((monitor, index) => {
    const state = said.get(monitorId(monitor.id));
    const incident = incidents.get(monitor.id) ?? null;
    const isUnheard = unheard.has(monitor.id);
    if (monitor.status === "inactive" || (state === undefined && incident === null && !isUnheard))
      return monitor;
    const since = state === undefined || state.since === 0 ? null : state.since;
    const status = state?.status ?? "active";
    const seen = { status, since, incident, unheard: isUnheard };
    const last = kept.last[index];
    return last !== undefined && isAlike(last, seen) ? last : { ...monitor, ...seen };
  });
  return {
    at,
    detail: "brief",
    labels,
    texts,
    planned,
    locations: await withSilenceIncidents(store, places.map(picturedLocation)),
    monitors: kept.last,
  };
}

/**
 * What is made of a list of monitors, as long as that is current: 100,000 monitors that are as they were are the same
 * objects in the next picture, so that nothing of them is collected.
 */
const keptOf = new WeakMap<readonly PicturedMonitor[], KeptList>();
interface KeptList {
  readonly heard: readonly ReturnType<typeof heardMonitor>[];
  last: readonly PicturedMonitor[];
}

type BriefVerdict = Pick<PicturedMonitor, "status" | "since" | "unheard" | "incident">;
const isAlike = (a: BriefVerdict, b: BriefVerdict): boolean =>
  a.status === b.status &&
  a.since === b.since &&
  a.unheard === b.unheard &&
  isSameIncident(a.incident, b.incident);

const heardMonitor = ({ id, status, labels, seenBy }: PicturedMonitor) => ({
  id: monitorId(id),
  labels,
  locations: seenBy.map(({ location }) => locationId(location)),
  definition: { active: status !== "inactive" },
});
