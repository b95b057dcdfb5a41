import { capital } from "#base/text";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { failureName } from "#service/operator/failures/failure-words";
import type { EventKind, Incident, Severity } from "#service/alerting/incident";
import type { Silence } from "#service/alerting/silence";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import { counted, dayAndTime, grouped, isoTime, latencyWords, limitWords } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { linkedText } from "#web/page/linked-text";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import { reportWords } from "#service/operator/publishing/report-fields";
import type { IncidentReport } from "#service/operator/incidents/incident-reports";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import {
  type AcknowledgementEnd,
  acknowledgementEnds,
  byWords,
  whyWords,
} from "#service/operator/incidents/acknowledgement-ends";
import { agentStops } from "#service/operator/incidents/agent-stops";
import { certificateSentence } from "#service/operator/incidents/incident-certificate";
import { badChecksWords, seenThen } from "#service/operator/incidents/seen-then";
import { endingSentence, eventWords } from "#service/alerts/incident-words";
import type { Picture } from "#service/operator/picture";
import { statusClass, statusWords } from "#service/operator/status-mark";
import { seenAs } from "#service/monitors/judged-monitor";
import type { IncidentComment } from "#service/store/comment-store";
import type { StoryEvent } from "#service/store/alert-store";
import { type EpochMillis, millis } from "#base/units";

/** Something that happened at an instant, as a person reads it. */
export interface Moment {
  readonly at: EpochMillis;
  /** What the service said, what a location saw, or what a person wrote. */
  readonly is: "said" | "seen" | "wrote";
  /** The colour of its dot: how it was then; null for what is neither. */
  readonly look: string | null;
  readonly words: string | Html;
  readonly more: readonly Html[];
  /** What a person wrote, as paragraphs and lists; left out: no one wrote anything. */
  readonly said?: Html;
  /** What a reader may do with that; left out or null: nothing. */
  readonly acts?: Html | null;
  /** It was so before the incident began, and still after that; left out of what is at one instant. */
  readonly lastsInto?: boolean;
  /** Whether it is the first of several alike, that went on after it; left out of what is at one instant. */
  readonly isRun?: boolean;
  /** That it went down, or came up; left out of all else. */
  readonly turn?: MomentTurn;
}

interface MomentTurn {
  /** At which location, or empty if the service says so of all. */
  readonly place: string;
  readonly isDown: boolean;
  /** Whether the incident closed, opened again, or was worse or better from then on. */
  readonly isOfIncident: boolean;
}

/** What its moments are made of. */
type MomentStory = Pick<
  IncidentStory,
  "incident" | "turns" | "events" | "comments" | "silences" | "reports"
>;

/** What the service said and what locations saw, in the order in which it happened. */
export function momentsOf(
  story: MomentStory,
  picture: Pick<Picture, "locations">,
  actsOf: (comment: IncidentComment) => Html | null = () => null,
): readonly Moment[] {
  const nameOf = (id: number): string =>
    picture.locations.find((one) => one.id === id)?.name ?? `location ${id}`;
  const turns = story.turns.slice(0, limits.storyTurnsMax);
  return [
    ...turns.map((turn) => seenMoment(turn, nameOf(turn.location), story.incident.startedAt)),
    ...agentStops(story),
    ...story.events.map((event) => saidMoment(event, story)),
    ...acknowledgementEnds(story.events).flatMap(endMoment),
    ...story.comments.map((one) => ({ ...commentMoment(one), acts: actsOf(one) })),
    ...story.silences.map(silenceMoment),
    ...story.reports.flatMap((one) => reportMoments(one, story.incident)),
  ].toSorted((a, b) => a.at - b.at);
}

function seenMoment(turn: LocatedTurn, name: string, startedAt: EpochMillis): Moment {
  const { status, failure, message, checks, checksBefore } = turn;
  // The check that an incident began with was due a moment before it.
  const at = checksBefore === 0 && turn.at < startedAt ? startedAt : turn.at;
  const code = failure === null ? null : failureName(failure);
  const sentence = message === "" ? null : html`${failureSentence(message)}`;
  const words = `${name}: ${statusWords[seenAs[status]].toLowerCase()} ${checksWords(turn)}`;
  const look = statusClass(seenAs[status]);
  const more = [code, sentence].filter((one) => one !== null);
  const isDown = seenAs[status] === "error" || seenAs[status] === "degraded";
  const turned = { place: name, isDown, isOfIncident: false };
  const lastsInto = isPartlyBefore(turn);
  return { at, is: "seen", look, words, more, lastsInto, isRun: checks > 1, turn: turned };
}

const isPartlyBefore = ({ checks, checksBefore }: LocatedTurn): boolean =>
  checksBefore > 0 && checksBefore < checks;

/** `in this check (3 attempts)`, or `in 3 checks in a row, the first before the incident began`: the moment is that of the first. */
function checksWords(turn: LocatedTurn): string {
  const { attempts, checks, checksBefore } = turn;
  if (checks === 1) return `in this check${attempts > 1 ? ` (${attempts} attempts)` : ""}`;
  const first = attempts > 1 ? ` (the first took ${attempts} attempts)` : "";
  const early = checksBefore === 1 ? "the first" : `the first ${grouped(checksBefore)}`;
  const before = isPartlyBefore(turn) ? `, ${early} before the incident began` : "";
  return `in ${grouped(checks)} checks in a row${first}${before}`;
}

const commentMoment = ({ at, author, message, editedAt }: IncidentComment): Moment => ({
  at,
  is: "wrote",
  look: null,
  words: `${capitalKey(author)} commented`,
  more: editedAt === null ? [] : [html`Edited ${momentOf(editedAt)}.`],
  said: reportMarkup(message),
});

/** At the beginning of a sentence. A person's name stays as they write it. */
const capitalKey = (who: string): string =>
  who.replace(/^(the key|a person) /, (words) => capital(words));

/** That it was reported, and the newest of the later updates, but for what was before it began. */
function reportMoments({ report, page, by }: IncidentReport, incident: Incident): Moment[] {
  const link = html`<a href="/reports/${report.id}">${report.title}</a>`;
  const on = page.definition.title;
  const [first, ...later] = report.updates.toReversed();
  const made: Moment = {
    ...written,
    at: report.createdAt,
    words: html`${by === null ? "Reported" : `${capitalKey(by)} reported it`} on ${on}: ${link}`,
    more: first === undefined ? [] : [html`${reportWords[first.status]}`],
  };
  const updates = later
    .slice(-alertsLimits.storyUpdatesShown)
    .map(({ at, status, message }): Moment => ({
      ...written,
      at,
      words: html`Report on ${on} updated: ${link}, ${reportWords[status].toLowerCase()}`,
      more: [],
      said: reportMarkup(message),
    }));
  return [made, ...updates].filter(({ at }) => at >= incident.startedAt);
}

const written = { is: "wrote", look: null } as const;

/** Until when nothing is sent, or was not. */
const silenceMoment = ({ from, until, by, reason }: Silence): Moment => ({
  at: from,
  is: "said",
  look: null,
  words: "Silenced",
  more: [
    html`By ${by}, until <time datetime="${isoTime(until)}">${dayAndTime(until)}</time>.`,
    ...when(reason !== "", () => html`<span class="comment">${linkedText(reason)}</span>`),
  ],
});

function saidMoment(event: StoryEvent, story: MomentStory): Moment {
  const { kind, severity, at, number } = event;
  const { ended } = story.incident;
  const last = story.events.at(-1)?.number === number;
  const author = authorOf(event, story);
  const by = when(author !== "", () => html`By ${author}.`);
  const end = kind === "closed" && last ? ended : null;
  const why = end === null ? [] : [html`Because ${endingSentence(story.incident, end.because)}.`];
  const isClosedOnly = end !== null && end.because !== "recovered";
  const quiet = kind === "acknowledged" || kind === "taken_back" || kind === "reminder";
  return {
    at,
    is: "said",
    look: isClosedOnly ? null : lookOf(kind, severity),
    words: eventWords(kind, severity),
    more: [...by, ...why, ...(quiet ? [] : knownThen(event, story))],
    ...turnOf(kind, end !== null),
  };
}

/** One that a person took back has its own event. */
function endMoment({ acknowledged, until, why }: AcknowledgementEnd): readonly Moment[] {
  if (why === "taken back") return [];
  return [
    {
      at: until,
      is: "said",
      look: null,
      words: `Acknowledgement ended: ${whyWords[why]}, so reminders follow again`,
      more: [html`It was by ${byWords(acknowledged)}, ${momentOf(acknowledged.at)}.`],
    },
  ];
}

/** What repeats while it goes up and down: an end is one if it opened again. What is worse or better is so at some locations. */
function turnOf(kind: EventKind, isEnd: boolean): Pick<Moment, "turn"> {
  if (isEnd || !repeated.has(kind)) return {};
  const isDown = begins.has(kind) && kind !== "eased";
  const isOfIncident = kind !== "went_down" && kind !== "came_up";
  const place = kind === "worsened" || kind === "eased" ? " " : "";
  return { turn: { place, isDown, isOfIncident } };
}

/** Older versions kept who acknowledged with the incident alone. */
function authorOf({ kind, by }: StoryEvent, { incident }: Pick<IncidentStory, "incident">): string {
  if (by !== "" || kind !== "acknowledged") return by;
  return incident.acknowledged?.by ?? "";
}

const begins: ReadonlySet<EventKind> = new Set([
  "opened",
  "worsened",
  "eased",
  "reopened",
  "went_down",
]);
/** An outage begins: of what flaps, one of several. */
const outages: ReadonlySet<EventKind> = new Set(["opened", "reopened", "went_down"]);
const ends: ReadonlySet<EventKind> = new Set(["closed", "settled", "came_up"]);

const repeated: ReadonlySet<EventKind> = new Set([
  "worsened",
  "eased",
  "reopened",
  "closed",
  "went_down",
  "came_up",
]);

/** How it is from then on; null of what changes nothing. */
function lookOf(kind: EventKind, severity: Severity): string | null {
  if (ends.has(kind)) return "success";
  return begins.has(kind) ? severity : null;
}

/** Where it was seen, what decided, and what else was known. */
function knownThen({ kind, at, snapshot }: StoryEvent, { turns }: MomentStory): readonly Html[] {
  switch (snapshot.of) {
    case "monitor": {
      const { result, gap } = snapshot;
      const maintenance = outages.has(kind) ? snapshot.maintenance : null;
      const badChecks = badChecksWords(snapshot);
      const ofCertificate = certificateSentence(snapshot, at);
      if (ofCertificate !== null) return [ofCertificate];
      const places = seenThen(snapshot, turns, at);
      return [
        ...when(places !== "", () => html`${places}.`),
        ...when(isSlow(result), () =>
          slowWords(result?.latency ?? millis(0), result?.threshold ?? millis(0)),
        ),
        ...when(kind === "closed" && badChecks !== "", () => html`${badChecks} in all.`),
        ...when(maintenance !== null, () => html`It began in the maintenance ${maintenance}.`),
        ...when(gap !== null, () => html`${gap?.location ?? ""} was cut off before.`),
      ];
    }
    case "location": {
      const { location, replay } = snapshot;
      return [
        html`${counted(location.monitorCount, "monitor")}
        ${location.monitorCount === 1 ? "runs" : "run"} there.`,
        ...when(
          replay !== null,
          () =>
            html`${counted(replay?.replayed ?? 0, "result")} came later,
            ${counted(replay?.missed ?? 0, "check")} never ran.`,
        ),
      ];
    }
    case "maintenance":
      return [html`${snapshot.maintenance.message}`];
    case "agent":
    case "channel":
      return [html`${snapshot.message}`];
  }
}

/** A threshold that was set after a check says nothing of it. */
const isSlow = (result: MonitorSnapshot["result"]): boolean =>
  result !== null &&
  result.failure === null &&
  result.threshold !== null &&
  result.latency > result.threshold;

const slowWords = (latency: number, threshold: number): Html =>
  html`It took ${latencyWords(millis(latency))}, more than ${limitWords(millis(threshold))}.`;

const when = (holds: boolean, words: () => Html): readonly Html[] => (holds ? [words()] : []);
