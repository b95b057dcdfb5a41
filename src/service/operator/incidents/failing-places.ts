import { badPlaces, failedPlaces } from "#service/operator/incidents/opening-sentence";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { placeList } from "#service/operator/lists/place-list";
import { seenWords } from "#service/operator/lists/seen-words";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

type SeenIncident = Pick<IncidentStory, "incident" | "events" | "turns">;

/**
 * ` at Office and Warehouse (2 of 2)`: who sees it now, or of what is over, or passes again, all that saw it. If neither its
 * end nor a result of it is kept that says so, it is who saw it first: `, first at Office`. Empty if that is not known.
 */
export function failingPlaces(
  { incident, events, turns }: SeenIncident,
  monitor: PicturedMonitor | null,
  { locations }: Picture,
): string {
  const now = incident.ended === null && monitor !== null ? seenWords(monitor) : "";
  if (now !== "") return ` at ${now}`;
  const said = events.flatMap(({ kind, snapshot }) =>
    kind !== "closed" && snapshot.of === "monitor" ? badPlaces(snapshot) : [],
  );
  const saw = new Set(turns.filter(isInIt).map(({ location }): number => location));
  const seen = locations.filter(({ id }) => saw.has(id)).map(({ name }) => name);
  const end = events.findLast(({ kind }) => kind === "closed" || kind === "settled")?.snapshot;
  const all = incident.ended === null ? null : failedPlaces(end);
  const places = [...new Set([...said, ...seen, ...(all ?? [])])].toSorted();
  if (places.length === 0) return "";
  const isFirst = all === null && turns.length === 0 && hasOthers(events, places.length);
  return `${isFirst ? ", first" : ""} at ${placeList(places)}`;
}

const hasOthers = ([first]: SeenIncident["events"], count: number): boolean =>
  first?.snapshot.of === "monitor" && first.snapshot.locations.length > count;

/** The newest failure of it that has a sentence; null if none is kept. */
export const lastFailure = ({ turns }: Pick<IncidentStory, "turns">): LocatedTurn | null =>
  turns.findLast((turn) => isInIt(turn) && turn.failure !== null && turn.message !== "") ?? null;

const isInIt = ({ status, checks, checksBefore }: LocatedTurn): boolean =>
  status !== "success" && checksBefore < checks;
