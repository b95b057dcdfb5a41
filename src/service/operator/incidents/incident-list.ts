import { rangesIn } from "#service/alerts/number-ranges";
import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import type { IncidentQuery, IncidentState } from "#service/operator/incidents/incident-query";
import type { PageRooms } from "#service/operator/page-rooms";
import { type ListedIncident, withSentences } from "#service/operator/incidents/opening-sentence";
import type { Incidents, IncidentsQuery } from "#service/store/alert-store";
import { locationId } from "#service/store/ids";
import type { Page } from "#service/store/state-store";

export interface IncidentList {
  readonly incidents: readonly ListedIncident[];
  /** Of what the query finds, whatever its state. */
  readonly counts: IncidentCounts;
}

export type IncidentCounts = Readonly<Record<IncidentState, number>>;

/** Open ones come first, whenever they began, and of these what no one has acknowledged, and the worst. */
export async function incidentList(
  rooms: PageRooms,
  query: IncidentQuery,
  limit: number = limits.incidentsListed,
): Promise<IncidentList> {
  const { state, offset } = query;
  const open = await readIncidents(rooms, query, true, {
    limit,
    offset: state === "over" ? 0 : offset,
  });
  const shown = state === "over" ? [] : open.incidents;
  const before = state === null ? Math.max(0, offset - open.total) : offset;
  const over = await readIncidents(rooms, query, false, {
    limit,
    offset: state === "open" ? 0 : before,
  });
  const rest = state === "open" ? [] : over.incidents;
  return {
    incidents: await withSentences(rooms, [...shown, ...rest].slice(0, limit)),
    counts: { open: open.total, over: over.total },
  };
}

/** Open ones, the most urgent first, or those that are over, the newest first. */
export const readIncidents = (
  { store }: PageRooms,
  query: IncidentQuery,
  isOpen: boolean,
  page: Page,
  withDeleted = false,
): ReturnType<Incidents["list"]> =>
  store.alerts.incidents.list({ ...askedOf(query, isOpen, page), withDeleted });

/** The numbers of the open ones that no one has acknowledged, as many as one press is for. */
export async function waitingNumbers(
  { store }: PageRooms,
  query: IncidentQuery,
): Promise<readonly number[]> {
  if (query.state === "over") return [];
  const all = askedOf(query, true, { limit: acknowledgedTogetherMax, offset: 0 });
  return store.alerts.incidents.numbers({ ...all, waiting: true });
}

/** What is asked of the store for that. */
export const askedOf = (
  { monitor, location, numbers }: IncidentQuery,
  isOpen: boolean,
  page: Page,
): IncidentsQuery => ({
  isOpen,
  urgentFirst: isOpen,
  kind: monitor === null ? null : "monitor",
  subject: monitor,
  location: location === null ? null : locationId(location),
  cause: null,
  ...(numbers === null ? {} : { ranges: rangesIn(numbers.replaceAll("_", " ")) }),
  before: null,
  ...page,
});
