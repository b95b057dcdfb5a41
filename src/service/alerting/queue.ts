import type { Incident, EventKind, Severity } from "#service/alerting/incident";
import type { Snapshot } from "#service/alerting/snapshot";
import type { EpochMillis } from "#base/units";

/** What waits for one channel about one incident, in the order in which it happened. */
export interface Queue {
  /** As it is now, which may be later than what waits. */
  readonly incident: Incident;
  /** How it failed last, as a cause's key: what is over says no failure itself. Empty if none is known. */
  readonly cause: string;
  /** At least one. */
  readonly waiting: readonly WaitingDelivery[];
  /** The last that the channel has taken; null when it has taken nothing about the incident. */
  readonly sent: SentDelivery | null;
  /** What was dropped since then though the channel may have taken it. */
  readonly droppedInDoubt: readonly EventKind[];
  /** What it depends on and that is down, or was until just now. */
  readonly parent: Parent | null;
  /** Whether the location that is said to be back is away again; left out if it is not. */
  readonly isAwayAgain?: boolean;
  /** Whether no agent of the location that is back has results waiting, as each has said since, and what was down there is checked again; left out if not. */
  readonly hasAllSent?: boolean;
}

/**
 * Whether the channel does not know that something is wrong: it was sent nothing, or that it is over. What settles
 * while it is down is not over, so what comes next does not open it.
 */
export function isUntold({
  sent,
  waiting: [first],
}: {
  readonly sent: Pick<SentDelivery, "kind"> | null;
  readonly waiting: readonly Pick<WaitingDelivery, "kind">[];
}): boolean {
  if (sent === null || sent.kind === "closed") return true;
  return sent.kind === "settled" && (first?.kind === "reopened" || first?.kind === "flapping");
}

export interface WaitingDelivery {
  readonly id: number;
  /** The event's number within the incident. */
  readonly event: number;
  readonly kind: EventKind;
  readonly severity: Severity;
  /** When it happened. */
  readonly at: EpochMillis;
  readonly attempts: number;
  readonly firstTriedAt: EpochMillis | null;
  /** Not tried again before; what was never tried has none. */
  readonly retryAt: EpochMillis | null;
  /** Why it waits, as of the last look. */
  readonly held: HoldReason | null;
  /** An attempt was begun, and we cannot know whether the provider took it. */
  readonly isInDoubt: boolean;
  readonly snapshot: Snapshot;
}

export interface SentDelivery {
  /** The event's number within the incident. */
  readonly event: number;
  readonly kind: EventKind;
  readonly severity: Severity;
  readonly at: EpochMillis;
  /** How many deliveries one message covered. */
  readonly together: number;
}

export interface Parent {
  readonly id: number;
  readonly name: string;
  /** Two rounds after it is up again; null while it is down. */
  readonly until: EpochMillis | null;
}

/** Why a delivery waits though it could be sent. */
export const holdReasons = [
  "first_wait",
  "delay",
  "quiet_hours",
  "silence",
  "parent",
  "pause",
  "group",
  "digest",
  "order",
  "retry",
  "replay",
  "away_again",
  "pace",
] as const;
export type HoldReason = (typeof holdReasons)[number];

/** Why a delivery is not sent, and never will be. Each is counted, and shown with the delivery. */
export const dropReasons = {
  nothing_changed: "what it was about was over before this message was sent",
  within_delay: "it ended before the channel's delay had passed",
  within_quiet_hours: "it ended within the channel's quiet hours",
  silenced: "it ended while it was silenced",
  parent_down: "it ended when its dependency recovered",
  paused: "monitoring was paused before it was sent",
  over: "it was over before it could be delivered, and pagers and phones are not called for that",
  alert_unsent: "its alert was not sent to this channel",
  acknowledged: "a person acknowledged it",
  no_recovery: "the monitor is no longer checked, so no recovery is sent",
  not_for_provider: "the provider has no message for this",
  refused: "the provider refuses it permanently",
  expired: "the provider accepted nothing for a day",
  channel_gone: "the channel was deleted, or its provider does not know it any more",
} as const;
export type DropReason = keyof typeof dropReasons;
