import * as limits from "#limits/pages-limits";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor, PicturedReason, Sight } from "#service/operator/picture";
import { type LocationId, type MonitorId, monitorId } from "#service/store/ids";

/**
 * A picture as one location has it: its monitors by what they are there, since when and why. Uptime and latency stay those
 * of all locations. A brief picture has none of this, and stays as it is.
 */
export async function monitorsHere(
  { store }: Pick<PageRooms, "store">,
  picture: Picture,
  location: LocationId,
): Promise<Picture> {
  if (picture.detail === "brief") return picture;
  const here = picture.monitors.flatMap((monitor) => {
    const sight = monitor.seenBy.find((one) => one.location === location);
    return sight === undefined ? [] : [{ monitor, sight }];
  });
  const asked = here.flatMap(({ monitor, sight: { slot, stale, status } }) =>
    slot === null || stale || monitor.unread || (status !== "error" && status !== "degraded")
      ? []
      : [{ monitor: monitorId(monitor.id), location, slot }],
  );
  const found = await store.results.reasons(asked.slice(0, limits.reasonsReadMax));
  const reasons = new Map<MonitorId, PicturedReason>(
    found.map(({ key, ...reason }) => [key.monitor, reason]),
  );
  return {
    ...picture,
    monitors: here.map(({ monitor, sight }) =>
      isOfAll(monitor) ? monitor : seenHere(monitor, sight, reasons.get(monitorId(monitor.id))),
    ),
  };
}

/** What no location decides: a pause, a database that is away, and a certificate that ends. */
const isOfAll = ({ status, unread, reason }: PicturedMonitor): boolean =>
  status === "inactive" || unread || reason?.code === "certificate_ending";

const seenHere = (
  monitor: PicturedMonitor,
  sight: Sight,
  reason: PicturedReason | undefined,
): PicturedMonitor => ({
  ...monitor,
  status: sight.stale ? "unknown" : sight.status,
  since: sight.stale ? null : sight.since,
  seenBy: [sight],
  reason: reason ?? null,
});
