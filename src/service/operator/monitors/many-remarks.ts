import { remarksAnsweredMax } from "#limits/service-limits";
import { foresightOf } from "#service/agents/foresight";
import { asRemarks, type SaveRemarks } from "#service/operator/monitors/before-saving";
import type { PageRooms } from "#service/operator/page-rooms";
import type { LocationId } from "#service/store/ids";
import type { MonitorRow } from "#service/store/state-store";

/** What the agents of a location will do with monitors that it gets, in addition to those that it has. */
export async function remarksAt(
  { store, instances }: Pick<PageRooms, "store" | "instances">,
  location: LocationId,
  rows: readonly MonitorRow[],
): Promise<SaveRemarks> {
  const place = await store.state.locations.get(location);
  const foresight = place === null ? null : await foresightOf(instances, place);
  if (foresight === null) return asRemarks([]);
  const all = rows
    .filter(({ locations }) => !locations.includes(location))
    .flatMap(({ definition }) =>
      foresight(definition).map((remark) => `${definition.name}: ${remark}`),
    );
  const rest = all.length - remarksAnsweredMax;
  const more = rest > 0 ? [`And ${rest} more of these.`] : [];
  return asRemarks([...all.slice(0, remarksAnsweredMax), ...more]);
}
