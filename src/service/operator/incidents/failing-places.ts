import { badPlaces } from "#service/operator/incidents/opening-sentence";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { placeList } from "#service/operator/lists/place-list";
import { seenWords } from "#service/operator/lists/seen-words";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

type SeenIncident = Pick<IncidentStory, "incident" | "events" | "turns">;

/** `Office and Warehouse (2 of 2)`: who sees it now, or of what is over, or passes again, all that saw it. */
export function failingPlaces(
  { incident, events, turns }: SeenIncident,
  monitor: PicturedMonitor | null,
  { locations }: Picture,
): string {
  const now = incident.ended === null && monitor !== null ? seenWords(monitor) : "";
  if (now !== "") return now;
  const said = events.flatMap(({ kind, snapshot }) =>
    kind !== "closed" && snapshot.of === "monitor" ? badPlaces(snapshot) : [],
  );
  const saw = new Set(turns.filter(isInIt).map(({ location }): number => location));
  const seen = locations.filter(({ id }) => saw.has(id)).map(({ name }) => name);
  return placeList([...new Set([...said, ...seen])].toSorted());
}

/** The newest failure of it that has a sentence; null if none is kept. */
export const lastFailure = ({ turns }: Pick<IncidentStory, "turns">): LocatedTurn | null =>
  turns.findLast((turn) => isInIt(turn) && turn.failure !== null && turn.message !== "") ?? null;

const isInIt = ({ status, checks, checksBefore }: LocatedTurn): boolean =>
  status !== "success" && checksBefore < checks;
