import type { EpochMillis } from "#base/units";
import { downSpans } from "#service/alerting/down-spans";
import type { Story } from "#service/store/alert-store";

/** A moment of the timeline of a location's incident. */
interface AgentStop {
  readonly at: EpochMillis;
  readonly is: "seen";
  readonly look: "error";
  readonly words: string;
  readonly more: readonly [];
}

/**
 * When the last agent of a location stopped, or called for the last time: the service opens the incident only when it has
 * waited for another call. Nothing of incidents of anything else.
 */
export function agentStops({
  incident,
  events,
}: Pick<Story, "incident" | "events">): readonly AgentStop[] {
  const spans = downSpans(incident);
  return events.flatMap(({ kind, at, snapshot }): readonly AgentStop[] => {
    if (snapshot.of !== "location" || !(kind === "opened" || kind === "reopened")) return [];
    const from = spans.findLast((span) => span.from <= at)?.from;
    if (from === undefined) return [];
    const how = snapshot.stoppedAsAsked ? "its agent stopped, as asked" : "last call of an agent";
    const words = `${snapshot.location.name}: ${how}`;
    return [{ at: from, is: "seen", look: "error", words, more: [] }];
  });
}
