import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { Result } from "#check/result";
import { batchResult } from "#wire/write-result";
import type { EpochMillis } from "#units";

/** A result in the words of the wire: everything that the service receives of it, and nothing else. */
export interface Report {
  /** UUIDv7, one per result. */
  readonly id: string;
  readonly monitorId: string;
  readonly slot: EpochMillis;
  readonly message: BatchResult;
}

export const reportOf = (result: Result): Report => ({
  id: result.id,
  monitorId: result.monitorId,
  slot: result.slot,
  message: batchResult(result),
});

/** What a report says, in bytes; null for one that cannot be said on the wire at all. */
export function payloadOf({ message }: Report): Uint8Array | null {
  try {
    return toBinary(BatchResultSchema, message);
  } catch {
    return null;
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
