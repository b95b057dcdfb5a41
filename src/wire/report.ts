import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
} from "#contract/private_location/v1/private_location_pb";
import { failure } from "#check/failure";
import type { Result } from "#check/result";
import { batchResult } from "#wire/write-result";
import { type EpochMillis, millis } from "#units";

/** A result in the words of the wire: everything that the service receives of it, and nothing else. */
export interface Report {
  /** UUIDv7, one per result. */
  readonly id: string;
  readonly monitorId: string;
  readonly slot: EpochMillis;
  /** A BatchResult in bytes: made once, then kept by the spool and sent to the service as it is. */
  readonly payload: Uint8Array;
}

export const reportOf = (result: Result): Report => ({
  id: result.id,
  monitorId: result.monitorId,
  slot: result.slot,
  payload: payloadOf(result),
});

/** What the wire cannot carry is a fault of ours, and is reported as one: no slot is silent. */
function payloadOf(result: Result): Uint8Array {
  try {
    return toBinary(BatchResultSchema, batchResult(result));
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    const fault = failure("agent_error", "agent", `The result could not be encoded: ${why}`);
    const stub = { status: "error", failure: fault, latency: millis(0), degradedAt: null } as const;
    const unseen = { outcome: null, evaluations: [], attempts: [] };
    return toBinary(BatchResultSchema, batchResult({ ...result, ...stub, ...unseen }));
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
