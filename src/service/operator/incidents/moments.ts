import type { MonitorSnapshot, Snapshot } from "#service/alerting/snapshot";
import { counted, dayAndTime, isoTime, span, wholeMillis } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { LocatedTurn } from "#service/operator/incidents/incident-turns";
import { endings, eventWords } from "#service/alerts/incident-words";
import type { Picture } from "#service/operator/picture";
import { statusWords } from "#service/operator/status-mark";
import { seenAs } from "#service/monitors/judged-monitor";
import type { IncidentComment } from "#service/store/comment-store";
import type { StoryEvent } from "#service/store/alert-store";
import { between, type EpochMillis, millis } from "#base/units";

/** Something that happened at an instant, as a person reads it. */
export interface Moment {
  readonly at: EpochMillis;
  /** What the service said, what a location saw, or what a person wrote. */
  readonly is: "said" | "seen" | "wrote";
  readonly words: string;
  readonly more: readonly Html[];
}

/** What the service said and what locations saw, in the order in which it happened. */
export function momentsOf(story: IncidentStory, picture: Picture): readonly Moment[] {
  const nameOf = (id: number): string =>
    picture.locations.find((one) => one.id === id)?.name ?? `location ${id}`;
  const turns = story.turns.slice(0, limits.storyTurnsMax);
  return [
    ...turns.map((turn) => seenMoment(turn, nameOf(turn.location))),
    ...story.events.map((event) => saidMoment(event, story)),
    ...story.comments.map(commentMoment),
  ].toSorted((a, b) => a.at - b.at);
}

function seenMoment({ at, status, failure, message, checks }: LocatedTurn, name: string): Moment {
  const code =
    failure === null
      ? null
      : html`<code>${failure.code}</code> in phase <code>${failure.phase}</code>`;
  const sentence = message === "" ? null : html`${message}`;
  const words = `${name}: ${statusWords[seenAs[status]].toLowerCase()} in ${checks === 1 ? "1 check" : `${checks} checks in a row`}`;
  return { at, is: "seen", words, more: [code, sentence].filter((one) => one !== null) };
}

const commentMoment = ({ at, author, message }: IncidentComment): Moment => ({
  at,
  is: "wrote",
  words: `${author} commented`,
  more: [html`<span class="comment">${message}</span>`],
});

function saidMoment(
  { kind, severity, at, snapshot, number }: StoryEvent,
  story: IncidentStory,
): Moment {
  const { acknowledged, ended } = story.incident;
  const last = story.events.at(-1)?.number === number;
  const by = kind === "acknowledged" && acknowledged !== null ? [html`By ${acknowledged.by}.`] : [];
  const why =
    kind === "closed" && last && ended !== null ? [html`Because ${endings[ended.because]}.`] : [];
  const quiet = kind === "acknowledged" || kind === "reminder";
  return {
    at,
    is: "said",
    words: eventWords(kind, severity),
    more: [...by, ...why, ...(quiet ? [] : knownThen(snapshot, kind === "closed"))],
  };
}

/** Where it was seen, what decided, and what else was known. */
function knownThen(snapshot: Snapshot, isEnd: boolean): readonly Html[] {
  switch (snapshot.of) {
    case "monitor": {
      const { locations, result, failedChecks, maintenance, gap } = snapshot;
      const places = locations.map(
        ({ name, status }) => `${name}: ${statusWords[status].toLowerCase()}`,
      );
      return [
        ...when(places.length > 0, () => html`${places.join(", ")}.`),
        ...when(isSlow(result), () =>
          slowWords(result?.latency ?? millis(0), result?.threshold ?? millis(0)),
        ),
        ...when(
          failedChecks > 0 && isEnd,
          () => html`${counted(failedChecks, "failed check")} in all.`,
        ),
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
  html`It took ${wholeMillis(millis(latency))}, more than ${wholeMillis(millis(threshold))}.`;

const when = (holds: boolean, words: () => Html): readonly Html[] => (holds ? [words()] : []);

/** A list with the time of each, and how long after the beginning that was. */
export const momentList = (moments: readonly Moment[], startedAt: EpochMillis): Html =>
  html`<ol class="moments">
    ${moments.map((moment) => momentItem(moment, startedAt))}
  </ol>`;

const momentItem = ({ at, is, words, more }: Moment, startedAt: EpochMillis): Html =>
  html`<li class="${is}">
    <time datetime="${isoTime(at)}">${dayAndTime(at)}</time>
    <span class="offset">${at >= startedAt ? `+${span(between(startedAt, at))}` : "before"}</span>
    <div>
      <p>${words}</p>
      ${more.map((one) => html`<p class="more">${one}</p>`)}
    </div>
  </li>`;
