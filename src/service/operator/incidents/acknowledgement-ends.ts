import { type Acknowledgement, type EventKind, isKnownAs } from "#service/alerting/incident";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import type { StoryEvent } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** An acknowledgement that is no more. */
export interface AcknowledgementEnd {
  readonly acknowledged: Acknowledgement;
  readonly until: EpochMillis;
  readonly why: "worse" | "open again" | "taken back";
  /** Who took it back; empty of all else. */
  readonly by: string;
}

/** Those of an incident, the earliest first, as its events say it. One that lasts is none of them. */
export function acknowledgementEnds(events: readonly StoryEvent[]): readonly AcknowledgementEnd[] {
  const ends: AcknowledgementEnd[] = [];
  let acknowledged: Acknowledgement | null = null;
  let isUp = false;
  for (const event of events) {
    const { kind, at, by, severity } = event;
    if (kind === "acknowledged") acknowledged = { at, by, severity };
    const why = acknowledged === null ? null : endedBy(event, acknowledged, isUp);
    if (acknowledged !== null && why !== null) {
      ends.push({ acknowledged, until: at, why, by: why === "taken back" ? by : "" });
      acknowledged = null;
    }
    isUp = ups.has(kind) || (isUp && !downs.has(kind));
  }
  return ends;
}

const ups: ReadonlySet<EventKind> = new Set(["closed", "came_up"]);
const downs: ReadonlySet<EventKind> = new Set(["reopened", "flapping", "went_down"]);

function endedBy(
  { kind, severity }: StoryEvent,
  acknowledged: Acknowledgement,
  isUp: boolean,
): AcknowledgementEnd["why"] | null {
  if (kind === "taken_back") return "taken back";
  if (kind === "reopened" || (kind === "flapping" && isUp)) return "open again";
  return kind === "worsened" && !isKnownAs(acknowledged, severity) ? "worse" : null;
}

/** `was acknowledged by ann until 10:59, it got worse`, of one that no one looks at now. */
export function lastEndWords(events: readonly StoryEvent[]): Html | null {
  const last = acknowledgementEnds(events).at(-1);
  if (last === undefined) return null;
  const { acknowledged, until, why, by } = last;
  const because =
    why === "taken back" ? `${by === "" ? "someone" : by} took it back` : whyWords[why];
  return html`was acknowledged by ${byWords(acknowledged)} until ${momentOf(until)}, ${because}`;
}

/** Why one ended that no person took back. */
export const whyWords = {
  worse: "it got worse",
  "open again": "it opened again",
} as const;

/** Older versions kept who it was with the incident alone. */
export const byWords = ({ by }: Acknowledgement): string => (by === "" ? "someone" : by);
