import { create } from "@bufbuild/protobuf";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type GRPCMonitor,
  GRPCMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type ICMPMonitor,
  ICMPMonitorSchema,
  type OpenTelemetryConfig,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { openUrl } from "#check/target";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import type { EpochMillis } from "#base/units";
import { monitorArguments } from "#wire/monitor-message";
import { wireStatuses } from "#wire/monitor-status-words";

/** A stored monitor as the calls show it: a case of the contract's MonitorConfig. */
export type ShownMonitor =
  | { readonly case: "http"; readonly value: HTTPMonitor }
  | { readonly case: "tcp"; readonly value: TCPMonitor }
  | { readonly case: "dns"; readonly value: DNSMonitor }
  | { readonly case: "icmp"; readonly value: ICMPMonitor }
  | { readonly case: "grpc"; readonly value: GRPCMonitor };

/**
 * Without `secrets` it is cut as on the pages: URLs without user-info and query, no body, and no value of a header, be it
 * sent or expected. They are credentials more often than not.
 */
export function shownMonitor(judged: JudgedMonitor, secrets: boolean): ShownMonitor {
  const shown = caseOf(judged);
  if (secrets) return shown;
  const { openTelemetry: otel } = shown.value;
  if (otel !== undefined) hideCollector(otel);
  if (shown.case === "http") hideRequest(shown.value);
  if (shown.case === "grpc") for (const entry of shown.value.metadata) entry.value = "";
  return shown;
}

function hideCollector(otel: OpenTelemetryConfig): void {
  otel.endpoint = openUrl(otel.endpoint);
  for (const header of otel.headers) header.value = "";
}

function hideRequest(monitor: HTTPMonitor): void {
  monitor.url = openUrl(monitor.url);
  monitor.body = "";
  for (const header of monitor.headers) header.value = "";
  for (const assertion of monitor.headerAssertions) assertion.target = "";
}

function caseOf({ row, judgement, lastCheckedAt }: JudgedMonitor): ShownMonitor {
  const { kind, fields } = monitorArguments(row.definition);
  const facts = {
    id: String(row.id),
    status: wireStatuses[judgement.state.status],
    privateLocationIds: row.locations.map(String),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
    lastCheckedAt: timeText(lastCheckedAt),
  };
  switch (kind) {
    case "http":
      return { case: "http", value: Object.assign(create(HTTPMonitorSchema, fields), facts) };
    case "tcp":
      return { case: "tcp", value: Object.assign(create(TCPMonitorSchema, fields), facts) };
    case "dns":
      return { case: "dns", value: Object.assign(create(DNSMonitorSchema, fields), facts) };
    case "icmp":
      return { case: "icmp", value: Object.assign(create(ICMPMonitorSchema, fields), facts) };
    case "grpc":
      return { case: "grpc", value: Object.assign(create(GRPCMonitorSchema, fields), facts) };
  }
}

/** RFC 3339; empty for what has not happened. */
export const timeText = (instant: EpochMillis | null): string =>
  instant === null ? "" : new Date(instant).toISOString();
