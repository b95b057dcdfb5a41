import * as limits from "#limits/pages-limits";
import { isOfServer } from "#check/failure";
import { serverOf as targetServer } from "#check/target-server";
import { causeIn } from "#service/alerting/snapshot";
import { pictureStates } from "#service/operator/overview-query";
import {
  listedStatus,
  type PicturedMonitor,
  type PicturedReason,
  type PicturedStatus,
} from "#service/operator/picture";

/** Monitors that fail in the same way, each at a location that another one fails at, too. */
export interface CauseGroup {
  readonly kind: "cause";
  readonly reason: PicturedReason;
  readonly status: PicturedStatus;
  /** All that see one of them fail so. */
  readonly places: readonly string[];
  readonly monitors: readonly PicturedMonitor[];
}

interface SingleMonitor {
  readonly kind: "monitor";
  readonly monitor: PicturedMonitor;
}

/**
 * What is one row on every page, and is acknowledged by one press: monitors that fail with one code in one phase, at
 * locations that they share; if servers answer so, by one answer of one server. Three are enough, and two of one server. In each state those come before monitors that fail
 * alone; else the order stays.
 */
export function byCause(
  monitors: readonly PicturedMonitor[],
): readonly (CauseGroup | SingleMonitor)[] {
  const groups = causesOf(monitors).filter(isGroup);
  const grouped = new Set(groups.flatMap((group) => group.monitors));
  const singles = monitors
    .filter((monitor) => !grouped.has(monitor))
    .map((monitor): SingleMonitor => ({ kind: "monitor", monitor }));
  return pictureStates.flatMap((state) => [
    ...groups.filter(({ status }) => status === state),
    ...singles.filter(({ monitor }) => listedStatus(monitor) === state),
  ]);
}

const isGroup = ({ monitors: [first, ...others] }: CauseGroup): boolean =>
  first !== undefined &&
  (others.length + 1 >= limits.causeMonitorsMin ||
    (others.length > 0 && others.every((one) => isAtServer(one, serverOf(first)))));

const isAtServer = (monitor: PicturedMonitor, server: string): boolean =>
  server !== "" && serverOf(monitor) === server;

/** Every cause, also of one monitor alone. */
function causesOf(monitors: readonly PicturedMonitor[]): readonly CauseGroup[] {
  const alike = Map.groupBy(monitors, failureOf);
  alike.delete(null);
  return [...alike.values()].flatMap(connected).flatMap(causeOf);
}

function causeOf(monitors: readonly PicturedMonitor[]): readonly CauseGroup[] {
  const [first] = monitors;
  if (first === undefined || first.reason === null) return [];
  const { reason, status } = first;
  const places = [...new Set(monitors.flatMap(placesOf))].toSorted();
  return [{ kind: "cause", reason, status, places, monitors }];
}

/** How it fails; null if it does not, or no one knows how. */
function failureOf(monitor: PicturedMonitor): string | null {
  const { reason, status } = monitor;
  // One that flaps would come and go in the group while a person reads it.
  if ((monitor.incident?.flapping ?? null) !== null) return null;
  if (status === "active" || status === "inactive" || reason === null || reason.code === "")
    return null;
  return JSON.stringify([status, reason.code, reason.phase, culpritOf(monitor, reason)]);
}

/** Whose fault it is, as its incident's cause has it: what a server answers is of its host and port, and of the status. */
function culpritOf(monitor: PicturedMonitor, { code, statusCode }: PicturedReason): string {
  if (!isOfServer(code)) return refusedBy(monitor);
  const kept = causeIn(monitor.incident?.cause ?? "");
  if (kept?.code === code && kept.whose?.is === "shared") return `by ${kept.whose.what}`;
  return `${targetServer(monitor.target)} ${statusCode}`;
}

/** Parts of those that fail alike: two are in one part if they, or others between them, share a location. */
function connected(alike: readonly PicturedMonitor[]): readonly (readonly PicturedMonitor[])[] {
  const joined = new Map<string, string>();
  const endOf = (place: string): string => {
    const next = joined.get(place);
    return next === undefined ? place : endOf(next);
  };
  for (const monitor of alike) {
    const [first = "", ...others] = placesOf(monitor).map(endOf);
    for (const other of others)
      if (endOf(other) !== endOf(first)) joined.set(endOf(other), endOf(first));
  }
  return [...Map.groupBy(alike, (monitor) => endOf(placesOf(monitor)[0] ?? "")).values()];
}

/**
 * A port where nothing listens says nothing of other servers; what goes wrong on the way may be one thing for many: then
 * it is empty.
 */
const refusedBy = (monitor: PicturedMonitor): string =>
  monitor.reason?.code === "connection_refused" ? serverOf(monitor) : "";

/** The address that its failure names, or else the host and port of its target. */
const serverOf = ({ reason, target }: PicturedMonitor): string =>
  refusedAddress(reason?.message ?? "") ?? targetServer(target);

/** The address in `Connection refused (10.0.0.1:5432)`; null if the sentence has none. */
export const refusedAddress = (sentence: string): string | null =>
  /\(([^()\s]+:\d+)\)/.exec(sentence)?.[1] ?? null;

/** The locations that see a monitor as it is said to be. */
export const placesOf = ({ seenBy, status }: PicturedMonitor): readonly string[] =>
  seenBy
    .filter(
      (one) => !one.stale && (status === "degraded" ? isBad(one.status) : one.status === status),
    )
    .map(({ name }) => name)
    .toSorted();

const isBad = (status: PicturedStatus): boolean => status === "error" || status === "degraded";
