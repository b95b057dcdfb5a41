import type { OpenTelemetryConfig } from "#contract/openstatus/monitor/v1/monitor_pb";
import type { DefinitionOf } from "#check/definition";
import type { Kind } from "#check/monitor";
import { openUrl } from "#check/target";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import type { EpochMillis } from "#base/units";
import { codecOf } from "#wire/kinds/codec-table";
import type { ManagedMessages } from "#wire/kinds/kind-codec";
import { type ManagedMonitor, managedOf } from "#wire/managed-monitor";
import { wireStatuses } from "#wire/monitor-status-words";

/** A stored monitor as the calls show it. */
export function shownMonitor(judged: JudgedMonitor, secrets: boolean): ManagedMonitor {
  const { definition } = judged.row;
  return managedOf(definition.kind, shownMessage(definition.kind, definition, judged, secrets));
}

/**
 * Without `secrets` it is cut as on the pages: URLs without user-info and query, no body, and no value of a header, be it
 * sent or expected. They are credentials more often than not.
 */
export function shownMessage<K extends Kind>(
  kind: K,
  definition: DefinitionOf<K>,
  { row, judgement, lastCheckedAt }: JudgedMonitor,
  secrets: boolean,
): ManagedMessages[K] {
  const { write, hideSecrets } = codecOf(kind).management;
  const message = Object.assign(write(definition), {
    id: String(row.id),
    status: wireStatuses[judgement.state.status],
    privateLocationIds: row.locations.map(String),
    createdAt: timeText(row.createdAt),
    updatedAt: timeText(row.updatedAt),
    lastCheckedAt: timeText(lastCheckedAt),
  });
  if (secrets) return message;
  const { openTelemetry: otel } = message;
  if (otel !== undefined) hideCollector(otel);
  hideSecrets(message);
  return message;
}

function hideCollector(otel: OpenTelemetryConfig): void {
  otel.endpoint = openUrl(otel.endpoint);
  for (const header of otel.headers) header.value = "";
}

/** RFC 3339; empty for what has not happened. */
export const timeText = (instant: EpochMillis | null): string =>
  instant === null ? "" : new Date(instant).toISOString();
