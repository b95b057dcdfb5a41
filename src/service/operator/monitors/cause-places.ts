import { counted, grouped } from "#web/page/format";
import { placesCounted } from "#limits/lines-limits";
import { placeList } from "#service/operator/lists/place-list";
import type { CauseGroup } from "#service/operator/monitors/cause-groups";

/** Where monitors of one cause fail: ` at Office and Warehouse`, or `: 3 at Office, 1 at Factory` if not all fail at each. */
export function placesWords({ monitors, places }: CauseGroup): string {
  if (places.length === 0) return "";
  if (places.every(({ failing }) => failing === monitors.length))
    return ` at ${placeList(places.map(({ name }) => name))}`;
  const some = places.slice(0, placesCounted).map(countedAt);
  const rest = places.length - some.length;
  return `: ${[...some, ...(rest === 0 ? [] : [counted(rest, "more location")])].join(", ")}`;
}

/** The same for a title, which has room for each location. */
export const eachPlace = ({ places }: CauseGroup): string => places.map(countedAt).join(", ");

const countedAt = ({ name, failing }: CauseGroup["places"][number]): string =>
  `${grouped(failing)} at ${name}`;
