import { placesOf } from "#service/operator/monitors/cause-groups";
import { placeList } from "#service/operator/lists/place-list";
import { incidentActs } from "#service/operator/incidents/incident-acts";
import { alikeSection, earlierSection } from "#service/operator/incidents/other-incidents";
import { runbookNote } from "#service/operator/incidents/runbook-note";
import { openingSentence } from "#service/operator/incidents/opening-sentence";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { isFailureCode } from "#check/failure";
import { adviceWords, failureName } from "#service/operator/failures/failure-words";
import { downFor, downSpans } from "#service/alerting/down-spans";
import { quietAt } from "#service/alerting/incident-machine";
import type { Flapping, Incident } from "#service/alerting/incident";
import { causeIn } from "#service/alerting/snapshot";
import { counted, dayAndTime, isoTime, lengthOf } from "#web/page/format";
import * as alertsLimits from "#limits/alerts-limits";
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
import { incidentFacts } from "#service/operator/incidents/incident-facts";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { endings, incidentMark, subjectWords } from "#service/alerts/incident-words";
import { momentsOf, momentList } from "#service/operator/incidents/moments";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import {
  isPassingAgain,
  recoveringMark,
  recoveryWords,
} from "#service/operator/incidents/recovery-words";

import { silenceNotes } from "#service/operator/silence-form";
import { after, between, type EpochMillis } from "#base/units";

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
 * One incident, in the order in which a person asks: what fails and since when, with the acts, what to do, and who was notified;
 * then what else fails so, what was measured, and what happened minute by minute.
 */
export function incidentView(page: IncidentPage): Html {
  const { story, picture, reader, notice, at } = page;
  const { incident, silencesNow } = story;
  const path = `/incidents/${incident.number}`;
  const reason = reasonOf(page);
  const isPassing = isPassingAgain(incident, page.monitor);
  return html`<p class="back"><a href="/incidents">All incidents</a></p>
    <div class="title-line monitor-head">
      <h1 class="target">${subjectWords(story)}</h1>
      <p class="verdict">
        ${isPassing ? recoveringMark : incidentMark(incident)}
        <span class="kind">Incident ${incident.number}, ${stretchWords(incident, at)}</span>
      </p>
      ${incident.ended === null && story.trash === null ? incidentActs(page) : null}
    </div>
    ${noticeLine(notice)} ${trashNote(story, reader)}
    <div class="trouble ${isPassing ? "degraded" : troubleOf(incident)}">
      <p class="why">${reason}</p>
      ${recoveryLine(page)} ${causeLine(page, isPassing)}
      ${runbookNote(page.evidence?.definition.description ?? "")}
    </div>
    ${standing(incident)} ${silenceNotes(silencesNow, path, reader, at)}
    ${incidentFacts(story, picture, at)}
    <div class="columns stack">
      ${notifiedSection(story, at)} ${alikeSection(story, { at, reader, back: path })}
      ${measuredSections(page, reason)} ${timelineSection(page)} ${earlierSection(story, at)}
    </div>`;
}

/** The check that failed, and the latency around it. */
function measuredSections(
  { evidence, picture, reader }: IncidentPage,
  said: string | null,
): Html | null {
  if (evidence === null) return null;
  return html`${checkSection(evidence, picture, reader, said)} ${chartSection(evidence)}`;
}

function timelineSection({ story, picture, reader, refused, at }: IncidentPage): Html {
  const path = `/incidents/${story.incident.number}`;
  return html`<section aria-labelledby="story">
    <h2 id="story">Timeline</h2>
    ${momentList(momentsOf(story, picture), story.incident.startedAt, at)} ${remarks(story)}
    ${may(reader, "responder") ? commentForm(path, refused, reader) : null}
  </section>`;
}

/** What a person looks up: the code and the phase of its first failing check, and which locations see it. */
function causeLine(page: IncidentPage, isPassing: boolean): Html | null {
  const { cause, incident } = page.story;
  const known = causeIn(cause);
  if (known === null) return null;
  const where = placeWords(page);
  return html`<p class="code">${failureName(known)}${where === "" ? null : ` at ${where}`}</p>
    ${incident.ended === null && !isPassing && isFailureCode(known.code) ? html`<p class="words">${adviceWords(known.code)}</p>` : null}`;
}

/** `Office and Warehouse (2 of 2)`: who sees it now, or of what is over, or passes again, who saw it last. */
function placeWords({ story, monitor }: IncidentPage): string {
  const now = story.incident.ended === null && monitor !== null ? placesOf(monitor) : [];
  if (monitor !== null && now.length > 0 && monitor.status !== "active") {
    const of = monitor.seenBy.length;
    return of < 2 ? placeList(now) : `${placeList(now)} (${now.length} of ${of})`;
  }
  const snapshot = story.events.findLast(({ kind }) => kind !== "closed")?.snapshot;
  const places = snapshot?.of === "monitor" ? snapshot.locations : [];
  return placeList(places.filter(({ status }) => status !== "active").map(({ name }) => name));
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

/** The newest few; the rest is folded, so that the acts stay near. */
function notifiedSection(story: IncidentStory, at: EpochMillis): Html {
  const { deliveries, deliveriesTotal, channels } = story;
  const { incidentMessagesShown: shown } = limits;
  const rest = deliveries.slice(shown);
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Who was notified</h2>
    ${
      deliveries.length === 0
        ? html`<p class="advice">${unnotifiedWords(story, at)}</p>`
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

/** Why no message of it is listed: those of one that is open are all kept. */
function unnotifiedWords({ incident }: IncidentStory, at: EpochMillis): string {
  const { deliveriesKeptFor } = alertsLimits;
  return incident.ended === null || between(incident.openedAt, at) < deliveriesKeptFor
    ? "No one was notified: when it opened, no channel was to be notified of it."
    : `Messages are kept for ${lengthOf(deliveriesKeptFor)}: who was notified when it opened is not known any more.`;
}
