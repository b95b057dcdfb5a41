import { capital } from "#base/text";
import { failingPlaces } from "#service/operator/incidents/failing-places";
import { incidentActs, reportActs } from "#service/operator/incidents/incident-acts";
import { alikeSection, earlierSection } from "#service/operator/incidents/other-incidents";
import { reportsSection } from "#service/operator/incidents/report-lines";
import { runbookNote } from "#service/operator/incidents/runbook-note";
import { type ShownReason, shownReason } from "#service/operator/incidents/shown-reason";
import { isFailureCode } from "#check/failure";
import { adviceWords, failureName } from "#service/operator/failures/failure-words";
import { shownLength } from "#base/duration";
import { quietAt } from "#service/alerting/flapping-steps";
import type { Flapping, Incident } from "#service/alerting/incident";
import { counted, dayAndTime, isoTime, lengthOf } from "#web/page/format";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { undoneWithin } from "#limits/service-limits";
import { undoForm } from "#service/operator/deleting/undo-form";
import { messageLines } from "#service/operator/incidents/message-lines";
import type { RefusedForm } from "#service/operator/forms/box-form";
import { commentActs } from "#service/operator/incidents/comment-acts";
import { commentForm } from "#service/operator/incidents/comment-form";
import type { IncidentEvidence } from "#service/operator/incidents/incident-evidence";
import { chartSection, checkSection } from "#service/operator/incidents/evidence-view";
import { latestMoment } from "#service/operator/incidents/latest-moment";
import { incidentFacts } from "#service/operator/incidents/incident-facts";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { endingSentence, subjectWords } from "#service/alerts/incident-words";
import { momentList } from "#service/operator/incidents/moment-list";
import { momentsOf } from "#service/operator/incidents/moments";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import {
  flappingWords,
  isUpAgain,
  recoveryWords,
} from "#service/operator/incidents/recovery-words";
import { storyMark } from "#service/operator/incidents/story-mark";
import { oftenWords, timesNote } from "#service/operator/incidents/times-words";
import { type RefusedSilence, silenceNotes } from "#service/operator/silence-form";
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
  readonly notice: Html | null;
  /** A comment that was refused; null if none was. */
  readonly refused: RefusedForm | null;
  readonly refusedSilence: RefusedSilence | null;
}

/**
 * One incident, in the order in which a person asks: what fails and since when, with the acts and what to do; what happened
 * minute by minute, with a box for a comment, and next to it who was notified and what else fails so; then what was measured.
 */
export function incidentView(page: IncidentPage): Html {
  const { story, picture, reader, notice, at } = page;
  const { incident, silencesNow } = story;
  const path = `/incidents/${incident.number}`;
  const reason = shownReason(page);
  const isUp = isUpAgain(incident, page.monitor);
  return html`<p class="back"><a href="/incidents">All incidents</a></p>
    <div class="title-line monitor-head">
      <h1 class="target">${breakable(subjectWords(story))}</h1>
      <p class="verdict">
        ${storyMark(story, page.monitor)}
        <span class="kind">Incident ${incident.number}, ${lastingWords(story, at)}</span>
      </p>
      ${canBeActedOn(story) ? incidentActs(page) : null}
    </div>
    ${notice} ${trashNote(story, reader)}
    <div class="trouble ${isUp ? "degraded" : troubleOf(story)}">
      <p class="why">${reason.when}${reason.sentence}</p>
      ${recoveryLine(page)} ${causeLine(page, reason.failure, isUp)} ${reason.later}
      ${runbookNote(page.evidence?.definition.description ?? "")}
    </div>
    ${canBeActedOn(story) ? reportActs(story, reader) : null} ${standing(incident, page.monitor)}
    ${silenceNotes(silencesNow, path, reader, at)} ${incidentFacts(story, picture, at)}
    ${latestMoment(story, picture, at)}
    <div class="columns story">
      ${timelineSection(page)}
      <div class="around">
        ${notifiedSection(story, at)} ${reportsSection(story, reader, at)}
        ${alikeSection(story, { at, reader, back: path })} ${earlierSection(story, at)}
      </div>
      ${measuredSections(page, reason.sentence)}
    </div>`;
}

/** Whether its page has the acts: it is open, and what it is about is still there. */
export const canBeActedOn = ({
  incident,
  trash,
}: Pick<IncidentStory, "incident" | "trash">): boolean => incident.ended === null && trash === null;

/** The latency around it, and the check that failed. */
function measuredSections(
  { evidence, picture, reader }: IncidentPage,
  said: string | null,
): Html | null {
  if (evidence === null) return null;
  return html`${chartSection(evidence)} ${checkSection(evidence, picture, reader, said)}`;
}

function timelineSection({ story, picture, reader, refused, at }: IncidentPage): Html {
  const path = `/incidents/${story.incident.number}`;
  const moments = momentsOf(story, picture, (one) => commentActs(path, one, reader));
  return html`<section aria-labelledby="story">
    <h2 id="story">Timeline</h2>
    ${timesNote(story.incident)} ${momentList(moments, story.incident.startedAt, at)}
    ${remarks(story)} ${may(reader, "responder") ? commentForm(path, refused, reader) : null}
  </section>`;
}

/** What a person looks up: the code and the phase of the sentence above it, and which locations see it. */
function causeLine(page: IncidentPage, known: ShownReason["failure"], isUp: boolean): Html | null {
  const { incident, trash } = page.story;
  if (known === null) return null;
  const where = failingPlaces(page.story, page.monitor, page.picture);
  return html`<p class="code">${failureName(known)}${where}</p>
    ${incident.ended === null && trash === null && !isUp && isFailureCode(known.code) ? html`<p class="words">${adviceWords(known.code)}</p>` : null}`;
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

const troubleOf = ({ incident: { ended, severity }, trash }: IncidentStory): string =>
  ended !== null || trash !== null ? "over" : severity === "degraded" ? "degraded" : "error";

/** `open for 14 min`, `was open for 14 min until the monitor was deleted`, or `it recovered after 1 h 10 min`, and how often it was in trouble. */
function lastingWords({ incident, trash }: IncidentStory, at: EpochMillis): string {
  const { ended, startedAt } = incident;
  const often = oftenWords(incident);
  const times = often === null ? "" : `, ${often}`;
  const lasted = lengthOf(shownLength(startedAt, ended?.at ?? trash?.deletedAt ?? at));
  if (ended !== null) return `${endingSentence(incident, ended.because)} after ${lasted}${times}`;
  if (trash === null) return `open for ${lasted}${times}`;
  return `was open for ${lasted} until the ${trash.kind} was deleted${times}`;
}

function recoveryLine({ story, monitor }: IncidentPage): Html | null {
  const { ended, flapping } = story.incident;
  const recovery = monitor?.recovery ?? null;
  return ended !== null || flapping !== null || recovery === null
    ? null
    : html`<p class="recovering">${recoveryWords(recovery)}.</p>`;
}

function standing(
  { flapping, noDataSince, unwatchedSince, ended }: Incident,
  monitor: PicturedMonitor | null,
): Html | null {
  if (ended !== null) return null;
  const words = [
    unwatchedSince === null
      ? null
      : html`Nothing has checked it since ${momentOf(unwatchedSince)}. It closes
        ${lengthOf(alertsLimits.incidentKeptUnwatched)} after that, unless its checks are resumed.`,
    flapping === null
      ? null
      : html`Flapping: messages pause until it is
        steady.${noDataSince === null ? nowWords(flapping, monitor) : null}`,
    noDataSince === null
      ? null
      : html`No location can say anything since
          <time datetime="${isoTime(noDataSince)}">${dayAndTime(noDataSince)}</time>.`,
  ];
  return html`${words.flatMap((one) => (one === null ? [] : [html`<p class="advice">${one}</p>`]))}`;
}

function nowWords(flapping: Flapping, monitor: PicturedMonitor | null): Html {
  const words = capital(flappingWords(flapping.isDown ? "down" : "up", monitor));
  return flapping.isDown || monitor?.status === "error" || monitor?.status === "degraded"
    ? html` ${words}.`
    : html` ${words}, and closes at ${momentOf(quietAt(flapping))} if that stays so.`;
}

function remarks({ incident, isCut, isUnread, turns, trash }: IncidentStory): Html | null {
  // Results are of monitors, and those of a deleted one come back with it.
  if (incident.subject.kind !== "monitor" || trash !== null) return null;
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
  const { deliveries, deliveriesTotal, channels, parent, silencedUntil } = story;
  const waits = { parent, silencedUntil };
  const { incidentMessagesShown: shown } = limits;
  const rest = deliveries.slice(shown);
  return html`<section aria-labelledby="messages">
    <h2 id="messages">Who was notified</h2>
    ${
      deliveries.length === 0
        ? html`<p class="advice">${unnotifiedWords(story, at)}</p>`
        : messageLines(deliveries.slice(0, shown), channels, at, waits)
    }
    ${
      rest.length === 0
        ? null
        : html`<details id="more-messages">
            <summary>${counted(rest.length, "older message")}</summary>
            ${messageLines(rest, channels, at, waits)}
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
