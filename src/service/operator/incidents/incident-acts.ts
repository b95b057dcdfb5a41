import { placeOf } from "#service/alerts/incident-words";
import { fieldId } from "#service/operator/forms/field-id";
import { isOfMonitor } from "#service/operator/incidents/incident-facts";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { KnownReader } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { silenceForm } from "#service/operator/silence-form";
import { html, type Html } from "#web/page/html";

interface ActsOfIncident {
  readonly story: IncidentStory;
  /** What it is about; null of what is no monitor that is still there. */
  readonly monitor: PicturedMonitor | null;
  readonly reader: KnownReader;
}

/** What a person does about an open incident. On a phone it stays in view while what is above it is read. */
export function incidentActs({ story, monitor, reader }: ActsOfIncident): Html | null {
  const { subject, number } = story.incident;
  const path = `/incidents/${number}`;
  if (!may(reader, "responder")) return null;
  const what = isOfMonitor(subject) ? "this monitor" : "this location";
  return html`<div class="acts bar" role="group" aria-label="Acts">
    ${acknowledgement(story, path, reader)}
    ${!isOfMonitor(subject) && placeOf(story) === null ? null : silenceForm(`${path}/silence`, what, reader)}
    <a class="button" href="#${fieldId("comment", { idPrefix: `incidents-${number}-comment-` })}"
      >Comment</a
    >
    ${monitor === null ? null : checkNow(monitor, path, reader)} ${reportLinks(story)}
  </div>`;
}

const acknowledgement = (
  { incident: { acknowledged } }: IncidentStory,
  path: string,
  reader: KnownReader,
): Html =>
  acknowledged !== null
    ? html`<form class="act" method="post" action="${path}/take-back">
        <input type="hidden" name="form" value="${reader.formToken}" />
        <button type="submit">Take back acknowledgement</button>
      </form>`
    : html`<form class="act" method="post" action="${path}/acknowledge">
        <input type="hidden" name="form" value="${reader.formToken}" />
        <button type="submit" class="main">Acknowledge</button>
      </form>`;

/** Whether a repair worked is seen without waiting for the next check. */
const checkNow = ({ id }: PicturedMonitor, path: string, reader: KnownReader): Html =>
  html`<form class="act" method="post" action="/monitors/${id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${path}" />
    <button type="submit">Check now</button>
  </form>`;

/** Each leads to a report that is filled in as far as it can be. */
const reportLinks = ({ pages, incident }: IncidentStory): readonly Html[] =>
  pages.map(
    ({ id, definition }) =>
      html`<a class="button" href="/status-pages/${id}/reports/new?incident=${incident.number}"
        >Report on ${definition.title}</a
      > `,
  );
