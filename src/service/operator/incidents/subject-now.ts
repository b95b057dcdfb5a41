import type { Incident } from "#service/alerting/incident";
import { isOfMonitor } from "#service/operator/incidents/incident-subject";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { Pictures } from "#service/operator/pictures";
import type { NamedIncident } from "#service/store/alert-store";

/** The monitor that an incident is about, with all that is seen of it also in a large service. */
export async function subjectNow(
  pictures: Pictures,
  { kind, id }: Incident["subject"],
): Promise<{ readonly picture: Picture; readonly monitor: PicturedMonitor | null }> {
  const picture = await pictures.now();
  const known = kind === "monitor" ? picture.monitors.filter((one) => one.id === id) : [];
  const [monitor = null] = await pictures.detailed(picture, known);
  return { picture, monitor };
}

/** Incidents by the present names of their monitors and locations; what is not there any more keeps the name that it had. */
export function namedNow<I extends NamedIncident>(
  all: readonly I[],
  { monitors, locations }: Pick<Picture, "monitors" | "locations">,
): readonly I[] {
  const ids = new Set(all.map(({ incident }) => incident.subject.id));
  const namesOf = (some: readonly { readonly id: number; readonly name: string }[]) =>
    new Map(some.filter(({ id }) => ids.has(id)).map(({ id, name }) => [id, name]));
  const [ofMonitors, ofLocations] = [namesOf(monitors), namesOf(locations)];
  return all.map((one) => {
    const { subject } = one.incident;
    const names = isOfMonitor(subject) ? ofMonitors : ofLocations;
    const isNamed = isOfMonitor(subject) || subject.kind === "location";
    return isNamed ? { ...one, name: names.get(subject.id) ?? one.name } : one;
  });
}
