import { create, toBinary } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
  type CheckAttempt,
  type CheckCause,
  type CheckCertificate,
  type MissedSlots,
} from "#contract/private_location/v1/private_location_pb";
import type { CertificateSpan } from "#check/certificate-ending";
import { causeScopes, excuses } from "#check/cause";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import type { ArrivalBounds } from "#service/agents/agent-clocks";
import { because, Refusal } from "#service/edge/call-refusal";
import type { Excuse, MissedSlot, NewResult } from "#service/store/result-store";
import { echoesIn } from "#wire/read-echoes";
import { ownIn, phasesIn } from "#wire/read-phases";
import { epochMillis, type EpochMillis, hours, millis } from "#base/units";
import type { ResultStatus } from "#check/verdict";

/** A result as it came: the store knows the monitor by its integer, and what one result of it stands for. */
export interface IncomingResult extends Omit<NewResult, "monitor" | "period"> {
  readonly monitorId: string;
  /** The report that `detail` holds the bytes of. */
  readonly report: BatchResult;
}

/**
 * A result as it came, checked in the order in which the existing server checks: monitorId, latency, timestamp, then the
 * rest. One that lies ahead of `bounds` is refused: the monitor's status would not move before that instant has come. So
 * is one that is older than what is kept. Where the bounds are doubtful, both are to come again.
 */
export function readIncoming(batch: BatchResult, bounds: ArrivalBounds): IncomingResult {
  const { result, detail } = batch;
  if (result.case === undefined) throw new Refusal("invalid_argument", "result is empty");
  const request = result.value;
  const statusCode = result.case === "http" ? result.value.statusCode : 0n;
  refuseLongId(request.id);
  const failure = detail?.failure;
  const monitorId = required(request.monitorId);
  const latency = millis(within("latency", request.latency, 0, lastInstant));
  const last = epochMillis(arrived("timestamp", request.timestamp, 1, bounds));
  const slot = epochMillis(arrived("cronTimestamp", request.cronTimestamp, 0, bounds));
  return {
    monitorId,
    latency,
    startedAt: firstStart(detail?.attempts[0], slot, last),
    slot,
    status: statusOf(request.requestStatus),
    // RFC 9110 §15: three digits; 0 is none.
    statusCode: within("statusCode", statusCode, 0, 999),
    failure: failure === undefined ? null : { code: failure.code, phase: failure.phase },
    phases: phasesIn(batch),
    own: ownIn(batch),
    echoes: echoesIn(batch),
    attempts: detail?.attempts.length ?? 0,
    perhapsSlow: detail?.perhapsSlow ?? false,
    excuse: excuseIn(detail?.cause),
    certificate: certificateIn(detail?.tls?.certificate),
    trigger: "cron",
    report: batch,
    detail: {
      message: reasonOf(batch, request).slice(0, limits.resultMessageCharsMax),
      payload: payloadOf(batch),
    },
  };
}

/**
 * A check begins with its first attempt; `timestamp` is of its last one, as with the existing agents. An attempt outside
 * slot and timestamp was begun by a clock that was set meanwhile, so it is not believed.
 */
function firstStart(
  first: CheckAttempt | undefined,
  slot: EpochMillis,
  last: EpochMillis,
): EpochMillis {
  const at = Number(first?.startedAt ?? 0n);
  return at > 0 && at >= slot && at <= last ? epochMillis(at) : last;
}

/** Instants that no calendar has are not believed. */
function certificateIn(seen: CheckCertificate | undefined): CertificateSpan | null {
  const [begin, end] = [Number(seen?.validFrom ?? 0n), Number(seen?.validTo ?? 0n)];
  if (end <= 0 || end > lastInstant || begin < 0 || begin > end) return null;
  return { begin: epochMillis(begin), end: epochMillis(end) };
}

/** A slot of which nothing was learned, as it came. */
export interface IncomingGap extends Omit<MissedSlot, "monitor" | "period"> {
  readonly monitorId: string;
}

/** Null for what is not understood, or lies outside the bounds: nothing is lost by it but a reason. */
export function readMissed(
  { monitorId, from, cause }: MissedSlots,
  { latest, oldest }: ArrivalBounds,
): IncomingGap | null {
  const excuse = excuseIn(cause);
  if (excuse === null || monitorId === "") return null;
  if (from < BigInt(oldest) || from > BigInt(latest)) return null;
  return { monitorId, slot: epochMillis(Number(from)), excuse };
}

/** What is broken at the agent's own place, if that is proven; a cause of the target's excuses nothing. */
function excuseIn(cause: CheckCause | undefined): Excuse | null {
  const scope = causeScopes.find((one) => one === cause?.scope);
  if (cause === undefined || scope === undefined || cause.certainty !== "proven") return null;
  if (!excuses({ scope, certainty: "proven" })) return null;
  return {
    causeId: cause.causeId.slice(0, checkLimits.nameCharsMax),
    sentence: cause.sentence.slice(0, limits.resultMessageCharsMax),
  };
}

/** RFC 3339 ends with the year 9999; a later instant could be stored, but never shown. */
const lastInstant = Date.UTC(9999, 11, 31);

/** A plain call's request in the shape of a batch's, so that both are read and kept in one way. */
export const asBatch = (result: BatchResult["result"]): BatchResult =>
  create(BatchResultSchema, { result });

/** The plain calls have no reason for what is degraded; the extension has. */
const reasonOf = (
  { detail }: BatchResult,
  { message, requestStatus }: { readonly message: string; readonly requestStatus: string },
): string =>
  message === "" && requestStatus === "degraded" ? (detail?.remarks[0] ?? "") : message;

function required(monitorId: string): string {
  if (monitorId === "") throw new Refusal("invalid_argument", "monitorId is required");
  return monitorId;
}

function within(field: string, value: bigint, least: number, most: number): number {
  if (value < BigInt(least))
    throw new Refusal("invalid_argument", `${field} must be at least ${least}, not ${value}`);
  if (value > BigInt(most))
    throw new Refusal("invalid_argument", `${field} must be at most ${most}, not ${value}`);
  return Number(value);
}

function arrived(field: string, value: bigint, least: number, bounds: ArrivalBounds): number {
  const instant = within(field, value, least, lastInstant);
  if (instant > bounds.latest) {
    const seconds = Math.round((instant - bounds.latest + limits.resultAheadMax) / 1000);
    throw outside(`${field} lies ${seconds} s ahead of the service's clock`, bounds);
  }
  // A slot that is 0 has no name: the check was made on demand.
  if (instant < bounds.oldest && value > 0n) {
    const days = limits.resultsKeptFor / hours(24);
    throw outside(`${field} is older than the ${days} days for which results are kept`, bounds);
  }
  return instant;
}

/** Whoever has to come again with it keeps it. */
const outside = (fact: string, { isDoubtful }: ArrivalBounds): Refusal =>
  isDoubtful
    ? new Refusal(
        "unavailable",
        `${fact}, and no agent's clock agrees with the service's: set both clocks by NTP`,
        { ...because("CLOCKS_APART"), "retry-after": String(limits.clocksApartRetryAfter / 1000) },
      )
    : new Refusal("invalid_argument", `${fact}: check the clocks of both machines`);

function refuseLongId(id: string): void {
  if (id.length > limits.resultIdCharsMax)
    throw new Refusal(
      "invalid_argument",
      `id is longer than ${limits.resultIdCharsMax} characters`,
    );
}

function payloadOf(batch: BatchResult): Uint8Array {
  const payload = toBinary(BatchResultSchema, batch);
  if (payload.length > limits.resultBytesMax)
    throw new Refusal(
      "invalid_argument",
      `the result has ${payload.length} bytes, more than ${limits.resultBytesMax}`,
    );
  return payload;
}

function statusOf(word: string): ResultStatus {
  if (word === "success" || word === "degraded" || word === "error") return word;
  // The existing service's own agent says so of a ping that passed.
  if (word === "active") return "success";
  throw new Refusal(
    "invalid_argument",
    `requestStatus must be success, degraded or error, not "${word.slice(0, 32)}"`,
  );
}
