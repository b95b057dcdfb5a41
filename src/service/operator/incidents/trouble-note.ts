import { html, type Html } from "#web/page/html";
import { failureSentence } from "#service/alerts/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import { recoveryWords } from "#service/operator/incidents/recovery-words";
import type { KnownReader } from "#service/operator/page-request";
import type { PicturedIncident, PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { statusClass } from "#service/operator/status-mark";

/** Why a monitor is not well, and what a person does about it. */
export function troubleNote(
  { id, status, reason, incident, recovery }: PicturedMonitor,
  reader: KnownReader,
): Html | null {
  const why = reason === null || reason.message === "" ? null : reason;
  if (why === null && incident === null) return null;
  const isOpen = incident !== null && !incident.acknowledged && may(reader, "responder");
  return html`<div class="trouble ${status === "active" ? "degraded" : statusClass(status)}">
    ${why === null ? null : html`<p class="why">${failureSentence(why.message)}</p>`}
    ${recovery === null ? null : html`<p class="recovering">${recoveryWords(recovery)}.</p>`}
    <p>
      ${why === null || why.code === "" ? null : html`<span class="reason">${failureName(why)}</span>`}
      ${incident === null ? null : incidentWords(incident)}
    </p>
    ${isOpen ? acknowledgeForm(incident.number, id, reader) : null}
  </div>`;
}

const incidentWords = ({ number, acknowledged }: PicturedIncident): Html =>
  html`<a href="/incidents/${number}">Incident ${number}</a
    >${acknowledged ? ", acknowledged" : html` <span class="kind">not acknowledged yet</span>`}`;

/** It leads back to the monitor. */
const acknowledgeForm = (incident: number, monitor: number, reader: KnownReader): Html =>
  html`<form class="act" method="post" action="/incidents/${incident}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="/monitors/${monitor}" />
    <button type="submit" class="main">Acknowledge</button>
  </form>`;
