import type { Choice } from "#check/form-field";
import type { Edit, UndoneEdit } from "#service/operator/kept/edit-undo";
import { offeredPlaces, placesFrom } from "#service/operator/monitors/monitor-places";
import type { PageContext } from "#service/operator/page-request";
import type { MonitorPlaces } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";
import { definitionIn } from "#service/store/verbs/written-definition";

/** A monitor before its form changed it, and its places before and after that. */
export const monitorBefore = (
  { definition }: MonitorRow,
  before: MonitorPlaces,
  after: MonitorPlaces,
): URLSearchParams =>
  new URLSearchParams({
    definition: JSON.stringify(definition),
    left: without(before.locations, after.locations).join(" "),
    joined: without(after.locations, before.locations).join(" "),
    silent: without(before.channels, after.channels).join(" "),
    notified: without(after.channels, before.channels).join(" "),
  });

/** Whether its places changed: they are parts of other objects. */
export const arePlacesNew = (before: URLSearchParams): boolean =>
  ["left", "joined", "silent", "notified"].some((name) => before.get(name) !== "");

/** The monitor is as it was; what others assigned since stays, and what files own now. */
export async function undoMonitorEdit(
  { rooms, pictures }: PageContext,
  { id, before }: Edit,
): Promise<UndoneEdit> {
  const row = await rooms.monitors.get(id);
  if (row.owner !== "") return { outcome: "owned" };
  const definition = definitionIn(before.get("definition") ?? "");
  const { chosen, choices, ofFiles } = await offeredPlaces(rooms, await pictures.now(), row);
  const back = (has: readonly string[], gone: string, added: string, free: readonly string[]) => [
    ...without(has, idsIn(before, added)),
    ...idsIn(before, gone).filter((one) => free.includes(one) && !has.includes(one)),
  ];
  const locations = back(chosen.locations, "left", "joined", idsOf(choices.locations));
  const channels = back(chosen.channels, "silent", "notified", idsOf(choices.notifications));
  const places = placesFrom({ locations, channels }, ofFiles);
  await rooms.monitors.update(id, definition, "management", places);
  return {
    outcome: "undone",
    resumed: definition.active && !row.definition.active ? [row.id] : [],
  };
}

const without = <T>(all: readonly T[], some: readonly T[]): readonly T[] =>
  all.filter((one) => !some.includes(one));

const idsIn = (before: URLSearchParams, name: string): readonly string[] =>
  (before.get(name) ?? "").split(" ").filter((one) => one !== "");

const idsOf = (choices: readonly Choice[]): readonly string[] => choices.map(([id]) => id);
