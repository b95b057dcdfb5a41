import { between, type EpochMillis } from "#base/units";
import { isoTime, lastingLength } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import { waitingWords } from "#service/operator/incidents/recovery-words";
import type { LastReason, PicturedIncident, PicturedMonitor } from "#service/operator/picture";
import { statusClass } from "#service/operator/status-mark";

/** Why a monitor is not well, and which incident that is. */
export function troubleNote(monitor: PicturedMonitor, at: EpochMillis): Html | null {
  const { status, reason, lastReason = null, incident } = monitor;
  const waiting = waitingWords(monitor, at);
  const known = reason ?? lastReason;
  const why = known === null || known.message === "" ? null : known;
  if (why === null && incident === null) return null;
  return html`<div class="trouble ${status === "active" ? "degraded" : statusClass(status)}">
    ${why === null ? null : html`<p class="why">${lastKnown(lastReason)}${failureSentence(why.message)}</p>`}
    ${waiting === null ? null : html`<p class="recovering">${waiting}.</p>`}
    <p>
      ${why === null || why.code === "" ? null : html`<span class="reason">${failureName(why)}</span>`}
      ${incident === null ? null : incidentWords(incident, at)}
    </p>
  </div>`;
}

/** In front of the sentence of what has no data now: when it was seen. */
export const lastKnown = (last: LastReason | null = null): Html | null =>
  last === null ? null : html`Last known, ${momentOf(last.at)}: `;

/** A status is often younger than its incident: both times are there. */
function incidentWords(incident: PicturedIncident, at: EpochMillis): Html {
  const { number, acknowledged, flaps } = incident;
  const since = flaps?.began ?? incident.since;
  return html`<a href="/incidents/${number}">Incident ${number}</a> for
    <time datetime="${isoTime(since)}">${lastingLength(between(since, at))}</time
    >${acknowledged ? ", acknowledged" : ", not acknowledged yet"}`;
}
