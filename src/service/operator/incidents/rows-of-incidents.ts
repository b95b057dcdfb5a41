import { groupIncidentsRead } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import * as serviceLimits from "#limits/service-limits";
import {
  askedOf,
  type IncidentCounts,
  readIncidents,
} from "#service/operator/incidents/incident-list";
import type { IncidentQuery } from "#service/operator/incidents/incident-query";
import { type ListedIncident, withSentences } from "#service/operator/incidents/opening-sentence";
import { openedMonitors } from "#service/operator/incidents/opened-monitors";
import { byCause, type CauseGroup } from "#service/operator/monitors/cause-groups";
import { namedNow } from "#service/operator/incidents/subject-now";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import type { NamedIncident } from "#service/store/alert-store";

/** Several open incidents for one cause, the newest first. */
export interface IncidentGroup {
  readonly kind: "cause";
  readonly cause: CauseGroup;
  readonly numbers: readonly number[];
  /** Who has acknowledged the newest of them. */
  readonly acknowledgedBy: readonly string[];
}

interface SingleIncident {
  readonly kind: "incident";
  readonly one: ListedIncident;
  /** Whether it is open still, but what it is about was deleted and can be put back. */
  readonly isDeleted: boolean;
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

/** Those of one cause are one row, at the place of the most urgent; the open ones come first, whenever they began. */
export async function incidentRows(
  rooms: PageRooms,
  query: IncidentQuery,
  picture: Picture,
): Promise<IncidentRows> {
  const { state, offset } = query;
  const limit = limits.incidentsListed;
  const open = await openRows(rooms, query, picture);
  const before = state === null ? Math.max(0, offset - open.count) : offset;
  const page = { limit: state === "open" ? 0 : limit, offset: before };
  // Those of what was deleted a moment ago stay in the list, which someone may be looking at.
  const over = await readIncidents(rooms, query, false, page, true);
  const singles = [...open.shown.filter(isSingle), ...(state === "open" ? [] : over.incidents)];
  const listed = namedNow(await withSentences(rooms, singles.slice(0, limit)), picture);
  const deleted = new Set(
    over.incidents.flatMap(({ incident }) => (incident.ended === null ? [incident.number] : [])),
  );
  const single = new Map(listed.map((one) => [one.incident.number, one]));
  const shown = [...open.shown, ...over.incidents].slice(0, limit);
  return {
    rows: shown.flatMap((row): readonly IncidentRow[] => {
      if (!isSingle(row)) return [row];
      const one = single.get(row.incident.number);
      if (one === undefined) return [];
      return [{ kind: "incident", one, isDeleted: deleted.has(one.incident.number) }];
    }),
    counts: { open: open.total, over: over.total },
    causes: open.count,
    matched: (state === "over" ? 0 : open.count) + (state === "open" ? 0 : over.total),
  };
}

type OpenRow = IncidentGroup | NamedIncident;

const isSingle = (row: OpenRow): row is NamedIncident => !("kind" in row);

/** A page of what is open. */
interface OpenRows {
  readonly shown: readonly OpenRow[];
  /** Rows on all pages, and incidents. */
  readonly count: number;
  readonly total: number;
}

/**
 * The store reads a page and counts the rest. Only if some have one cause, the numbers of all say which row stands where;
 * those that are over have no such rows, so a count is enough.
 */
async function openRows(
  rooms: PageRooms,
  query: IncidentQuery,
  picture: Picture,
): Promise<OpenRows> {
  const { state, offset, grouped } = query;
  const limit = state === "over" ? 0 : limits.incidentsListed;
  if (state === "over" || !grouped || !hasCauses(picture)) {
    const { incidents, total } = await readIncidents(rooms, query, true, { limit, offset });
    return { shown: incidents, count: total, total };
  }
  const all = { limit: serviceLimits.serviceMonitorsMax, offset: 0 };
  const numbers = await rooms.store.alerts.incidents.numbers(askedOf(query, true, all));
  const inRows = rowsOf(numbers, causesAmong(picture, numbers));
  const shown = await readRows(rooms, inRows.slice(offset, offset + limit));
  return { shown, count: inRows.length, total: numbers.length };
}

/** What is a row of a page is read, and of each group the newest few. */
async function readRows(
  { store }: PageRooms,
  rows: readonly NumberedRow[],
): Promise<readonly OpenRow[]> {
  const wanted = rows.flatMap((row) =>
    typeof row === "number" ? [row] : row.numbers.slice(0, groupIncidentsRead),
  );
  const named = await store.alerts.incidents.named(wanted);
  const known = new Map(named.map((one) => [one.incident.number, one]));
  return rows.flatMap((row): readonly OpenRow[] => {
    if (typeof row === "number") {
      const one = known.get(row);
      return one === undefined ? [] : [one];
    }
    const by = row.numbers.flatMap((one) => known.get(one)?.incident.acknowledged?.by ?? []);
    return [{ kind: "cause", ...row, acknowledgedBy: [...new Set(by)] }];
  });
}

/** Whether any have one cause: of those that a query finds there are no more. */
const hasCauses = (picture: Picture): boolean =>
  someCauses.getOrInsertComputed(picture, () =>
    byCause(openedMonitors(picture)).some(({ kind }) => kind === "cause"),
  );

/** A picture serves many looks. */
const someCauses = new WeakMap<Picture, boolean>();

/** The causes of one picture: pages of a list ask for the same ones while nothing changes. */
const causesOf = new WeakMap<Picture, { readonly open: string; readonly causes: Causes }>();
type Causes = readonly CauseGroup[];

function causesAmong(picture: Picture, numbers: readonly number[]): Causes {
  const open = numbers.join();
  const known = causesOf.get(picture);
  if (known?.open === open) return known.causes;
  const causes = byCause(monitorsAmong(picture, numbers)).filter((one) => one.kind === "cause");
  causesOf.set(picture, { open, causes });
  return causes;
}

/** A picture may be older than the end of an incident. */
function monitorsAmong(picture: Picture, numbers: readonly number[]): readonly PicturedMonitor[] {
  const open = new Set(numbers);
  return openedMonitors(picture).filter(
    ({ incident }) => incident !== null && open.has(incident.number),
  );
}

type NumberedRow = number | Pick<IncidentGroup, "cause" | "numbers">;

function rowsOf(numbers: readonly number[], causes: Causes): readonly NumberedRow[] {
  const causeOf = new Map(
    causes.flatMap((cause) =>
      cause.monitors.map(({ incident }) => [incident?.number ?? 0, cause] as const),
    ),
  );
  const rows = Map.groupBy(numbers, (number): CauseGroup | number => causeOf.get(number) ?? number);
  return [...rows].map(([cause, members]) =>
    typeof cause === "number"
      ? cause
      : { cause, numbers: members.toSorted((one, other) => other - one) },
  );
}
