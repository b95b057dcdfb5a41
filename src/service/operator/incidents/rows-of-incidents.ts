import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import { type IncidentCounts, readIncidents } from "#service/operator/incidents/incident-list";
import type { IncidentQuery } from "#service/operator/incidents/incident-query";
import { type ListedIncident, withSentences } from "#service/operator/incidents/opening-sentence";
import { openedMonitors } from "#service/operator/incidents/opened-monitors";
import { byCause, type CauseGroup } from "#service/operator/monitors/cause-groups";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { NamedIncident } from "#service/store/alert-store";

/** Several open incidents for one cause, the newest first. */
export interface IncidentGroup {
  readonly kind: "cause";
  readonly cause: CauseGroup;
  readonly incidents: readonly NamedIncident[];
}

interface SingleIncident {
  readonly kind: "incident";
  readonly one: ListedIncident;
}

export type IncidentRow = IncidentGroup | SingleIncident;

/** A page of the list: its rows, and how many there are of what. */
export interface IncidentRows {
  readonly rows: readonly IncidentRow[];
  /** Of incidents that the query finds, whatever its state. */
  readonly counts: IncidentCounts;
  /** Rows of those that are open. */
  readonly causes: number;
  /** Rows of the query, on all of its pages. */
  readonly matched: number;
}

/** Those of one cause are one row, at the place of the newest; the open ones come first, whenever they began. */
export async function incidentRows(
  rooms: PageRooms,
  query: IncidentQuery,
  picture: Picture,
): Promise<IncidentRows> {
  const { state, offset } = query;
  const limit = limits.incidentsListed;
  const open = await openIncidents(rooms, query);
  const inRows = rowsOf(open, query.grouped ? causesAmong(picture, open) : []);
  const before = state === null ? Math.max(0, offset - inRows.length) : offset;
  const over = await readIncidents(rooms, query, false, {
    limit,
    offset: state === "open" ? 0 : before,
  });
  const shown: readonly OpenRow[] = [
    ...(state === "over" ? [] : inRows.slice(offset, offset + limit)),
    ...(state === "open" ? [] : over.incidents),
  ].slice(0, limit);
  const listed = await withSentences(
    rooms.store,
    shown.flatMap((row) => (isGroup(row) ? [] : [row])),
  );
  const single = new Map(listed.map((one) => [one.incident.number, one]));
  return {
    rows: shown.flatMap((row): readonly IncidentRow[] => {
      if (isGroup(row)) return [row];
      const one = single.get(row.incident.number);
      return one === undefined ? [] : [{ kind: "incident", one }];
    }),
    counts: { open: open.length, over: over.total },
    causes: inRows.length,
    matched: (state === "over" ? 0 : inRows.length) + (state === "open" ? 0 : over.total),
  };
}

/** Monitors that the list shows as failing now, if the query is of some alone. */
export async function monitorsOfQuery(
  rooms: PageRooms,
  query: IncidentQuery,
  picture: Picture,
): Promise<readonly PicturedMonitor[]> {
  return monitorsAmong(picture, await openIncidents(rooms, query));
}

/** As many as can be open: a monitor has one at a time. */
const openIncidents = async (
  rooms: PageRooms,
  query: IncidentQuery,
): Promise<readonly NamedIncident[]> => {
  const page = { limit: serviceLimits.serviceMonitorsMax, offset: 0 };
  return (await readIncidents(rooms, query, true, page)).incidents;
};

const causesAmong = (picture: Picture, open: readonly NamedIncident[]): readonly CauseGroup[] =>
  byCause(monitorsAmong(picture, open)).filter((one) => one.kind === "cause");

/** A picture may be older than the end of an incident. */
function monitorsAmong(
  picture: Picture,
  open: readonly NamedIncident[],
): readonly PicturedMonitor[] {
  const numbers = new Set(open.map(({ incident }) => incident.number));
  return openedMonitors(picture).filter(
    ({ incident }) => incident !== null && numbers.has(incident.number),
  );
}

type OpenRow = IncidentGroup | NamedIncident;

const isGroup = (row: OpenRow): row is IncidentGroup => "kind" in row;

function rowsOf(open: readonly NamedIncident[], causes: readonly CauseGroup[]): readonly OpenRow[] {
  const causeOf = new Map(
    causes.flatMap((cause) =>
      cause.monitors.map(({ incident }) => [incident?.number ?? 0, cause] as const),
    ),
  );
  const rows = Map.groupBy(
    open,
    ({ incident: { number } }): CauseGroup | number => causeOf.get(number) ?? number,
  );
  return [...rows].flatMap(([cause, incidents]): readonly OpenRow[] =>
    typeof cause === "number" ? incidents : [{ kind: "cause", cause, incidents }],
  );
}
