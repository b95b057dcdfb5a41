import { idMeant } from "#service/configuration/planning";
import type { WantedPlace } from "#service/configuration/wanted";
import type { Estate } from "#service/store/configuration-store";

type Locations = Estate["locations"];

/**
 * What is wanted of locations, with `id:7` read as the location of that id: it and the location's name are one place. A
 * location that is called `id:7` is meant by its name, and what no location has stays as it is written.
 */
export function placesByName(
  wanted: readonly WantedPlace[],
  locations: Locations,
): readonly WantedPlace[] {
  const read = wanted.map((one) => readPlace(one, wanted, locations));
  const same = Map.groupBy(read, ({ name, id }) => `${id ?? ""} ${name}`);
  return [...same.values()].flatMap(joined);
}

function readPlace(
  one: WantedPlace,
  wanted: readonly WantedPlace[],
  locations: Locations,
): WantedPlace {
  if (one.is === "whole" || locations.some(({ name }) => name === one.name)) return one;
  const id = idMeant(one.name);
  const row = locations.find((location) => location.id === id);
  if (row === undefined) return one;
  const isShared = locations.filter(({ name }) => name === row.name).length > 1;
  // Of several locations of one name, the id says which.
  if (isShared) return { ...one, name: row.name, id };
  const renamed = wanted.find(({ renamedFrom }) => renamedFrom === row.name);
  return { ...one, name: renamed?.name ?? row.name };
}

/** One entry of all that mean the same place: the one of the files, if they have it. */
function joined(all: readonly WantedPlace[]): readonly WantedPlace[] {
  const first = all.find(({ is }) => is === "whole") ?? all[0];
  return first === undefined
    ? []
    : [{ ...first, monitors: all.flatMap(({ monitors }) => monitors) }];
}
