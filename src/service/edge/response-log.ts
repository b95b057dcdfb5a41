import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  type HTTPResponseLogDetailSchema,
  type HTTPResponseLogListItemSchema,
  HTTPResponseLogRequestStatus as WireStatus,
  HTTPResponseLogTrigger as WireTrigger,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { type PhaseName, phaseNames, type Phases } from "#check/outcome";
import type { ResultStatus } from "#check/verdict";
import type { CheckEvaluation } from "#contract/private_location/v1/private_location_pb";
import { openSides } from "#check/shown-evaluation";
import { openUrl } from "#check/target";
import type { ResultWithDetail, StoredResult } from "#service/store/result-store";
import { epochMillis, type EpochMillis } from "#base/units";
import { messageOf } from "#wire/report";

/** An id that is made of the result's key within its monitor. */
export const idOfResult = ({ location, slot }: Pick<StoredResult, "location" | "slot">): string =>
  `${location}-${slot}`;

/** A result as the public contract lists the responses of HTTP monitors. */
export function logItem(
  result: StoredResult,
): MessageInitShape<typeof HTTPResponseLogListItemSchema> {
  const timing = timingOf(result.phases);
  return {
    id: idOfResult(result),
    latency: result.latency,
    ...(result.statusCode === 0 ? {} : { statusCode: result.statusCode }),
    monitorId: String(result.monitor),
    requestStatus: statuses[result.status],
    cronTimestamp: BigInt(result.slot),
    trigger:
      result.trigger === "api"
        ? WireTrigger.HTTP_RESPONSE_LOG_TRIGGER_API
        : WireTrigger.HTTP_RESPONSE_LOG_TRIGGER_CRON,
    timestamp: BigInt(result.startedAt),
    ...(timing === null ? {} : { timing }),
    privateLocationId: String(result.location),
  };
}

/** What a caller gets of a log. */
interface ShownLog {
  /** The monitor's, for a check of which no details are kept. */
  readonly url: string;
  readonly secrets: boolean;
  /** The headers in a report without credentials. */
  readonly headersOf: (reported: string) => Record<string, string>;
}

/** The same with what came back, credentials taken out; without `secrets`, what the pages do not show, either. */
export function logDetail(
  result: ResultWithDetail,
  { url, secrets, headersOf }: ShownLog,
): MessageInitShape<typeof HTTPResponseLogDetailSchema> {
  const batch = result.detail === null ? null : messageOf(result.detail.payload);
  const message = result.detail?.message ?? "";
  const request = batch?.result.case === "http" ? batch.result.value : null;
  const evaluations = (batch?.detail?.evaluations ?? []).map((one) => judgedOf(one, secrets));
  const asked = request?.url ?? url;
  return {
    log: logItem(result),
    url: secrets ? asked : openUrl(asked),
    error: result.status === "error",
    ...(message === "" ? {} : { message }),
    headers: headersOf(request?.headers ?? ""),
    ...(evaluations.length === 0
      ? {}
      : {
          assertions: JSON.stringify(evaluations),
        }),
  };
}

function judgedOf({ kind, held, expected, received }: CheckEvaluation, secrets: boolean) {
  const sides = { expected, received };
  const shown = secrets ? sides : openSides(kind, sides);
  return { kind, held, expected: shown.expected ?? "", received: shown.received ?? "" };
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

/** Whole milliseconds; null if the agent did not say how long anything took. */
function timingOf(phases: Phases) {
  if (phaseNames.every((name) => phases[name] === null)) return null;
  const ms = (...names: readonly PhaseName[]): number =>
    Math.round(names.reduce((sum, name) => sum + (phases[name] ?? 0), 0) / 1e6);
  return {
    dns: ms("dns"),
    connect: ms("connect", "proxy"),
    tls: ms("tls"),
    ttfb: ms("write", "wait"),
    transfer: ms("receive"),
  };
}
