import { failureSentence } from "#service/notify/message/failure-sentence";
import { lastFailure } from "#service/operator/incidents/failing-places";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { openingFailure, openingSentence } from "#service/operator/incidents/opening-sentence";
import { isSlowNow, slowNowSentence } from "#service/operator/incidents/slow-now";
import { lastKnown } from "#service/operator/incidents/trouble-note";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { html, type Html } from "#web/page/html";

/** What the page of an incident says is wrong. */
export interface ShownReason {
  readonly sentence: string | null;
  /** What the sentence is of; null if that is not known. */
  readonly failure: { readonly code: string; readonly phase: string } | null;
  /** Of when it is, in front of it; null if it is of all its time. */
  readonly when: string | Html | null;
  /** How it failed last, of what is over and began otherwise. */
  readonly later: Html | null;
}

interface SeenStory {
  readonly story: Pick<IncidentStory, "incident" | "events" | "turns" | "cause">;
  readonly picture: Pick<Picture, "at">;
  readonly monitor: Pick<PicturedMonitor, "reason" | "lastReason" | "status"> | null;
}

/**
 * How it fails now. If no check says that, because they pass or there are none, how it failed last. Of what is over, how it
 * failed as it opened, and if that was otherwise, how it failed last.
 */
export function shownReason({ story, picture, monitor }: SeenStory): ShownReason {
  const { incident, events, cause } = story;
  const [opening] = events;
  const first = opening && openingSentence(opening.snapshot, incident.ended?.at ?? picture.at);
  const began = { sentence: first ?? null, failure: openingFailure(opening?.snapshot, cause) };
  const isCompared =
    opening?.snapshot.of === "monitor" && openingFailure(opening.snapshot, "") !== null;
  const isOther = (sentence: string): boolean =>
    isCompared && began.sentence !== null && began.sentence !== sentence;
  const last = lastOf(story);
  if (incident.ended !== null)
    return last === null || !isOther(last.sentence)
      ? { ...began, when: null, later: null }
      : { ...began, when: "At first: ", later: html`<p>Last: ${last.sentence}</p>` };
  const now = seen(monitor?.reason);
  if (now !== null) return { ...now, when: isOther(now.sentence) ? "Now: " : null, later: null };
  if (isSlowNow(monitor) && (began.failure !== null || last !== null))
    return { sentence: slowNowSentence, failure: null, when: "Now: ", later: null };
  const known = monitor?.lastReason ?? null;
  const before = seen(known);
  if (known !== null && before !== null) return { ...before, when: lastKnown(known), later: null };
  if (last === null) return { ...began, when: null, later: null };
  return { ...last, when: isOther(last.sentence) ? "Last: " : null, later: null };
}

type Reason = NonNullable<PicturedMonitor["reason"]>;

/** Null if it has no sentence. */
function seen(
  reason: Reason | null | undefined,
): (Pick<ShownReason, "failure"> & { readonly sentence: string }) | null {
  if (reason === null || reason === undefined || reason.message === "") return null;
  return { sentence: failureSentence(reason.message), failure: reason.code === "" ? null : reason };
}

/** How its newest check that failed did, by its results that are kept. */
function lastOf({ turns, incident: { ended } }: SeenStory["story"]) {
  const own = ended === null ? turns : turns.filter(({ at }) => at < ended.at);
  const turn = lastFailure({ turns: own });
  return turn === null ? null : { sentence: failureSentence(turn.message), failure: turn.failure };
}
