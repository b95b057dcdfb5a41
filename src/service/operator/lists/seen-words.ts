import { placeList } from "#service/operator/lists/place-list";
import { placesOf } from "#service/operator/monitors/cause-groups";
import type { PicturedMonitor } from "#service/operator/picture";

/** `Office and Warehouse (2 of 2)`: the locations that see a monitor fail now; empty if it passes, or none is known. */
export function seenWords(monitor: PicturedMonitor): string {
  const places = monitor.status === "active" ? [] : placesOf(monitor);
  const all = monitor.seenBy.length;
  return places.length === 0 || all < 2
    ? placeList(places)
    : `${placeList(places)} (${places.length} of ${all})`;
}
