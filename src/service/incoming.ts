import { create, toBinary } from "@bufbuild/protobuf";
import {
  type BatchResult,
  BatchResultSchema,
  type IngestDNSRequest,
  type IngestHTTPRequest,
  type IngestTCPRequest,
} from "#contract/private_location/v1/private_location_pb";
import type { Kind } from "#monitor";
import { Refusal } from "#service/refusal";
import type { IncomingResult } from "#service/results";
import { epochMillis, millis } from "#units";
import type { ResultStatus } from "#verdict";

/** A result as it came, checked in the order of wire.md §4: monitorId, latency, timestamp, then the rest. */
export function readIncoming(batch: BatchResult): IncomingResult {
  const { result, detail } = batch;
  if (result.case === undefined) throw new Refusal("invalid_argument", "result is empty");
  const { kind, request, statusCode } = partsOf(result);
  return {
    id: request.id,
    monitorId: required(request.monitorId),
    latency: millis(atLeast("latency", request.latency, 0)),
    startedAt: epochMillis(atLeast("timestamp", request.timestamp, 1)),
    slot: epochMillis(atLeast("cronTimestamp", request.cronTimestamp, 0)),
    status: statusOf(request.requestStatus),
    kind,
    message: request.message,
    statusCode,
    failureCode: detail?.failure?.code ?? "",
    failurePhase: detail?.failure?.phase ?? "",
    payload: toBinary(BatchResultSchema, batch),
  };
}

/** A plain call's request in the shape of a batch's, so that both are read and kept in one way. */
export const asBatch = (result: BatchResult["result"]): BatchResult =>
  create(BatchResultSchema, { result });

interface Parts {
  readonly kind: Kind;
  readonly request: IngestHTTPRequest | IngestTCPRequest | IngestDNSRequest;
  readonly statusCode: number;
}

function partsOf(result: Exclude<BatchResult["result"], { case: undefined }>): Parts {
  switch (result.case) {
    case "http":
      return { kind: "http", request: result.value, statusCode: Number(result.value.statusCode) };
    case "tcp":
      return { kind: "tcp", request: result.value, statusCode: 0 };
    case "dns":
      return { kind: "dns", request: result.value, statusCode: 0 };
  }
}

function required(monitorId: string): string {
  if (monitorId === "") throw new Refusal("invalid_argument", "monitorId is required");
  return monitorId;
}

function atLeast(field: string, value: bigint, least: number): number {
  if (value < BigInt(least))
    throw new Refusal("invalid_argument", `${field} must be at least ${least}, not ${value}`);
  if (value > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Refusal("invalid_argument", `${field} is too large`);
  return Number(value);
}

function statusOf(word: string): ResultStatus {
  if (word === "success" || word === "degraded" || word === "error") return word;
  throw new Refusal(
    "invalid_argument",
    `requestStatus must be success, degraded or error, not "${word.slice(0, 32)}"`,
  );
}
