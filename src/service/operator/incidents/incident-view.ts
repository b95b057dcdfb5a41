import { downFor, downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { endingWords } from "#check/certificate-ending";
import { capital } from "#base/text";
import { dayAndTime, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { messageLines } from "#service/operator/incidents/message-lines";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { commentForm } from "#service/operator/incidents/comment-form";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import type { IncidentEvidence } from "#service/operator/incidents/incident-evidence";
import { evidenceView } from "#service/operator/incidents/evidence-view";
import { incidentFacts, isOfMonitor } from "#service/operator/incidents/incident-facts";
import { incidentLines } from "#service/operator/incidents/incident-list-view";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import {
  causeWords,
  endings,
  incidentMark,
  placeOf,
  subjectWords,
} from "#service/alerts/incident-words";
import { momentsOf, momentList } from "#service/operator/incidents/moments";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture } from "#service/operator/picture";
import { silenceForm, silenceNotes } from "#service/operator/silence-form";
import { between, type EpochMillis } from "#base/units";

interface IncidentPage {
  readonly story: IncidentStory;
  /** Null of what is no monitor that is still there. */
  readonly evidence: IncidentEvidence | null;
  readonly picture: Picture;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: FormNotice | null;
  /** A comment that was refused; null if none was. */
  readonly refused: RefusedForm | null;
}

/** One incident: how it is and since when, what happened minute by minute, and who was notified of it. */
export function incidentView(page: IncidentPage): Html {
  const { story, evidence, picture, reader, notice, refused } = page;
  const { incident, silences } = story;
  const { at } = picture;
  const path = `/incidents/${incident.number}`;
  const now = silences.filter(({ until }) => until > at);
  return html`<p class="back"><a href="/incidents">All incidents</a></p>
    <div class="title-line">
      <div>
        <h1 class="target">${subjectWords(story)}</h1>
        <p class="verdict">
          ${incidentMark(incident)}
          <span class="kind">Incident ${incident.number}, ${stretchWords(incident, at)}</span>
        </p>
      </div>
      ${incident.ended === null ? forms(story, path, reader) : null}
    </div>
    ${noticeLine(notice)}
    <div class="trouble ${troubleOf(incident)}"><p class="why">${reasonOf(story, picture)}</p></div>
    ${standing(incident)} ${silenceNotes(now, path, reader, at)}
    <div class="columns even">
      <div class="wider">
        <section aria-labelledby="story">
          <h2 id="story">Timeline</h2>
          ${momentList(momentsOf(story, picture), incident.startedAt, at)} ${remarks(story)}
          ${may(reader, "responder") ? commentForm(path, refused, reader) : null}
        </section>
      </div>
      <div>
        ${evidence === null ? null : evidenceView(evidence, picture, reader)}
        ${incidentFacts(story, picture)} ${deliverySection(story, at)}
        ${alikeSection(story, picture)}
      </div>
    </div>`;
}

const troubleOf = ({ ended, severity }: Incident): string =>
  ended !== null ? "over" : severity === "degraded" ? "degraded" : "error";

function stretchWords(incident: Incident, at: EpochMillis): Html {
  const { startedAt, ended } = incident;
  const begin = html`<time datetime="${isoTime(startedAt)}">${dayAndTime(startedAt)}</time>`;
  const often = downSpans(incident).length;
  const down = span(downFor(incident, at));
  if (ended === null)
    return often < 2
      ? html`since ${begin}, for ${span(between(startedAt, at))}`
      : html`${down} in ${often} stretches since ${begin}`;
  const end = html`<time datetime="${isoTime(ended.at)}">${dayAndTime(ended.at)}</time>`;
  return often < 2
    ? html`from ${begin} to ${end}, ${down}: ${endings[ended.because]}`
    : html`${down} in ${often} stretches between ${begin} and ${end}: ${endings[ended.because]}`;
}

/** The sentence of now while it is open, else that of its first event. */
function reasonOf(story: IncidentStory, picture: Picture): Html | string | null {
  const { incident, events } = story;
  const now = picture.monitors.find(
    ({ id }) => incident.subject.kind === "monitor" && id === incident.subject.id,
  )?.reason;
  if (incident.ended === null && now !== undefined && now !== null && now.message !== "")
    return now.message;
  const snapshot = events[0]?.snapshot;
  if (snapshot === undefined) return null;
  if (snapshot.of === "monitor" && snapshot.certificate !== undefined)
    return `${capital(endingWords(snapshot.certificate, picture.at))}.`;
  if (snapshot.of === "monitor")
    return snapshot.result?.failure?.message ?? causeWords(story, picture.locations);
  if (snapshot.of === "maintenance") return snapshot.maintenance.message;
  return snapshot.of === "location" ? null : snapshot.message;
}

function standing({ flapping, noDataSince, ended }: Incident): Html | null {
  if (ended !== null) return null;
  const words = [
    flapping === null
      ? null
      : html`It goes up and down: ${flapping.changes} changes. Messages pause until it is steady.`,
    noDataSince === null
      ? null
      : html`No location can say anything since
          <time datetime="${isoTime(noDataSince)}">${dayAndTime(noDataSince)}</time>.`,
  ];
  return html`${words.flatMap((one) => (one === null ? [] : [html`<p class="advice">${one}</p>`]))}`;
}

function forms(story: IncidentStory, path: string, reader: KnownReader): Html | null {
  const { subject, acknowledged } = story.incident;
  if (!may(reader, "responder")) return null;
  const acknowledge =
    acknowledged !== null
      ? html`<form class="act" method="post" action="${path}/take-back">
          <input type="hidden" name="form" value="${reader.formToken}" />
          <button type="submit">Take back<span class="unseen"> the acknowledgement</span></button>
        </form>`
      : html`<form class="act" method="post" action="${path}/acknowledge">
          <input type="hidden" name="form" value="${reader.formToken}" />
          <button type="submit" class="main">Acknowledge</button>
        </form>`;
  const what = isOfMonitor(subject) ? "this monitor" : "this location";
  return html`<div class="acts">
    ${acknowledge}
    ${!isOfMonitor(subject) && placeOf(story) === null ? null : silenceForm(`${path}/silence`, what, reader)}
    ${reportLinks(story)}
  </div>`;
}

/** Each leads to a report that is filled in as far as it can be. */
const reportLinks = ({ pages, incident }: IncidentStory): Html | null =>
  pages.length === 0
    ? null
    : html`${pages.map(
        ({ id, definition }) =>
          html`<a class="button" href="/status-pages/${id}/reports/new?incident=${incident.number}"
            >Report on ${definition.title}</a
          > `,
      )}`;

function remarks({ isCut, turns }: IncidentStory): Html | null {
  if (isCut)
    return html`<p class="words">
      There are too many checks to look at each: those in the middle are left out.
    </p>`;
  return turns.length > 0
    ? null
    : html`<p class="words">No result of this time is kept: results go after two weeks.</p>`;
}

function deliverySection(story: IncidentStory, at: EpochMillis): Html {
  const { deliveries, deliveriesTotal, channels } = story;
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Messages</h2>
    ${
      deliveries.length === 0
        ? html`<p class="advice">
            No one was notified: no channel selects this, or messages are kept no longer.
          </p>`
        : messageLines(deliveries, channels, at)
    }
    ${
      deliveriesTotal <= deliveries.length
        ? null
        : html`<p class="words">The newest ${deliveries.length} of ${deliveriesTotal}.</p>`
    }
  </section>`;
}

function alikeSection({ alike }: IncidentStory, picture: Picture): Html | null {
  if (alike.length === 0) return null;
  return html`<section aria-labelledby="alike">
    <h2 id="alike">The same cause at the same time</h2>
    ${incidentLines(alike, picture)}
  </section>`;
}
