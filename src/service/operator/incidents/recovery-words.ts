import { counted } from "#base/text";
import type { Recovery } from "#service/alerting/recovery";
import type { Flapping, Incident } from "#service/alerting/incident";
import { incidentMark, incidentStateWords } from "#service/alerts/incident-words";
import { statusMark, statusWords } from "#service/operator/status-mark";
import type { PicturedMonitor } from "#service/operator/picture";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";

/** What an incident waits for, e.g. `Recovering: closes after 1 more passing check at Office (1 of 2 passed)`. */
export function recoveryWords({ short, enough, wanted }: Recovery<string>): string {
  if (enough === 0) return "Recovering: enough checks have passed, and it closes within seconds";
  const alike = [...Map.groupBy(short, ({ passed }) => passed)].toSorted(([a], [b]) => b - a);
  const parts = alike.map(
    ([passed, places]) =>
      `${counted(wanted - passed, "more passing check")} at ${namesOf(places)} (${passed} of ${wanted} passed)`,
  );
  return enough === short.length
    ? `Recovering: closes after ${parts.join(" and ")}`
    : `Recovering: closes after enough passing checks at ${enough} of ${short.length} locations: ${parts.join(", ")}`;
}

function namesOf(places: Recovery<string>["short"]): string {
  const names = places.map(({ location }) => location).toSorted();
  const rest = names.length - limits.namesShown;
  const shown = names.slice(0, limits.namesShown);
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "other location")}` : shown.join(", ");
}

/** An open incident that is up now, and waits for more checks or to be steady: it is shown as neither failing nor over. */
export const isUpAgain = (incident: Incident, monitor: PicturedMonitor | null): boolean =>
  isPassingAgain(incident, monitor) || (isFlapping(incident) && !incident.flapping.isDown);

const isPassingAgain = ({ ended }: Incident, monitor: PicturedMonitor | null): boolean =>
  ended === null && monitor !== null && monitor.recovery !== null && monitor.status === "active";

/** Not while no location can say how it is. */
const isFlapping = (incident: Incident): incident is Incident & { flapping: Flapping } =>
  incident.ended === null && incident.flapping !== null && incident.noDataSince === null;

/** What an incident is now: it fails, recovers, flaps, or is over. That of a monitor that was just paused ends within seconds. */
export function incidentNowMark(incident: Incident, monitor: PicturedMonitor | null): Html {
  if (incident.ended === null && monitor?.status === "inactive") return statusMark("inactive");
  if (isPassingAgain(incident, monitor)) return recoveringMark;
  if (!isFlapping(incident)) return incidentMark(incident);
  return incident.flapping.isDown ? verdictMark(incident.severity, "Flapping") : flappingMark;
}

/** The same without its shape, e.g. for the browser's tab. */
export function incidentNowWords(incident: Incident, monitor: PicturedMonitor | null): string {
  if (incident.ended === null && monitor?.status === "inactive") return statusWords.inactive;
  if (isPassingAgain(incident, monitor)) return "Recovering";
  return isFlapping(incident) ? "Flapping" : incidentStateWords(incident);
}

/**
 * The same of a monitor that passes while its incident is open; null of any other, e.g. as one location sees it that never
 * saw it fail.
 */
export function upAgainMark({ status, incident, recovery }: PicturedMonitor): Html | null {
  if (status !== "active") return null;
  if (recovery !== null) return recoveringMark;
  return incident?.flapping === true ? flappingMark : null;
}

const flappingMark: Html = verdictMark("degraded", "Flapping");
export const recoveringMark: Html = verdictMark("degraded", "Recovering");
