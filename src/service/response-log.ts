import { fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type HTTPResponseLogDetailSchema,
  type HTTPResponseLogListItemSchema,
  HTTPResponseLogRequestStatus as WireStatus,
  HTTPResponseLogTrigger as WireTrigger,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  type BatchResult,
  BatchResultSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { ResultStatus } from "#check/verdict";
import { shownHeader } from "#check/shown-header";
import type { ResultWithPayload } from "#service/results";
import { epochMillis, type EpochMillis } from "#units";

/** A result as the public contract lists the responses of HTTP monitors. */
export function logItem(
  result: ResultWithPayload,
): MessageInitShape<typeof HTTPResponseLogListItemSchema> {
  const batch = messageOf(result.payload);
  const timing = timingOf(batch);
  return {
    id: `${result.locationId}-${result.slot}`,
    latency: result.latency,
    ...(result.statusCode === 0 ? {} : { statusCode: result.statusCode }),
    monitorId: result.monitorId,
    requestStatus: statuses[result.status],
    cronTimestamp: BigInt(result.slot),
    trigger:
      result.trigger === "api"
        ? WireTrigger.HTTP_RESPONSE_LOG_TRIGGER_API
        : WireTrigger.HTTP_RESPONSE_LOG_TRIGGER_CRON,
    timestamp: BigInt(result.startedAt),
    ...(timing === null ? {} : { timing }),
    privateLocationId: result.locationId,
  };
}

/** The same with what came back, credentials taken out. */
export function logDetail(
  result: ResultWithPayload,
  url: string,
): MessageInitShape<typeof HTTPResponseLogDetailSchema> {
  const batch = messageOf(result.payload);
  const request = batch?.result.case === "http" ? batch.result.value : null;
  const evaluations = batch?.detail?.evaluations ?? [];
  return {
    log: logItem(result),
    url: request?.url ?? url,
    error: result.status === "error",
    ...(result.message === "" ? {} : { message: result.message }),
    headers: redacted(request?.headers ?? ""),
    ...(evaluations.length === 0
      ? {}
      : {
          assertions: JSON.stringify(
            evaluations.map(({ kind, held, expected, received }) => ({
              kind,
              held,
              expected,
              received,
            })),
          ),
        }),
  };
}

/** The location and the slot that a log's id is made of; null for what is none. */
export function keyOfLog(
  id: string,
): { readonly locationId: string; readonly slot: EpochMillis } | null {
  const found = /^(.{1,64})-(\d{1,15})$/.exec(id);
  const [, locationId, slot] = found ?? [];
  if (locationId === undefined || slot === undefined) return null;
  return { locationId, slot: epochMillis(Number(slot)) };
}

const statuses: { readonly [S in ResultStatus]: WireStatus } = {
  success: WireStatus.HTTP_RESPONSE_LOG_REQUEST_STATUS_SUCCESS,
  degraded: WireStatus.HTTP_RESPONSE_LOG_REQUEST_STATUS_DEGRADED,
  error: WireStatus.HTTP_RESPONSE_LOG_REQUEST_STATUS_ERROR,
};

/** Null for what an older service stored otherwise. */
function messageOf(payload: Uint8Array): BatchResult | null {
  try {
    return fromBinary(BatchResultSchema, payload);
  } catch {
    return null;
  }
}

/** By the phases where the agent knows them, else by the ten instants of the wire. */
function timingOf(batch: BatchResult | null) {
  const phases = batch?.detail?.phases;
  if (phases !== undefined) {
    const ms = (...spans: readonly (bigint | undefined)[]): number =>
      Math.round(spans.reduce((sum, span) => sum + Number(span ?? 0n), 0) / 1e6);
    return {
      dns: ms(phases.dnsNs),
      connect: ms(phases.connectNs, phases.proxyNs),
      tls: ms(phases.tlsNs),
      ttfb: ms(phases.writeNs, phases.waitNs),
      transfer: ms(phases.receiveNs),
    };
  }
  if (batch?.result.case !== "http") return null;
  const marks = jsonObject(batch.result.value.timing);
  if (Object.keys(marks).length === 0) return null;
  const span = (name: string): number => {
    const elapsed = Number(marks[`${name}Done`]) - Number(marks[`${name}Start`]);
    return Number.isSafeInteger(elapsed) ? Math.min(Math.max(0, elapsed), 2 ** 31 - 1) : 0;
  };
  return {
    dns: span("dns"),
    connect: span("connect"),
    tls: span("tlsHandshake"),
    ttfb: span("firstByte"),
    transfer: span("transfer"),
  };
}

function redacted(headers: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(jsonObject(headers)).map(([name, value]) => [
      name,
      shownHeader(name, String(value)),
    ]),
  );
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
