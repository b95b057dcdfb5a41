import { create } from "@bufbuild/protobuf";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type Headers,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type OpenTelemetryConfig,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { JudgedMonitor } from "#service/judge/judged-monitor";
import type { EpochMillis } from "#units";
import { monitorArguments, wireStatuses } from "#wire/monitor-message";

/** A stored monitor as the calls show it: a case of the contract's MonitorConfig. */
export type ShownMonitor =
  | { readonly case: "http"; readonly value: HTTPMonitor }
  | { readonly case: "tcp"; readonly value: TCPMonitor }
  | { readonly case: "dns"; readonly value: DNSMonitor };

/** Without `secrets`, values of headers are empty: they are credentials more often than not. */
export function shownMonitor(judged: JudgedMonitor, secrets: boolean): ShownMonitor {
  const shown = caseOf(judged);
  if (secrets) return shown;
  hide(shown.value.openTelemetry);
  if (shown.case === "http") hide(shown.value);
  return shown;
}

function hide(holder: Pick<HTTPMonitor | OpenTelemetryConfig, "headers"> | undefined): void {
  const headers: readonly Headers[] = holder?.headers ?? [];
  for (const header of headers) header.value = "";
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
  }
}

/** RFC 3339; empty for what has not happened. */
export const timeText = (instant: EpochMillis | null): string =>
  instant === null ? "" : new Date(instant).toISOString();
