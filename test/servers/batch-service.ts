import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  IngestBatchRequestSchema,
  IngestBatchResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import { type Answer, bytes } from "./control-plane-server.ts";

/** What a batch service has heard and taken, by `monitor@slot`. */
export interface Ledger {
  /** Every batch as it came. */
  readonly calls: (readonly string[])[];
  /** What was taken, in that order, each once. */
  readonly stored: string[];
  /** What came again after it was taken. */
  readonly duplicates: string[];
}

export const newLedger = (): Ledger => ({ calls: [], stored: [], duplicates: [] });

/**
 * An IngestBatch that keeps a ledger. `instead` sees each batch before anything is taken, and names what is answered
 * in place of receipts; null takes it.
 */
export const batches =
  (
    ledger: Ledger,
    instead: (batch: readonly string[], call: number) => Answer | null = () => null,
  ): Answer =>
  (request, response, body) => {
    const { results } = fromBinary(IngestBatchRequestSchema, body);
    const batch = results.map(
      ({ result }) => `${result.value?.monitorId}@${result.value?.cronTimestamp}`,
    );
    ledger.calls.push(batch);
    const answer = instead(batch, ledger.calls.length) ?? bytes(receipts(ledger, batch));
    answer(request, response, body);
  };

/** Takes a batch, and says so. */
export function receipts(ledger: Ledger, batch: readonly string[]): Uint8Array {
  const stored = new Set(ledger.stored);
  const told = batch.map((key) => {
    const known = stored.has(key);
    (known ? ledger.duplicates : ledger.stored).push(key);
    return { receipt: known ? Receipt.DUPLICATE : Receipt.ACCEPTED };
  });
  return toBinary(IngestBatchResponseSchema, create(IngestBatchResponseSchema, { receipts: told }));
}

/** Takes the batch, and loses the connection in the middle of the answer. */
export const halfAnswer =
  (ledger: Ledger, batch: readonly string[]): Answer =>
  (_request, response) => {
    const whole = receipts(ledger, batch);
    response.writeHead(200, {
      "content-type": "application/proto",
      "content-length": String(whole.byteLength),
    });
    response.write(whole.subarray(0, whole.byteLength >> 1), () => response.destroy());
  };
