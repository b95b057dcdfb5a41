import type { TargetRules } from "#network/target-rules";
import type { Cause } from "#check/cause";
import type { KnownPath } from "#check/known-path";
import type { PlaceEvidence } from "#check/place-evidence";
import * as limits from "#limits/check-limits";
import { cutText } from "#base/text";
import type { Report } from "#wire/report";
import type { Assignment } from "#wire/read-assignment";
import type { EpochMillis, Millis, Nanos } from "#base/units";

/** The service as an agent sees it. Every call ends: with an answer, or with a ServiceError. */
export interface ControlPlane {
  /**
   * The assignment; `known` is the one that the caller runs, so that an unchanged one costs nothing, and a changed one
   * only what changed. What the pull before has brought is unchanged as well if it comes again.
   */
  pull(known: KnownAssignment | null, signal: AbortSignal): Promise<Pull>;
  /**
   * Hands results over, each monitor's in ascending slot order, and passes each receipt on as soon as it is known. A result
   * without a receipt is still ours: the call failed as a whole, or an older one has to go first.
   */
  report(reports: readonly Report[], onReceipt: OnReceipt, signal: AbortSignal): Promise<void>;
  /** Whether results go one call each, as far as is known: until the service has shown that it has a batch. */
  readonly reportsSingly: boolean;
  /** Null if the service knows no heartbeat. */
  heartbeat(beat: Beat, signal: AbortSignal): Promise<HeartbeatAnswer | null>;
}

interface KnownAssignment {
  readonly revision: string;
  /** What changed since then may come instead of the whole. */
  readonly takesChanges: boolean;
}

export type Pull = { readonly unchanged: true } | ({ readonly unchanged: false } & Assignment);

/** What became of one result. `retry` is for a service that failed: the result is still ours. */
export type Receipt =
  | { readonly outcome: "accepted" | "duplicate" }
  /** It was of a slot without a result: kept, or of no interest to this service. */
  | { readonly outcome: "noted" }
  /** `isUnassigned`: the location does not run its monitor any more, which is no fault of ours. */
  | { readonly outcome: "rejected"; readonly reason: string; readonly isUnassigned: boolean }
  | { readonly outcome: "retry"; readonly error: ServiceError };

export type OnReceipt = (report: Report, receipt: Receipt) => void;

/** How an agent is, once every half minute. */
export interface Beat {
  readonly startedAt: EpochMillis;
  readonly monitorCount: number;
  readonly checksRun: number;
  readonly resultsWaiting: number;
  readonly oldestWaitingAge: Millis;
  /** By the agent's clock. */
  readonly sentAt: EpochMillis;
  readonly missedSlots: number;
  /** Of those missed: because of the agent itself. */
  readonly missedSlotsOwn: number;
  /** Since the start, for whatever reason; those that the service rejected are counted apart. */
  readonly resultsGivenUp: number;
  readonly resultsGivenUpAge: number;
  readonly resultsGivenUpRoom: number;
  readonly resultsRejected: number;
  /** Of those rejected: of monitors that the location does not run any more. */
  readonly resultsUnassigned: number;
  /** Results so far whose figures are uncertain, and the largest error bar since the last beat. */
  readonly uncertainResults: number;
  readonly errorBarMax: Nanos;
  readonly revision: string | null;
  /** The agent takes no slot any more. */
  readonly leaving: boolean;
  /** Proven faults of the agent's own place. */
  readonly conditions: readonly BeatCondition[];
  /** What is broken there while every check still passes. */
  readonly warnings: readonly Cause[];
  /** The newest entry of the service's audit log that the agent knows; 0 if there is none. */
  readonly auditKnown: number;
  /** What is left out of the assignment or changed in it, as sentences without a full stop. */
  readonly remarks: readonly string[];
  /** What the operator of the agent lets targets be. */
  readonly targetRules: TargetRules;
  /** Paths that the service does not know yet as they are now. */
  readonly paths: readonly BeatPath[];
}

/** A path, and the monitors whose targets have it. */
export interface BeatPath {
  readonly path: KnownPath;
  readonly monitorIds: readonly string[];
}

interface BeatCondition {
  readonly cause: Cause;
  readonly state: "impaired" | "recovering";
  /** What the machine and its name servers say now. */
  readonly place: PlaceEvidence;
}

export interface HeartbeatAnswer {
  readonly serverTime: EpochMillis;
  readonly locationId: string;
  readonly locationName: string;
  /** The labels that an operator gave the location. */
  readonly locationMetadata: Readonly<Record<string, string>>;
  readonly revision: string | null;
  /** Null leaves the interval to the agent. */
  readonly nextHeartbeat: Millis | null;
  /** Null if the service shows no audit log. */
  readonly audit: AuditProof | null;
}

/** How far the service's audit log is, and that it continues from the entry that the heartbeat named. */
export interface AuditProof {
  readonly number: number;
  /** The head of the chain of hashes there; empty if there is none yet. */
  readonly chain: string;
  /** Of the entries behind the one that was named, up to `number`. */
  readonly hashes: readonly string[];
}

/** Why a call did not succeed, in words that say what follows from it. */
export type ServiceReason =
  /** 401: the token is not known. */
  | "unauthenticated"
  /** 403: the token may not do this. */
  | "forbidden"
  /** 400: this request will never be accepted. */
  | "rejected"
  /** 404: what it speaks of does not exist. */
  | "not_found"
  /** 429: later, perhaps after a time that was named. */
  | "rate_limited"
  /** The service does not take this result yet, e.g. while its clock and ours are apart. */
  | "not_yet"
  /** 404 or 501 on a call that older services do not have. */
  | "unsupported"
  /** 500: the service failed on this very request, and may forever. */
  | "internal"
  /** Another 5xx, or a connection that did not come about. */
  | "unavailable"
  /** The proxy that the service is reached through did not open the way. */
  | "proxy"
  /** The certificate of the service, or of its proxy, comes from an authority that is not trusted. */
  | "untrusted"
  /** They refuse our client certificate, or want one. */
  | "identity"
  /** No answer in time. */
  | "timeout"
  /** An answer that is not of this protocol. */
  | "garbage"
  /** An answer that is larger than any that an agent takes. */
  | "oversized"
  /** We gave the call up ourselves. */
  | "cancelled";

export class ServiceError extends Error {
  override readonly name = "ServiceError";
  readonly reason: ServiceReason;
  /** How long the service asked us to wait; null when it did not say. */
  readonly retryAfter: Millis | null;

  constructor(reason: ServiceReason, message: string, retryAfter: Millis | null = null) {
    // It goes into the log and onto the page, and another machine may have written it.
    super(cutText(message, limits.messageCharsMax));
    this.reason = reason;
    this.retryAfter = retryAfter;
  }
}

/** Whether the token itself is refused: then every call would be. */
export const refusesToken = ({ reason }: ServiceError): boolean =>
  reason === "unauthenticated" || reason === "forbidden";

/** Whether a failure means that the service cannot be reached, rather than that it did not like what it got. */
export function isUnreachable({ reason }: ServiceError): boolean {
  switch (reason) {
    case "unavailable":
    case "unsupported":
    case "timeout":
    case "proxy":
    case "untrusted":
    case "identity":
      return true;
    case "unauthenticated":
    case "forbidden":
    case "rejected":
    case "not_found":
    case "rate_limited":
    case "not_yet":
    case "internal":
    case "garbage":
    case "oversized":
    case "cancelled":
      return false;
  }
}
