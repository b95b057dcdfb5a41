import { locationStatusWord } from "#cli/management/inventory";
import { type Management, summarizeLocation } from "#cli/management/management";
import type { LocationState } from "#cli/up/up-view";

/** What the service knows of a location and the results of its monitors; written as it is by `picket up --json`. */
export interface LocationReport {
  readonly location: {
    readonly status: string;
    /** RFC 3339, null when no agent was ever seen. */
    readonly last_seen_at: string | null;
    readonly monitor_count: number;
  };
  readonly results: {
    readonly total: number;
    readonly success: number;
    readonly degraded: number;
    readonly error: number;
  };
  readonly monitors: readonly {
    readonly id: string;
    readonly kind: string;
    readonly name: string;
    readonly status: string;
    readonly results: number;
  }[];
}

/**
 * Asks the service after the agent has stopped; monitors that the location no longer runs are left out. `seen` is the
 * location as it was while the agent ran: once that is gone it is an error, and no monitor's status is known.
 */
export async function readBack(
  management: Management,
  locationId: string,
  seen: LocationState,
  signal: AbortSignal,
): Promise<LocationReport> {
  const location = await getLocation(management, locationId, signal);
  const summary = await summarizeLocation(management, locationId, signal);
  const assigned = new Set(location.monitorIds);
  const monitors = summary.filter(({ monitorId }) => assigned.has(monitorId));
  const sum = (count: (monitor: (typeof monitors)[number]) => bigint): number =>
    monitors.reduce((total, monitor) => total + Number(count(monitor)), 0);
  return {
    location: {
      status: seen.status,
      last_seen_at: location.lastSeenAt || null,
      monitor_count: location.monitorIds.length,
    },
    results: {
      total: sum(({ total }) => total),
      success: sum(({ success }) => success),
      degraded: sum(({ degraded }) => degraded),
      error: sum(({ error }) => error),
    },
    monitors: monitors.map(({ monitorId, kind, name, lastSeenStatus, total }) => ({
      id: monitorId,
      kind,
      name,
      status: lastSeenStatus,
      results: Number(total),
    })),
  };
}

/** The location's status and when it was last seen, as the live view shows them. */
export async function readLocation(
  management: Management,
  locationId: string,
  signal: AbortSignal,
): Promise<LocationState> {
  const location = await getLocation(management, locationId, signal);
  return { status: locationStatusWord(location.status), lastSeenAt: location.lastSeenAt || null };
}

async function getLocation({ locations }: Management, id: string, signal: AbortSignal) {
  const { privateLocation } = await locations.getPrivateLocation({ id }, { signal });
  if (privateLocation === undefined) throw new Error("the service answered without a location");
  return privateLocation;
}
