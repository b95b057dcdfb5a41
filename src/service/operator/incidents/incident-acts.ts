import { placeOf } from "#service/alerts/incident-words";
import { actMenu } from "#service/operator/forms/act-menu";
import { fieldId } from "#service/operator/forms/field-id";
import { isOfMonitor } from "#service/operator/incidents/incident-subject";
import { reportLinks, shortReportLink } from "#service/operator/incidents/report-lines";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { KnownReader } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { may } from "#service/operator/roles";
import { type RefusedSilence, silenceForm } from "#service/operator/silence-form";
import { html, type Html } from "#web/page/html";

interface ActsOfIncident {
  readonly story: IncidentStory;
  /** What it is about; null of what is no monitor that is still there. */
  readonly monitor: PicturedMonitor | null;
  readonly reader: KnownReader;
  readonly refusedSilence: RefusedSilence | null;
}

/**
 * What a person does about an open incident. On a phone it stays in view, in one line, while what is above it is read: the
 * report of its status page is there, and what is done less often is in a menu.
 */
export function incidentActs({
  story,
  monitor,
  reader,
  refusedSilence: refused,
}: ActsOfIncident): Html | null {
  const { subject, number, acknowledged } = story.incident;
  const path = `/incidents/${number}`;
  if (!may(reader, "responder")) return null;
  const what = isOfMonitor(subject) ? "this monitor" : "this location";
  const isTaken = acknowledged !== null;
  const checking = (look: string): Html | null =>
    monitor === null ? null : checkNow(monitor, path, reader, look);
  const taking = (look: string): Html | null => (isTaken ? takeBack(path, reader, look) : null);
  const field = fieldId("comment", { idPrefix: `incidents-${number}-comment-` });
  const commenting = (look: string): Html =>
    html`<a class="button ${look}" href="#${field}">Comment</a>`;
  const shortReport = shortReportLink(story, "if-narrow");
  return html`<div class="acts bar" role="group" aria-label="Actions">
    ${isTaken ? null : acknowledgement(path, reader)}
    ${!isOfMonitor(subject) && placeOf(story) === null ? null : silenceForm({ action: `${path}/silence`, what, reader, refused })}
    ${shortReport} ${commenting(shortReport === null ? "" : "if-wide")}
    ${checking(isTaken ? "" : "if-wide")} ${taking("if-wide")}
    ${shortReport === null ? null : reportLinks(story, "if-wide")}
    ${actMenu("this incident", [isTaken ? null : checking("if-narrow"), taking("if-narrow"), shortReport === null ? null : commenting("bare if-narrow")], "if-narrow")}
  </div>`;
}

/** The bar has no room for an act on each of several status pages: they are below it, in plain sight. */
export const reportActs = (story: IncidentStory, reader: KnownReader): Html | null =>
  story.pages.length < 2 || !may(reader, "responder")
    ? null
    : html`<div class="acts" role="group" aria-label="Reports">
        ${reportLinks(story, "small")}
      </div>`;

const acknowledgement = (path: string, reader: KnownReader): Html =>
  html`<form class="act" method="post" action="${path}/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit" class="main">Acknowledge</button>
  </form>`;

const takeBack = (path: string, reader: KnownReader, look: string): Html =>
  html`<form class="act ${look}" method="post" action="${path}/take-back">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <button type="submit">Take back acknowledgement</button>
  </form>`;

/** Whether a repair worked is seen without waiting for the next check. */
const checkNow = ({ id }: PicturedMonitor, path: string, reader: KnownReader, look: string): Html =>
  html`<form class="act ${look}" method="post" action="/monitors/${id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${path}" />
    <button type="submit">Check now</button>
  </form>`;
