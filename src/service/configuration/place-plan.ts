import { differencesByName, namesDifference } from "#service/configuration/field-difference";
import { byName, idMeant, locationKey, type Planning } from "#service/configuration/planning";
import type { WantedPlace } from "#service/configuration/wanted";
import { type LocationDefinition, namedLocation } from "#service/resources/location-definition";
import type { NewLocationWrite, ObjectRef } from "#service/store/configuration-store";
import type { LocationWithMonitors } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";

/** What a new location is sealed and opened by. */
type NewSeal = (name: string) => Pick<NewLocationWrite, "uid" | "token">;

/** Plans the private locations, and what each of them runs. */
export function planPlaces(
  planning: Planning,
  wanted: readonly WantedPlace[],
  { at, seal }: { readonly at: EpochMillis; readonly seal: NewSeal },
): void {
  const known = byName("private_location", planning.estate.locations, ({ name }) => name, wanted);
  for (const one of wanted) {
    const there = known.rowsOf.get(one.name) ?? [];
    if (one.is !== "whole" && there.length > 0) {
      addTo(planning, one, there, at);
      continue;
    }
    const monitors = planning.monitorsNamed(one.monitors, `The private location "${one.name}"`);
    // No location is made of an id that none has.
    if (one.is === "added to" || (one.is === "added to or made" && idMeant(one.name) !== null)) {
      planning.locationsNamed([one.name], whoNames(planning, monitors));
      continue;
    }
    const { row, notes, clear } = planning.find("private_location", one, known);
    if (!clear) continue;
    planning.knowLocation(one.name, row?.id ?? locationKey(one.name));
    if (row === null) make(planning, one, monitors, { at, seal });
    else change(planning, one, row, { monitors, notes, at });
  }
}

const whoNames = (planning: Planning, [first]: readonly ObjectRef[]): string =>
  first === undefined ? "A monitor" : `The monitor ${planning.monitorName(first)}`;

function make(
  planning: Planning,
  { name, definition }: WantedPlace,
  monitors: readonly ObjectRef[],
  { at, seal }: { readonly at: EpochMillis; readonly seal: NewSeal },
): void {
  const fields = namesDifference(
    "monitors",
    [],
    monitors.map((ref) => planning.monitorName(ref)),
  );
  planning.say(null, { action: "create", kind: "private_location", name, fields, notes: [] });
  const made = { ...definition, owner: planning.owner, labels: {}, at };
  planning.writes.newLocations.push({ key: locationKey(name), ...seal(name), made, monitors });
}

interface PlaceMatch {
  readonly monitors: readonly ObjectRef[];
  readonly notes: readonly string[];
  readonly at: EpochMillis;
}

function change(
  planning: Planning,
  { name, definition }: WantedPlace,
  row: LocationWithMonitors,
  { monitors, notes, at }: PlaceMatch,
): void {
  const called = (refs: readonly ObjectRef[]): readonly string[] =>
    refs.map((ref) => planning.monitorName(ref));
  const fields = [
    ...differencesByName(compared(row), compared(definition)),
    ...namesDifference("monitors", called(row.monitors), called(monitors)),
  ];
  const isSame = fields.length + notes.length === 0;
  const action = isSame ? "same" : "update";
  planning.say(row.id, { action, kind: "private_location", name, fields, notes });
  if (isSame) return;
  const ownership = { owner: planning.owner, labels: {} };
  planning.writes.locations.push({ id: row.id, to: { ...definition, ownership, at }, monitors });
}

const compared = (location: LocationDefinition) =>
  namedLocation({ ...location, metadata: sorted(location.metadata) });

/** The location is not the files': it keeps what it runs, and its owner. */
function addTo(
  planning: Planning,
  { name, id, monitors: named }: WantedPlace,
  rows: readonly { readonly row: LocationWithMonitors }[],
  at: EpochMillis,
): void {
  const [found, ...others] = rows.filter(({ row }) => id === null || row.id === id);
  if (found === undefined) return;
  const { row } = found;
  const isTwice = id !== null && planning.isTaken("private_location", id);
  if (others.length > 0 || isTwice)
    planning.conflicts.push(
      `The service has ${rows.length} private locations named "${name}", so it is not clear which one is meant. Rename or delete all but one.`,
    );
  if (id === null) planning.knowLocation(name, row.id);
  planning.take("private_location", row.id);
  const monitors = planning.monitorsNamed(named, `The private location "${name}"`);
  const all = [...new Set([...row.monitors.map(Number), ...monitors])];
  const called = (refs: readonly ObjectRef[]): readonly string[] =>
    refs.map((ref) => planning.monitorName(ref));
  const fields = namesDifference("monitors", called(row.monitors), called(all));
  const action = fields.length === 0 ? "same" : "update";
  planning.changes.push({ action, kind: "private_location", name, fields, notes: [], touch: null });
  if (fields.length === 0) return;
  const to = { name: null, metadata: null, ownership: null, at };
  planning.writes.locations.push({ id: row.id, to, monitors: all });
}

export const sorted = (
  labels: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
