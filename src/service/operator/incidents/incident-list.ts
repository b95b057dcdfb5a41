import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import type { IncidentQuery, IncidentState } from "#service/operator/incidents/incident-query";
import type { PageRooms } from "#service/operator/page-rooms";
import { type ListedIncident, withSentences } from "#service/operator/incidents/opening-sentence";
import type { Incidents } from "#service/store/alert-store";
import { locationId } from "#service/store/ids";
import type { Page } from "#service/store/state-store";

export interface IncidentList {
  readonly incidents: readonly ListedIncident[];
  /** Of what the query finds, whatever its state. */
  readonly counts: Readonly<Record<IncidentState, number>>;
}

/** Open ones come first, whenever they began. */
export async function incidentList(
  rooms: PageRooms,
  query: IncidentQuery,
  limit: number = limits.incidentsListed,
): Promise<IncidentList> {
  const { state, offset } = query;
  const open = await read(rooms, query, true, { limit, offset: state === "over" ? 0 : offset });
  const shown = state === "over" ? [] : open.incidents;
  const before = state === null ? Math.max(0, offset - open.total) : offset;
  const over = await read(rooms, query, false, { limit, offset: state === "open" ? 0 : before });
  const rest = state === "open" ? [] : over.incidents;
  return {
    incidents: await withSentences(rooms.store, [...shown, ...rest].slice(0, limit)),
    counts: { open: open.total, over: over.total },
  };
}

/** A list next to groups of open incidents: those in a group are on none of its pages. */
export interface UngroupedList extends IncidentList {
  /** How many are in a group, and so not in the list. */
  readonly groupedCount: number;
}

export async function ungroupedList(
  rooms: PageRooms,
  query: IncidentQuery,
  inGroups: ReadonlySet<number>,
): Promise<UngroupedList> {
  if (inGroups.size === 0) return { ...(await incidentList(rooms, query)), groupedCount: 0 };
  const { state, offset } = query;
  const limit = limits.incidentsListed;
  // As many as can be open: a monitor has one at a time.
  const open = await read(rooms, query, true, {
    limit: serviceLimits.serviceMonitorsMax,
    offset: 0,
  });
  const alone = open.incidents.filter(({ incident }) => !inGroups.has(incident.number));
  const before = state === "open" ? 0 : Math.max(0, offset - alone.length);
  const over = await read(rooms, query, false, { limit, offset: before });
  const shown = alone.slice(offset, offset + limit);
  const rest = state === "open" ? [] : over.incidents;
  return {
    incidents: await withSentences(rooms.store, [...shown, ...rest].slice(0, limit)),
    counts: { open: open.total, over: over.total },
    groupedCount: open.incidents.length - alone.length,
  };
}

const read = (
  { store }: PageRooms,
  { monitor, location }: IncidentQuery,
  isOpen: boolean,
  page: Page,
): ReturnType<Incidents["list"]> =>
  store.alerts.incidents.list({
    isOpen,
    kind: monitor === null ? null : "monitor",
    subject: monitor,
    location: location === null ? null : locationId(location),
    cause: null,
    before: null,
    ...page,
  });
