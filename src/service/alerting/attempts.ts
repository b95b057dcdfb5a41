import type { DropReason } from "#service/alerting/queue";
import type { Configuration } from "#service/notify/channel";
import type { DeliveryOutcome, Trouble, TroubleCode } from "#service/notify/delivery-outcome";
import * as limits from "#limits/alerts-limits";
import {
  after,
  between,
  epochMillis,
  type EpochMillis,
  hours,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";

/** How a channel stands with its provider. */
export interface LaneHealth {
  /** Attempts in a row that came to nothing. */
  readonly failures: number;
  /** Nothing is tried before. */
  readonly restUntil: EpochMillis;
  /** Since when it takes no messages, and why; null while it does. */
  readonly failing: { readonly since: EpochMillis; readonly message: string } | null;
  /** The provider does not know the channel any more: nothing is tried until a person changes it. */
  readonly isDisabled: boolean;
  /** How often in a row the recipient was refused for good. */
  readonly refusals: number;
}

export const laneAtFirst: LaneHealth = {
  failures: 0,
  restUntil: epochMillis(0),
  failing: null,
  isDisabled: false,
  refusals: 0,
};

/** What becomes of the deliveries that one attempt was for. */
export type Fate =
  | {
      readonly is: "sent";
      readonly reference: string | null;
      readonly moved: Configuration | null;
    }
  /** The provider says later what became of it. */
  | {
      readonly is: "accepted";
      readonly reference: string | null;
      readonly receipt: string;
      readonly askAt: EpochMillis;
    }
  | {
      readonly is: "waiting";
      readonly retryAt: EpochMillis;
      readonly message: string;
      /** No answer came: the provider may have taken it anyway. */
      readonly isInDoubt: boolean;
    }
  | {
      readonly is: "dropped";
      readonly reason: DropReason;
      readonly message: string;
      readonly isInDoubt: boolean;
    };

/** How a channel stood when an attempt began, for others may have been under way at the same time. */
export interface AttemptStart {
  readonly failures: number;
  readonly refusals: number;
  /** Whether the channel took another message meanwhile. */
  readonly tookSince: boolean;
  /** Until when the provider asked for a pause, in an answer to any of them. */
  readonly askedUntil: EpochMillis;
}

interface AttemptCount {
  /** Attempts before this one. */
  readonly attempts: number;
  readonly firstTriedAt: EpochMillis;
  /** When any of them was first tried after the channel last took a message: now, if none was. */
  readonly earliestTriedAt: EpochMillis;
}

/** After an attempt: what becomes of what was tried, and how the channel stands. `random` is from 0 to 1. */
export const fateOf = (
  outcome: DeliveryOutcome,
  tried: AttemptCount,
  lane: LaneHealth,
  now: EpochMillis,
  random: number,
  start: AttemptStart = { ...lane, tookSince: false, askedUntil: epochMillis(0) },
): { readonly fate: Fate; readonly lane: LaneHealth } => ({
  fate: fateAfter(outcome, tried, now, random),
  lane: sinceFirst(laneBeside(outcome, lane, now, random, start), lane, tried.earliestTriedAt),
});

/** A channel fails since the first attempt that came to nothing, also if it takes several to know. */
const sinceFirst = (next: LaneHealth, before: LaneHealth, since: EpochMillis): LaneHealth =>
  before.failing === null && next.failing !== null
    ? { ...next, failing: { ...next.failing, since } }
    : next;

/** Of attempts side by side that come to nothing the first counts for all: they say one thing of the channel. */
function laneBeside(
  outcome: DeliveryOutcome,
  lane: LaneHealth,
  now: EpochMillis,
  random: number,
  { failures, refusals, tookSince, askedUntil }: AttemptStart,
): LaneHealth {
  // What takes another message does not fail, unless it asks for a pause: this message is tried again by itself.
  if (outcome.is === "again" && outcome.after === null && tookSince) return lane;
  const counted = {
    ...lane,
    failures: Math.min(lane.failures, failures),
    refusals: Math.min(lane.refusals, refusals),
  };
  const next = laneAfter(outcome, counted, now, random);
  // One message that was taken takes back neither a pause that the provider asked for nor that it does not know the channel.
  if (outcome.is === "delivered" || outcome.is === "accepted")
    return lane.isDisabled
      ? lane
      : { ...next, restUntil: askedUntil > now ? askedUntil : next.restUntil };
  return {
    ...next,
    failures: Math.max(next.failures, lane.failures),
    refusals: next.refusals === 0 ? 0 : Math.max(next.refusals, lane.refusals),
    restUntil: epochMillis(Math.max(next.restUntil, lane.restUntil)),
  };
}

function fateAfter(
  outcome: DeliveryOutcome,
  tried: AttemptCount,
  now: EpochMillis,
  random: number,
): Fate {
  switch (outcome.is) {
    case "delivered":
      return { is: "sent", reference: outcome.reference, moved: outcome.moved };
    case "accepted": {
      const { reference, receipt, askAfter } = outcome;
      return { is: "accepted", reference, receipt, askAt: after(now, askAfter) };
    }
    case "skipped":
      return dropped("not_for_provider", outcome.why, false);
    case "again":
      return againOrExpired(
        tried,
        askedPause(outcome) ?? pauseAfter(tried.attempts, random),
        outcome.trouble,
        now,
      );
    case "failing":
      return againOrExpired(tried, hours(1), outcome.trouble, now);
    case "permanent":
      return dropped("refused", outcome.trouble.message, isUnanswered(outcome.trouble));
    case "disabled":
      return dropped("channel_gone", outcome.trouble.message, isUnanswered(outcome.trouble));
  }
}

function laneAfter(
  outcome: DeliveryOutcome,
  lane: LaneHealth,
  now: EpochMillis,
  random: number,
): LaneHealth {
  switch (outcome.is) {
    case "delivered":
    case "accepted":
      return { ...laneAtFirst };
    case "skipped":
      return lane;
    case "again": {
      const rest = askedPause(outcome) ?? pauseAfter(lane.failures, random);
      return afterFailure(lane, outcome.trouble.message, rest, now);
    }
    case "failing": {
      const restUntil = after(now, jittered(hours(1), random));
      const failures = lane.failures + 1;
      return { ...failingSince(lane, outcome.trouble.message, now), failures, restUntil };
    }
    case "permanent": {
      const { message, code } = outcome.trouble;
      const refusals = code === "recipient_refused" ? lane.refusals + 1 : 0;
      const isDisabled = lane.isDisabled || refusals >= limits.recipientRefusalsMax;
      return { ...failingSince(lane, message, now), refusals, isDisabled };
    }
    case "disabled":
      return { ...failingSince(lane, outcome.trouble.message, now), isDisabled: true };
  }
}

/** One failure says little; several in a row say that the channel fails. */
function afterFailure(
  lane: LaneHealth,
  message: string,
  rest: Millis,
  now: EpochMillis,
): LaneHealth {
  const failures = lane.failures + 1;
  const isFailing = failures >= limits.channelFailingAfter;
  const known = isFailing ? failingSince(lane, message, now) : lane;
  return { ...known, failures, restUntil: after(now, rest) };
}

const dropped = (reason: DropReason, message: string, isInDoubt: boolean): Fate => ({
  is: "dropped",
  reason,
  message,
  isInDoubt,
});

const failingSince = (lane: LaneHealth, message: string, now: EpochMillis): LaneHealth => ({
  ...lane,
  failing: { since: lane.failing?.since ?? now, message },
});

function againOrExpired(
  { firstTriedAt }: AttemptCount,
  pause: Millis,
  trouble: Trouble,
  now: EpochMillis,
): Fate {
  const { message } = trouble;
  const isInDoubt = isUnanswered(trouble);
  if (between(firstTriedAt, now) >= limits.deliveryTriedFor)
    return dropped("expired", message, isInDoubt);
  return { is: "waiting", retryAt: after(now, pause), message, isInDoubt };
}

const unanswered: ReadonlySet<TroubleCode> = new Set(["timed_out", "unreachable"]);
const isUnanswered = ({ code }: Trouble): boolean => unanswered.has(code);

/** Until when an answer asks for a pause; null if it asks for none. */
export function pauseAskedIn(outcome: DeliveryOutcome, now: EpochMillis): EpochMillis | null {
  const pause = outcome.is === "again" ? askedPause(outcome) : null;
  return pause === null ? null : after(now, pause);
}

/** The pause that a provider asks for; null if it asks for none. */
const askedPause = ({ after }: { readonly after: Millis | null }): Millis | null =>
  after === null ? null : millis(Math.min(after, limits.notifyWaitMax));

const pauses: readonly Millis[] = [
  seconds(5),
  seconds(30),
  minutes(2),
  minutes(5),
  minutes(15),
  minutes(30),
  hours(1),
];

/** The pause after so many failures before this one, a fifth longer or shorter, so that many do not come as one. */
export const pauseAfter = (failures: number, random: number): Millis =>
  jittered(pauses[Math.min(failures, pauses.length - 1)] ?? hours(1), random);

const jittered = (pause: Millis, random: number): Millis =>
  millis(Math.round(pause * (0.8 + 0.4 * random)));
