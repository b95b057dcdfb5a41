import * as limits from "#limits/service-limits";
import type { RefusedCall } from "#service/store/token-store";
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
  readonly refused: RefusedCall | null;
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
  /** Whether no agent has called since with a token that works. */
  readonly isOnly: boolean;
}

/** Unknown until an agent was seen; an error once the last one has said goodbye, or has been silent for too long. */
export function locationState(signs: LocationSigns, now: EpochMillis): LocationState {
  const refused = refusedState(signs, now);
  const { status, message } = calls(signs, now);
  if (refused === null || message === "") return { status, message, refused };
  const why = `an agent calls with a token that ended at ${textOf(refused.tokenEndedAt)}`;
  return { status, message: `${message}; ${why}`, refused };
}

/** With no other agent it is the last that is known; beside others it matters while it calls. */
function refusedState(
  { lastSeenAt, refused }: LocationSigns,
  now: EpochMillis,
): RefusedState | null {
  if (refused === null) return null;
  const isOnly = lastSeenAt === null || lastSeenAt <= refused.tokenEndedAt;
  const isRecent = between(refused.at, now) <= limits.heartbeatLostAfter;
  return isOnly || isRecent ? { ...refused, isOnly } : null;
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
