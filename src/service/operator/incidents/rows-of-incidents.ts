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
  const { incidents: open, total } = await openIncidents(rooms, query);
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
    counts: { open: total, over: over.total },
    causes: state === "over" ? total : inRows.length,
    matched: (state === "over" ? 0 : inRows.length) + (state === "open" ? 0 : over.total),
  };
}

/** All of them, because rows of one cause are counted; those that are over have no such rows, so a count is enough. */
const openIncidents = (
  rooms: PageRooms,
  query: IncidentQuery,
): ReturnType<typeof readIncidents> => {
  const limit = query.state === "over" ? 0 : serviceLimits.serviceMonitorsMax;
  return readIncidents(rooms, query, true, { limit, offset: 0 });
};

/** The causes of one picture: pages of a list ask for the same ones while nothing changes. */
const causesOf = new WeakMap<Picture, { readonly open: string; readonly causes: Causes }>();
type Causes = readonly CauseGroup[];

function causesAmong(picture: Picture, all: readonly NamedIncident[]): Causes {
  const open = all.map(({ incident }) => incident.number).join();
  const known = causesOf.get(picture);
  if (known?.open === open) return known.causes;
  const causes = byCause(monitorsAmong(picture, all)).filter((one) => one.kind === "cause");
  causesOf.set(picture, { open, causes });
  return causes;
}

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
