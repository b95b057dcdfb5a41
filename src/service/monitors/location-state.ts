import * as limits from "#limits/service-limits";
import type { NotedRefusal, RefusedCall } from "#service/store/token-store";
import { between, type EpochMillis, type Millis, millis } from "#base/units";

export type LocationStatus = "unknown" | "active" | "error";

/** What the service knows of the agents of a location. */
export interface LocationSigns {
  /** Null until an agent has called. */
  readonly lastSeenAt: EpochMillis | null;
  /** Whether the last sign came from an agent that sends heartbeats, or from another that only pulls and reports. */
  readonly lastSeenBy: "heartbeat" | "call";
  /** When the last agent said goodbye; null while one runs, and where it went without a word. */
  readonly stoppedAt: EpochMillis | null;
  /** The last call with a token that has ended; null: none came. */
  readonly refused: NotedRefusal | null;
  /** The shortest period of the active monitors; null if there are none. */
  readonly shortestPeriod: Millis | null;
}

export interface LocationState {
  readonly status: LocationStatus;
  /** Why it is not active, as a sentence without its dot; empty if it is. */
  readonly message: string;
  /** The call of an agent whose token has ended, while that matters; null: none does. */
  readonly refused: RefusedState | null;
}

interface RefusedState extends RefusedCall {
  /** Whether no agent is there whose token works. */
  readonly isOnly: boolean;
  /** Whether the agent calls still: it is lost otherwise, or was stopped. */
  readonly isCalling: boolean;
}

/** Unknown until an agent was seen; an error once the last one has said goodbye, or has been silent for too long. */
export function locationState(signs: LocationSigns, now: EpochMillis): LocationState {
  const refused = refusedState(signs, now);
  const { status, message } = calls(signs, now);
  if (refused === null || message === "") return { status, message, refused };
  const { at, tokenEndedAt, isCalling } = refused;
  const calling = isCalling ? "calls" : `last called at ${textOf(at)}`;
  const why = `an agent ${calling} with a token that ended at ${textOf(tokenEndedAt)}`;
  return { status, message: `${message}; ${why}`, refused };
}

/** With no other agent it matters for a day, as the last that is known; beside others while it calls. */
function refusedState(signs: LocationSigns, now: EpochMillis): RefusedState | null {
  const { lastSeenAt, refused } = signs;
  if (refused === null) return null;
  const { at, tokenEndedAt, workingCallAt } = refused;
  const isSeenSince = lastSeenAt !== null && lastSeenAt > tokenEndedAt;
  // What was seen before the token ended was the refused agent, unless it came with a token that works.
  const isOtherThere =
    workingCallAt !== null &&
    calls({ ...signs, lastSeenAt: workingCallAt }, now).status === "active";
  const isOnly = !isSeenSince && !isOtherThere;
  const isCalling = between(at, now) <= limits.heartbeatLostAfter;
  const isShown = isOnly ? between(at, now) <= limits.refusalShownFor : isCalling;
  return isShown ? { at, tokenEndedAt, isOnly, isCalling } : null;
}

function calls(signs: LocationSigns, now: EpochMillis): Omit<LocationState, "refused"> {
  const { lastSeenAt, stoppedAt } = signs;
  if (lastSeenAt === null)
    return { status: "unknown", message: "no agent of this location has ever reported" };
  if (stoppedAt !== null)
    return { status: "error", message: `stopped as asked at ${textOf(stoppedAt)}` };
  if (between(lastSeenAt, now) > patienceFor(signs))
    return { status: "error", message: `no agent has reported since ${textOf(lastSeenAt)}` };
  return { status: "active", message: "" };
}

/** An agent without heartbeats is seen by its pulls, every ten minutes, and by its reports. */
function patienceFor({ lastSeenBy, shortestPeriod }: LocationSigns): Millis {
  if (lastSeenBy === "heartbeat") return limits.heartbeatLostAfter;
  return millis(
    Math.max(limits.heartbeatLostAfter, limits.pullLostAfter, 2 * (shortestPeriod ?? 0)),
  );
}

const textOf = (instant: EpochMillis): string => new Date(instant).toISOString();
