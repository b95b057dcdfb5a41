import { capital } from "#base/text";
import { epochMillis } from "#base/units";
import { incidentLink } from "#service/operator/incidents/incident-link";
import type { LocationState } from "#service/monitors/location-state";
import { counted } from "#web/page/format";
import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import { refusalLine } from "#service/operator/locations/token-use";
import type { PicturedLocation, PicturedMonitor } from "#service/operator/picture";

/** Why agents of a location do not report: a sentence with its instant as pages write it; null if all do. */
export function whyNotActive(state: LocationState, agents: readonly StoredInstance[]): Html | null {
  const { message, refused } = state;
  if (refused !== null) return refusalLine(state, agents);
  if (message === "") return null;
  const sentence = `${capital(message)}.`;
  const [iso] = isoInstant.exec(sentence) ?? [];
  if (iso === undefined) return html`${sentence}`;
  const [before = "", ...rest] = sentence.split(iso);
  return html`${before}${timeMark(epochMillis(Date.parse(iso)))}${rest.join(iso)}`;
}

const isoInstant = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

/** Whether a location's monitors are not checked from there. */
export const isSilent = ({ state }: PicturedLocation): boolean =>
  state.status === "error" || state.refused?.isOnly === true;

/** No agent of it reports: what only it checks is not watched. What is paused is checked nowhere. */
export function silentBox(
  { id, name, state, incident }: PicturedLocation,
  all: readonly PicturedMonitor[],
): Html {
  const monitors = all.filter(
    ({ status, seenBy }) => status !== "inactive" && seenBy.some(({ location }) => location === id),
  ).length;
  return html`<div class="trouble error" role="status">
    <p class="why">
      ${name} ${state.refused?.isOnly === true ? "is refused" : "is silent"}.
      ${whyNotActive(state, [])} ${incidentLink(incident)}
    </p>
    <p>
      ${counted(monitors, "monitor")} ${monitors === 1 ? "is" : "are"} not checked from there.
      <a href="/locations/${id}">Look at its agents, or start one</a>.
    </p>
  </div>`;
}
