import * as limits from "#limits/pages-limits";
import { type OverviewQuery, pictureStates, type Sort } from "#service/operator/overview-query";
import { byCause } from "#service/operator/monitors/cause-groups";
import { nameOrder } from "#base/name-order";
import {
  type PlannedMonitors,
  plannedMonitors,
  type PlannedState,
} from "#service/operator/planned/planned-monitors";
import { matchingMonitors } from "#service/operator/pictures/monitor-search";
import {
  type ListedState,
  listedState,
  type Picture,
  type PicturedMonitor,
} from "#service/operator/picture";

/** A monitor, or several that fail in the same way at the same places. */
export type OverviewRow = ReturnType<typeof byCause>[number];

interface MonitorCounts {
  readonly counts: Readonly<Record<ListedState, number>>;
  /** Those that notify no one. */
  readonly unheard: number;
  /** Whether one that flaps is down now. */
  readonly flapsDown: boolean;
  /** Those about which nothing is sent, by why. */
  readonly planned: Readonly<Record<PlannedState, number>>;
}

/** With counts of all monitors, whatever was selected. */
export interface OverviewRows extends MonitorCounts {
  /** The same of what is searched for, whatever the state; null if nothing is. */
  readonly searched: MonitorCounts | null;
  /** How many monitors the query finds, and in how many rows. */
  readonly matched: number;
  readonly rowsInAll: number;
  /** All that the query finds, in its order, on every page of it. */
  readonly ordered: readonly PicturedMonitor[];
  readonly rows: readonly OverviewRow[];
}

/** The rows that a query asks for, in its order, `most` of them. */
export function overviewRows(
  picture: Picture,
  query: OverviewQuery,
  most: number = limits.overviewMonitorsMax,
): OverviewRows {
  const found = orderedMonitors(picture, query);
  const all = rowsOf(found.ordered, query);
  const rows = all.slice(query.offset, query.offset + most);
  return { ...found, rowsInAll: all.length, rows };
}

interface OverviewPart extends Omit<OverviewRows, "rows"> {
  /** Those of one page. */
  readonly shown: readonly PicturedMonitor[];
}

/** The same of a brief picture, without rows: what is alike of two monitors is known of those alone that are shown. */
export function overviewPart(picture: Picture, query: OverviewQuery, most: number): OverviewPart {
  const found = orderedMonitors(picture, query);
  const shown = found.ordered.slice(query.offset, query.offset + most);
  return { ...found, rowsInAll: found.ordered.length, shown };
}

function orderedMonitors(picture: Picture, query: OverviewQuery) {
  const planned = plannedMonitors(picture);
  const among = isSearch(query)
    ? matchingMonitors(picture, { ...query, state: null, unheard: false, planned: null })
    : null;
  const matching = (among ?? picture.monitors).filter((one) => isOfTile(one, query, planned));
  const ordered = picture.detail === "brief" ? briefly(matching, query) : sorted(matching, query);
  const searched = among === null ? null : countsOf(among, planned);
  return { ...countsOf(picture.monitors, planned), searched, matched: matching.length, ordered };
}

/** Whether it asks for some monitors, whatever their states are. */
const isSearch = ({ text, label, location }: OverviewQuery): boolean =>
  text !== "" || label !== "" || location !== null;

const isOfTile = (
  monitor: PicturedMonitor,
  { state, unheard, planned }: OverviewQuery,
  ids: PlannedMonitors,
): boolean =>
  (state === null || listedState(monitor) === state) &&
  (!unheard || monitor.unheard) &&
  (planned === null || ids[planned].has(monitor.id));

function countsOf(monitors: readonly PicturedMonitor[], ids: PlannedMonitors): MonitorCounts {
  const counts = {
    error: 0,
    flapping: 0,
    degraded: 0,
    unknown: 0,
    recovering: 0,
    active: 0,
    inactive: 0,
  };
  for (const monitor of monitors) counts[listedState(monitor)] += 1;
  const countIn = (some: ReadonlySet<number>): number =>
    some.size === 0 ? 0 : monitors.filter(({ id }) => some.has(id)).length;
  return {
    counts,
    flapsDown: monitors.some((one) => one.status === "error" && listedState(one) === "flapping"),
    unheard: monitors.filter((one) => one.unheard).length,
    planned: { silenced: countIn(ids.silenced), maintenance: countIn(ids.maintenance) },
  };
}

/** What fails for one cause is one row, if it is wanted so. */
export const rowsOf = (
  monitors: readonly PicturedMonitor[],
  { grouped, sort }: OverviewQuery,
): readonly OverviewRow[] =>
  grouped && sort === "urgency" ? byCause(monitors) : monitors.map(single);

const sorted = (
  monitors: readonly PicturedMonitor[],
  { sort }: OverviewQuery,
): readonly PicturedMonitor[] =>
  monitors.toSorted((a, b) => orders[sort](a, b) || nameOrder(a.name, b.name) || a.id - b.id);

/** They are in the order of their names: to compare 100,000 of those for each look would take a second. */
function briefly(
  monitors: readonly PicturedMonitor[],
  { sort }: OverviewQuery,
): readonly PicturedMonitor[] {
  if (sort !== "urgency") return sort === "name" ? monitors : monitors.toSorted(orders[sort]);
  const byState = Map.groupBy(monitors, listedState);
  return pictureStates.flatMap((state) => {
    const own = byState.get(state) ?? [];
    if (state !== "active" && state !== "inactive") return own.toSorted(orders.urgency);
    const open = own.filter(({ incident }) => incident !== null);
    return open.length === 0 ? own : [...open, ...own.filter(({ incident }) => incident === null)];
  });
}

const single = (monitor: PicturedMonitor): OverviewRow => ({ kind: "monitor", monitor });

type Order = (a: PicturedMonitor, b: PicturedMonitor) => number;

const urgencyOf = (monitor: PicturedMonitor): number => pictureStates.indexOf(listedState(monitor));
/**
 * What has failed for the shortest time is newest to a person, so it comes first among those that fail. The status of what
 * flaps is new all the time: that has the order of names.
 */
const orders: { readonly [S in Sort]: Order } = {
  urgency: (a, b) =>
    urgencyOf(a) - urgencyOf(b) ||
    openFirst(a, b) ||
    (isWell(a) || listedState(a) === "flapping" ? 0 : (b.since ?? 0) - (a.since ?? 0)),
  name: () => 0,
  since: (a, b) => (b.since ?? 0) - (a.since ?? 0),
  latency: (a, b) => slownessOf(b) - slownessOf(a),
  uptime: (a, b) => downShareOf(b) - downShareOf(a),
};

/** While an agent is silent, or an incident recovers, a monitor with an open incident is more urgent than one without. */
const openFirst: Order = (a, b) => Number(b.incident !== null) - Number(a.incident !== null);

const isWell = ({ status }: PicturedMonitor): boolean =>
  status === "active" || status === "inactive";

/** How many times the usual latency that of now is; a monitor without either is last. */
const slownessOf = ({ latency, usual }: PicturedMonitor): number =>
  latency === null ? -1 : latency / Math.max(1, usual ?? latency);

const downShareOf = ({ days }: PicturedMonitor): number => {
  const known = days.reduce((sum, day) => sum + day.known, 0);
  return known === 0 ? -1 : days.reduce((sum, day) => sum + day.down, 0) / known;
};
