import { alikeSection, earlierSection } from "#service/operator/incidents/other-incidents";
import { runbookNote } from "#service/operator/incidents/runbook-note";
import { openingSentence } from "#service/operator/incidents/opening-sentence";
import { failureSentence } from "#service/alerts/failure-sentence";
import { isFailureCode } from "#check/failure";
import { adviceWords, failureName } from "#service/operator/failures/failure-words";
import { downFor, downSpans } from "#service/alerting/down-spans";
import { quietAt } from "#service/alerting/incident-machine";
import type { Flapping, Incident } from "#service/alerting/incident";
import { causeIn } from "#service/alerting/snapshot";
import { counted, dayAndTime, isoTime, lengthOf } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { undoneWithin } from "#limits/service-limits";
import { undoForm } from "#service/operator/deleting/undo-form";
import { messageLines } from "#service/operator/incidents/message-lines";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { commentForm } from "#service/operator/incidents/comment-form";
import { type FormNotice, noticeLine } from "#service/operator/form-notice";
import type { IncidentEvidence } from "#service/operator/incidents/incident-evidence";
import { chartSection, checkSection } from "#service/operator/incidents/evidence-view";
import { incidentFacts, isOfMonitor } from "#service/operator/incidents/incident-facts";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { endings, incidentMark, placeOf, subjectWords } from "#service/alerts/incident-words";
import { momentsOf, momentList } from "#service/operator/incidents/moments";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import {
  isPassingAgain,
  recoveringMark,
  recoveryWords,
} from "#service/operator/incidents/recovery-words";

import { silenceForm, silenceNotes } from "#service/operator/silence-form";
import { after, type EpochMillis } from "#base/units";

interface IncidentPage {
  readonly story: IncidentStory;
  /** Null of what is no monitor that is still there. */
  readonly evidence: IncidentEvidence | null;
  readonly picture: Picture;
  /** What it is about as it is now; null of what is no monitor that is still there. */
  readonly monitor: PicturedMonitor | null;
  /** Now, which is later than the picture. */
  readonly at: EpochMillis;
  readonly reader: KnownReader;
  /** What became of a form; null if none was sent. */
  readonly notice: FormNotice | null;
  /** A comment that was refused; null if none was. */
  readonly refused: RefusedForm | null;
}

/**
 * One incident: how it is and since when, and what a person does next; the check that failed and the latency around it;
 * then what happened minute by minute, and who was notified of it.
 */
export function incidentView(page: IncidentPage): Html {
  const { story, picture, reader, notice, at } = page;
  const { incident, silencesNow } = story;
  const path = `/incidents/${incident.number}`;
  const reason = reasonOf(page);
  const isPassing = isPassingAgain(incident, page.monitor);
  return html`<p class="back"><a href="/incidents">All incidents</a></p>
    <div class="title-line">
      <div>
        <h1 class="target">${subjectWords(story)}</h1>
        <p class="verdict">
          ${isPassing ? recoveringMark : incidentMark(incident)}
          <span class="kind">Incident ${incident.number}, ${stretchWords(incident, at)}</span>
        </p>
      </div>
      ${incident.ended === null && story.trash === null ? forms(page) : null}
    </div>
    ${noticeLine(notice)} ${trashNote(story, reader)}
    <div class="trouble ${isPassing ? "degraded" : troubleOf(incident)}">
      <p class="why">${reason}</p>
      ${recoveryLine(page)} ${causeLine(story, isPassing)}
      ${runbookNote(page.evidence?.definition.description ?? "")}
    </div>
    ${standing(incident)} ${silenceNotes(silencesNow, path, reader, at)}
    ${incidentFacts(story, picture, at)} ${measuredSections(page, reason)} ${storySections(page)}`;
}

/** The check that failed, next to the latency and, if it is as high as both, the messages. */
function measuredSections(page: IncidentPage, said: string | null): Html | null {
  const { evidence, picture, reader, story, at } = page;
  if (evidence === null) return null;
  const check = checkSection(evidence, picture, reader, said);
  const chart = chartSection(evidence);
  if (check === null && chart === null) return null;
  return html`<div class="columns even level">
    ${check === null ? null : html`<div class="wider">${check}</div>`}
    <div>${chart} ${hasTallCheck(evidence) ? deliverySection(story, at) : null}</div>
  </div>`;
}

function storySections({ story, evidence, picture, reader, refused, at }: IncidentPage): Html {
  const path = `/incidents/${story.incident.number}`;
  const messages = hasTallCheck(evidence) ? null : deliverySection(story, at);
  const alike = alikeSection(story, picture);
  const earlier = earlierSection(story, picture);
  return html`<div class="columns even">
    <div class="wider">
      <section aria-labelledby="story">
        <h2 id="story">Timeline</h2>
        ${momentList(momentsOf(story, picture), story.incident.startedAt, at)} ${remarks(story)}
        ${may(reader, "responder") ? commentForm(path, refused, reader) : null}
      </section>
    </div>
    ${messages === null && alike === null && earlier === null ? null : html`<div>${messages} ${alike} ${earlier}</div>`}
  </div>`;
}

/** Whether the waterfall of its check has so many rows that two sections have room next to it. */
const hasTallCheck = (evidence: IncidentEvidence | null): boolean =>
  Object.values(evidence?.check?.phases ?? {}).filter((one) => one !== null).length >=
  limits.incidentPhasesTall;

/** What a person looks up: the code and the phase of its first failing check, and which locations see it. */
function causeLine({ cause, events, incident }: IncidentStory, isPassing: boolean): Html | null {
  const known = causeIn(cause);
  if (known === null) return null;
  const snapshot = events.findLast(({ kind }) => kind !== "closed")?.snapshot;
  const places = snapshot?.of === "monitor" ? snapshot.locations : [];
  const names = places.filter(({ status }) => status !== "active").map(({ name }) => name);
  return html`<p class="code">
      ${failureName(known)}${names.length === 0 ? null : ` at ${names.join(", ")}`}
    </p>
    ${incident.ended === null && !isPassing && isFailureCode(known.code) ? html`<p class="words">${adviceWords(known.code)}</p>` : null}`;
}

/** Of what was deleted no message is sent any more; who may put it back does so here. */
function trashNote({ trash }: IncidentStory, reader: KnownReader): Html | null {
  if (trash === null) return null;
  const until = after(trash.deletedAt, undoneWithin);
  const { owner } = trash;
  const undo =
    may(reader, "editor") && owner === "" ? undoForm(reader, trash.kind, [trash.id]) : null;
  return html`<div class="notice silenced">
    <p>
      The ${trash.kind} ${trash.name} was deleted at ${momentOf(trash.deletedAt)}, and no message is
      sent of it.
      ${
        owner === ""
          ? html`It can be restored until ${momentOf(until)}; an open incident ends then.`
          : html`The files of ${owner} deleted it: put it back in the files, and apply them.`
      }
    </p>
    ${undo}
  </div>`;
}

const troubleOf = ({ ended, severity }: Incident): string =>
  ended !== null ? "over" : severity === "degraded" ? "degraded" : "error";

/** `open for 14 min`, `it recovered after 1 h 10 min`, or in how many stretches. */
function stretchWords(incident: Incident, at: EpochMillis): string {
  const { ended } = incident;
  const often = downSpans(incident).length;
  const down = lengthOf(downFor(incident, at));
  const stretches = often < 2 ? down : `${down} in ${often} stretches`;
  if (ended === null) return often < 2 ? `open for ${down}` : stretches;
  return `${endings[ended.because]} after ${stretches}`;
}

const recoveryLine = ({ story, monitor }: IncidentPage): Html | null =>
  story.incident.ended !== null || monitor === null || monitor.recovery === null
    ? null
    : html`<p class="recovering">${recoveryWords(monitor.recovery)}.</p>`;

/** The sentence of now while it is open, else that of its first event. */
function reasonOf({ story, picture, monitor }: IncidentPage): string | null {
  const { incident, events } = story;
  const now = monitor?.reason?.message ?? "";
  if (incident.ended === null && now !== "") return failureSentence(now);
  const snapshot = events[0]?.snapshot;
  if (snapshot === undefined) return null;
  return openingSentence(snapshot, incident.ended?.at ?? picture.at);
}

function standing({ flapping, noDataSince, ended }: Incident): Html | null {
  if (ended !== null) return null;
  const words = [
    flapping === null
      ? null
      : html`It goes up and down: ${flapping.changes} changes. Messages pause until it is
        steady.${noDataSince === null ? nowWords(flapping) : null}`,
    noDataSince === null
      ? null
      : html`No location can say anything since
          <time datetime="${isoTime(noDataSince)}">${dayAndTime(noDataSince)}</time>.`,
  ];
  return html`${words.flatMap((one) => (one === null ? [] : [html`<p class="advice">${one}</p>`]))}`;
}

const nowWords = (flapping: Flapping): Html =>
  flapping.isDown
    ? html` It is down now.`
    : html` It is up now, and closes at ${momentOf(quietAt(flapping))} if that stays so.`;

function forms({ story, monitor, reader }: IncidentPage): Html | null {
  const { subject, acknowledged, number } = story.incident;
  const path = `/incidents/${number}`;
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
    ${acknowledge} ${monitor === null ? null : checkNow(monitor, path, reader)}
    ${!isOfMonitor(subject) && placeOf(story) === null ? null : silenceForm(`${path}/silence`, what, reader)}
    ${reportLinks(story)}
  </div>`;
}

/** Whether a repair worked is seen without waiting for the next check. */
const checkNow = ({ id }: PicturedMonitor, path: string, reader: KnownReader): Html =>
  html`<form class="act" method="post" action="/monitors/${id}/check">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="back" value="${path}" />
    <button type="submit">Check now</button>
  </form>`;

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

function remarks({ isCut, isUnread, turns, trash }: IncidentStory): Html | null {
  // They come back with the monitor.
  if (trash !== null) return null;
  if (isUnread)
    return html`<p class="advice">
      Its results cannot be read now, as their database server cannot be reached. Start the server:
      <code>picket service doctor</code> says which it is.
    </p>`;
  if (isCut)
    return html`<p class="words">
      There are too many checks to look at each: those in the middle are left out.
    </p>`;
  return turns.length > 0
    ? null
    : html`<p class="words">No result of this time is kept: results go after two weeks.</p>`;
}

/** The newest few; the rest is folded, so that the timeline stays near. */
function deliverySection(story: IncidentStory, at: EpochMillis): Html {
  const { deliveries, deliveriesTotal, channels } = story;
  const { incidentMessagesShown: shown } = limits;
  const rest = deliveries.slice(shown);
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Messages</h2>
    ${
      deliveries.length === 0
        ? html`<p class="advice">
            No one was notified: no channel selects this, or messages are kept no longer.
          </p>`
        : messageLines(deliveries.slice(0, shown), channels, at)
    }
    ${
      rest.length === 0
        ? null
        : html`<details id="more-messages">
            <summary>${counted(rest.length, "older message")}</summary>
            ${messageLines(rest, channels, at)}
          </details>`
    }
    ${
      deliveriesTotal <= deliveries.length
        ? null
        : html`<p class="words">The newest ${deliveries.length} of ${deliveriesTotal}.</p>`
    }
  </section>`;
}
