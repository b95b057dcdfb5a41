import type { Plan, Planning } from "#service/configuration/planning";
import {
  objectKindOf,
  type OwnedKind,
  ownedKinds,
  isMonitorWord,
} from "#service/configuration/planned-change";
import type { Estate } from "#service/store/configuration-store";

/** What the service has and no entry means: it stays, but what the owner has goes where it is to prune. */
export function planRemains(planning: Planning, prune: boolean): Plan["unmanaged"] {
  const all = ownedKinds.flatMap((kind) =>
    namedObjects(kind, planning.estate).map((one) => ({ kind, ...one })),
  );
  const remains = all.filter(({ kind, id }) => !planning.isTaken(kind, id));
  const gone = prune ? remains.filter(({ owner }) => owner === planning.owner) : [];
  // What refers to others goes before them.
  for (const { kind, id, name } of gone.toReversed()) {
    planning.say(id, { action: "delete", kind, name, fields: [], notes: [] });
    planning.remove(objectKindOf(kind), id);
  }
  const isGone = new Set(gone);
  return remains.filter((one) => !isGone.has(one));
}

/** The objects of a kind by their names. */
export function namedObjects(
  kind: OwnedKind,
  { monitors, locations, channels, pages, maintenances }: Estate,
): readonly { readonly id: number; readonly name: string; readonly owner: string }[] {
  if (isMonitorWord(kind))
    return monitors.flatMap(({ id, owner, definition }) =>
      kind === `${definition.kind}_monitor` ? [{ id, owner, name: definition.name }] : [],
    );
  switch (kind) {
    case "private_location":
      return locations;
    case "notification":
      return channels;
    case "status_page":
      return pages.map(({ page: { id, owner, definition } }) => ({
        id,
        owner,
        name: definition.slug,
      }));
    case "maintenance":
      return maintenances.map(({ id, owner, title }) => ({ id, owner, name: title }));
  }
}
