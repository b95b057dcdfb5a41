import { cautionOf } from "#check/kinds/kind-table";
import { type FlappingMonitors, flappingMonitors } from "#cli/management/flapping-monitors";
import {
  listLocations,
  listMonitors,
  listMonitorStates,
  type Management,
} from "#cli/management/management";
import { type ManagedMonitor, managedDefinition } from "#wire/managed-monitor";
import {
  type PrivateLocationSummary,
  PrivateLocationStatus,
} from "#contract/openstatus/private_location/v1/private_location_pb";
import type { MonitorState } from "#contract/picket/v1/monitor_state_pb";
import { type Kind, kinds } from "#check/monitor";
import { type MonitorStatus, monitorStatuses } from "#check/monitor-status";
import { showUrl } from "#check/target";
import { statusOfWire } from "#wire/monitor-status-words";

/** What a service has: its monitors and its private locations. */
export interface Inventory {
  readonly monitors: readonly MonitorEntry[];
  readonly locations: readonly LocationEntry[];
  readonly flapping: FlappingMonitors;
}

export interface MonitorEntry {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  /** Without query and user-info. */
  readonly target: string;
  /** What everyone has to know wherever the target is shown; empty: nothing. */
  readonly caution: string;
  readonly active: boolean;
  readonly status: MonitorStatus;
  readonly locationIds: readonly string[];
}

/** The target, and what everyone has to know of it. */
export const markedTarget = ({ target, caution }: MonitorEntry): string =>
  caution === "" ? target : `${target}, ${caution}`;

export interface LocationEntry {
  readonly id: string;
  readonly name: string;
  readonly status: "active" | "error" | "unknown";
  /** Why it is not active; empty if it is. */
  readonly why: string;
  /** RFC 3339; empty when no agent has ever reported. */
  readonly lastSeenAt: string;
  readonly monitorCount: number;
}

export async function readInventory(
  management: Management,
  signal: AbortSignal,
): Promise<Inventory> {
  const [monitors, locations, flapping] = await Promise.all([
    monitorEntries(management, signal),
    locationEntries(management, signal),
    flappingMonitors(management, signal),
  ]);
  return { monitors, locations, flapping };
}

/** In the order of kinds, and of ids in each; a service that has no call for how all monitors stand is asked for lists. */
export async function monitorEntries(
  management: Management,
  signal: AbortSignal,
): Promise<readonly MonitorEntry[]> {
  const states = await listMonitorStates(management, signal);
  const entries =
    states === null
      ? (await listMonitors(management, signal)).map(monitorEntry)
      : states.flatMap(stateEntry);
  return entries.toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

export const locationEntries = async (
  management: Management,
  signal: AbortSignal,
): Promise<readonly LocationEntry[]> =>
  (await listLocations(management, signal)).map(locationEntry);

/** None if it is of a kind that is not known here. */
function stateEntry(state: MonitorState): readonly MonitorEntry[] {
  const { id, name, target, caution, active } = state;
  const kind = kinds.find((one) => one === state.kind);
  const status = monitorStatuses.find((one) => one === state.status) ?? "unknown";
  const locationIds = state.privateLocationIds;
  return kind === undefined
    ? []
    : [{ id, name, kind, target, caution, active, status, locationIds }];
}

const monitorEntry = (monitor: ManagedMonitor): MonitorEntry => ({
  id: monitor.message.id,
  name: monitor.message.name,
  kind: monitor.kind,
  target: monitor.kind === "http" ? showUrl(monitor.message.url) : monitor.message.uri,
  caution: cautionOf(monitor.kind, managedDefinition(monitor)),
  active: monitor.message.active ?? false,
  status: statusOfWire(monitor.message.status),
  locationIds: monitor.message.privateLocationIds,
});

const locationEntry = (location: PrivateLocationSummary): LocationEntry => ({
  id: location.id,
  name: location.name,
  status: locationStatusWord(location.status),
  why: location.statusMessage,
  lastSeenAt: location.lastSeenAt,
  monitorCount: location.monitorCount,
});

export function locationStatusWord(status: PrivateLocationStatus): LocationEntry["status"] {
  switch (status) {
    case PrivateLocationStatus.ACTIVE:
      return "active";
    case PrivateLocationStatus.ERROR:
      return "error";
    case PrivateLocationStatus.UNSPECIFIED:
      return "unknown";
  }
}
