import { isSilent } from "#service/operator/locations/silent-location";
import type { PicturedLocation } from "#service/operator/picture";
import type { Store } from "#service/store/store";

/** Locations with the open incidents of those that are silent; nothing is read while none is. */
export async function withSilenceIncidents(
  { alerts }: Pick<Store, "alerts">,
  locations: readonly PicturedLocation[],
): Promise<readonly PicturedLocation[]> {
  const silent = locations.filter(isSilent).map(({ id }) => id);
  const newest = silent.length === 0 ? [] : await alerts.incidents.newest("location", silent);
  const open = new Map(
    newest.flatMap(({ subject, number, ended, acknowledged }) =>
      ended === null
        ? [[subject.id, { number, acknowledged: acknowledged !== null }] as const]
        : [],
    ),
  );
  return locations.map((one) => ({ ...one, incident: open.get(one.id) ?? null }));
}
