import * as limits from "#limits/incident-limits";
import { askedOf } from "#service/operator/incidents/incident-list";
import { anyIncident } from "#service/operator/incidents/incident-query";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";

/** The monitors that had the newest incidents, the newest first: those that a filter of incidents finds something for. */
export async function offeredMonitors(
  { store }: PageRooms,
  { monitors }: Picture,
): Promise<readonly PicturedMonitor[]> {
  const page = { limit: limits.incidentsReadForFilter, offset: 0 };
  const asked = { ...askedOf(anyIncident, true, page), isOpen: null, kind: "monitor" as const };
  const { incidents } = await store.alerts.incidents.list(asked);
  const ids = new Set<number>(incidents.map(({ incident }) => incident.subject.id));
  const known = new Map<number, PicturedMonitor>(monitors.map((one) => [one.id, one]));
  return [...ids].flatMap((id) => known.get(id) ?? []).slice(0, limits.monitorsOfFilterMax);
}
