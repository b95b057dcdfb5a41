import { thrownText } from "#base/text";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { WireType } from "@bufbuild/protobuf/wire";
import {
  type BatchResult,
  BatchResultSchema,
} from "#contract/private_location/v1/private_location_pb";
import { failure } from "#check/failure";
import type { Cause } from "#check/cause";
import type { Result } from "#check/result";
import type { ReportedAnswers } from "#check/verdict";
import { causeMessage } from "#wire/write-cause";
import type { ReportedEvidence } from "#wire/write-evidence";
import { resultBytes } from "#wire/write-result";
import { type EpochMillis, millis } from "#base/units";

/**
 * What became of a slot in the words of the wire: a result, or why nothing was learned. It is everything that the service
 * receives of it, and nothing else.
 */
export interface Report {
  /** UUIDv7, one per result. */
  readonly id: string;
  readonly monitorId: string;
  readonly slot: EpochMillis;
  /** A BatchResult in bytes: made once, then kept by the spool and sent to the service as it is. */
  readonly payload: Uint8Array;
}

/** With no evidence unless it is asked for: most failures repeat what the one before them has said. */
export const reportOf = (
  result: Result,
  evidence: ReportedEvidence = "none",
  answers: ReportedAnswers = "of failed checks",
): Report => ({
  id: result.id,
  monitorId: result.monitorId,
  slot: result.slot,
  payload: payloadOf(result, evidence, answers),
});

/** A slot of which nothing was learned, because this agent's own place was broken. */
export function missedReport(
  { id, monitorId, slot }: Pick<Report, "id" | "monitorId" | "slot">,
  cause: Cause,
): Report {
  const [from, to] = [BigInt(slot), BigInt(slot)];
  const missed = { monitorId, from, to, count: 1n, reason: "vantage", cause: causeMessage(cause) };
  const message = create(BatchResultSchema, { missed });
  return { id, monitorId, slot, payload: toBinary(BatchResultSchema, message) };
}

/** Whether a report is of a slot of which nothing was learned: the one field that it has stands first. */
export const isMissed = ({ payload }: Pick<Report, "payload">): boolean => payload[0] === missedTag;
const missedTag = (BatchResultSchema.field.missed.number << 3) | WireType.LengthDelimited;

/** The length and the bytes of its MissedSlots, as another message's field has them. */
export const missedField = ({ payload }: Pick<Report, "payload">): Uint8Array =>
  payload.subarray(1);

/** What the wire cannot carry is a fault of ours, and is reported as one: no slot is silent. */
function payloadOf(
  result: Result,
  evidence: ReportedEvidence,
  answers: ReportedAnswers,
): Uint8Array {
  try {
    return resultBytes(result, evidence, answers);
  } catch (error) {
    const why = thrownText(error);
    const fault = failure("agent_error", "agent", `The result could not be encoded: ${why}`);
    const stub = { status: "error", failure: fault, latency: millis(0), degradedAt: null } as const;
    const unseen = { outcome: null, evaluations: [], attempts: [] };
    return resultBytes({ ...result, ...stub, ...unseen });
  }
}

/** The message that a payload holds; null for bytes that are none. */
export function messageOf(payload: Uint8Array): BatchResult | null {
  try {
    return fromBinary(BatchResultSchema, payload);
  } catch {
    return null;
  }
}
