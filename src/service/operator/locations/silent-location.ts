import { capital } from "#base/text";
import { epochMillis } from "#base/units";
import type { LocationState } from "#service/monitors/location-state";
import { counted } from "#web/page/format";
import { timeMark } from "#web/page/time-mark";
import { html, type Html } from "#web/page/html";
import type { PicturedLocation } from "#service/operator/picture";

/** Why a location is not active: a sentence with its instant as pages write it; null if it is active. */
export function whyNotActive({ message }: LocationState): Html | null {
  if (message === "") return null;
  const sentence = `${capital(message)}.`;
  const [iso] = isoInstant.exec(sentence) ?? [];
  if (iso === undefined) return html`${sentence}`;
  const [before = "", ...rest] = sentence.split(iso);
  return html`${before}${timeMark(epochMillis(Date.parse(iso)))}${rest.join(iso)}`;
}

const isoInstant = /\d{4}-\d\d-\d\dT[\d:.]+Z/;

/** No agent of it reports: what only it checks is not watched. */
export const silentBox = ({ id, name, state, monitors }: PicturedLocation): Html =>
  html`<div class="trouble error" role="status">
    <p class="why">${name} is silent. ${whyNotActive(state)}</p>
    <p>
      ${counted(monitors, "monitor")} ${monitors === 1 ? "is" : "are"} not checked from there.
      <a href="/locations/${id}">Look at its agents, or start one</a>.
    </p>
  </div>`;
