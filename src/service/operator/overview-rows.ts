import * as limits from "#limits/pages-limits";
import { type OverviewQuery, pictureStates, type Sort } from "#service/operator/overview-query";
import { byCause } from "#service/operator/monitors/cause-groups";
import { nameOrder } from "#base/name-order";
import { statusWords } from "#service/operator/status-mark";
import type { Picture, PicturedMonitor, PicturedStatus } from "#service/operator/picture";

/** A monitor, or several that fail in the same way at the same places. */
export type OverviewRow = ReturnType<typeof byCause>[number];

export interface OverviewRows {
  /** Of all monitors, whatever was selected. */
  readonly counts: Readonly<Record<PicturedStatus, number>>;
  /** Of all monitors, those that notify no one. */
  readonly unheard: number;
  /** How many monitors the query finds, and in how many rows. */
  readonly matched: number;
  readonly rowsInAll: number;
  readonly rows: readonly OverviewRow[];
}

/** The monitors that a query asks for, in its order, `most` of them. */
export function overviewRows(
  { monitors }: Picture,
  query: OverviewQuery,
  most: number = limits.overviewMonitorsMax,
): OverviewRows {
  const counts = { error: 0, degraded: 0, unknown: 0, active: 0, inactive: 0 };
  for (const { status } of monitors) counts[status] += 1;
  const unheard = monitors.filter((one) => one.unheard).length;
  const matching = matchingMonitors(monitors, query).toSorted(
    (a, b) => orders[query.sort](a, b) || nameOrder(a.name, b.name) || a.id - b.id,
  );
  const isGrouped = query.grouped && query.sort === "urgency";
  const all = isGrouped ? byCause(matching) : matching.map(single);
  const rows = all.slice(query.offset, query.offset + most);
  return { counts, unheard, matched: matching.length, rowsInAll: all.length, rows };
}

/** All that a query finds, on every page of it. */
export const matchingMonitors = (
  monitors: readonly PicturedMonitor[],
  query: OverviewQuery,
): readonly PicturedMonitor[] => monitors.filter((monitor) => matches(monitor, query));

const single = (monitor: PicturedMonitor): OverviewRow => ({ kind: "monitor", monitor });

function matches(
  monitor: PicturedMonitor,
  { state, unheard, location, label, text }: OverviewQuery,
): boolean {
  if (unheard && !monitor.unheard) return false;
  if (state !== null && monitor.status !== state) return false;
  if (location !== null && !monitor.seenBy.some((one) => one.location === location)) return false;
  const labels = Object.entries(monitor.labels).map(([key, value]) => `${key}:${value}`);
  if (label !== "" && !labels.includes(label)) return false;
  if (text === "") return true;
  const wanted = text.toLowerCase();
  const { name, target, reason, status } = monitor;
  const texts = [name, target, statusWords[status], reason?.message ?? "", reason?.code ?? ""];
  return [...texts, ...labels].some((one) => one.toLowerCase().includes(wanted));
}

type Order = (a: PicturedMonitor, b: PicturedMonitor) => number;

const urgencyOf = ({ status }: PicturedMonitor): number => pictureStates.indexOf(status);
/** What has failed for the shortest time is newest to a person, so it comes first among those that fail. */
const orders: { readonly [S in Sort]: Order } = {
  urgency: (a, b) =>
    urgencyOf(a) - urgencyOf(b) || (isWell(a) ? 0 : (b.since ?? 0) - (a.since ?? 0)),
  name: () => 0,
  since: (a, b) => (b.since ?? 0) - (a.since ?? 0),
  latency: (a, b) => slownessOf(b) - slownessOf(a),
  uptime: (a, b) => downShareOf(b) - downShareOf(a),
};

const isWell = ({ status }: PicturedMonitor): boolean =>
  status === "active" || status === "inactive";

/** How many times the usual latency that of now is; a monitor without either is last. */
const slownessOf = ({ latency, usual }: PicturedMonitor): number =>
  latency === null ? -1 : latency / Math.max(1, usual ?? latency);

const downShareOf = ({ days }: PicturedMonitor): number => {
  const known = days.reduce((sum, day) => sum + day.known, 0);
  return known === 0 ? -1 : days.reduce((sum, day) => sum + day.down, 0) / known;
};
