import * as limits from "#limits/pages-limits";
import { parsedJson } from "#base/json";
import { pictureStates } from "#service/operator/overview-query";
import type { PicturedMonitor, PicturedReason, PicturedStatus } from "#service/operator/picture";

/** Monitors that fail in the same way at the same locations. */
export interface CauseGroup {
  readonly kind: "cause";
  /** The same for every monitor in it, and for no other. */
  readonly key: string;
  readonly reason: PicturedReason;
  readonly status: PicturedStatus;
  readonly places: readonly string[];
  readonly monitors: readonly PicturedMonitor[];
}

interface SingleMonitor {
  readonly kind: "monitor";
  readonly monitor: PicturedMonitor;
}

/**
 * Three or more that fail with one code in one phase at the same locations are one row. In each state those come before
 * monitors that fail alone; else the order stays.
 */
export function byCause(
  monitors: readonly PicturedMonitor[],
): readonly (CauseGroup | SingleMonitor)[] {
  const causes = Map.groupBy(monitors, causeOf);
  const groups: CauseGroup[] = [];
  for (const [cause, alike] of causes) {
    const [first] = alike;
    if (cause === null || first === undefined || alike.length < limits.causeMonitorsMin) continue;
    const { status, reason } = first;
    if (reason === null) continue;
    groups.push({
      kind: "cause",
      key: cause,
      reason,
      status,
      places: placesOf(first),
      monitors: alike,
    });
  }
  const grouped = new Set(groups.flatMap((group) => group.monitors));
  const singles = monitors
    .filter((monitor) => !grouped.has(monitor))
    .map((monitor): SingleMonitor => ({ kind: "monitor", monitor }));
  return pictureStates.flatMap((state) => [
    ...groups.filter(({ status }) => status === state),
    ...singles.filter(({ monitor }) => monitor.status === state),
  ]);
}

function causeOf(monitor: PicturedMonitor): string | null {
  const { reason, status } = monitor;
  if (status === "active" || status === "inactive" || reason === null || reason.code === "")
    return null;
  const address = addressOf(reason);
  if (address === null) return null;
  return JSON.stringify([status, reason.code, reason.phase, address, placesOf(monitor)]);
}

/** How a monitor fails now, compared with a cause that a page showed before. */
type Likeness = "same" | "elsewhere" | "another";

/**
 * Says of a monitor whether it fails for the cause of a key. An outage spreads and shrinks while a person reads of it: it
 * is the same one if it fails alike at one of the locations, whatever others see. Null for what is no key.
 */
export function causeOfKey(key: string): ((monitor: PicturedMonitor) => Likeness) | null {
  const parts = parsedJson(key);
  const [, code, phase, address, places]: readonly unknown[] = Array.isArray(parts) ? parts : [];
  if (!Array.isArray(places)) return null;
  return (monitor) => {
    const { reason } = monitor;
    if (reason === null || reason.code !== code || reason.phase !== phase) return "another";
    const own = addressOf(reason);
    if (own === null || own !== address) return "another";
    const seen = placesOf(monitor);
    const isNowhere = seen.length === 0 && places.length === 0;
    return isNowhere || seen.some((place) => places.includes(place)) ? "same" : "elsewhere";
  };
}

/**
 * A port where nothing listens says nothing of other servers; what goes wrong on the way may be one thing for many. Null
 * for a refused connection whose server is not known: no other one is of the same cause for sure.
 */
const addressOf = ({ code, message }: PicturedReason): string | null =>
  code === "connection_refused" ? (/\(([^()\s]+:\d+)\)/.exec(message)?.[1] ?? null) : "";

/** The locations that see a monitor as it is said to be. */
export const placesOf = ({ seenBy, status }: PicturedMonitor): readonly string[] =>
  seenBy
    .filter(
      (one) => !one.stale && (status === "degraded" ? isBad(one.status) : one.status === status),
    )
    .map(({ name }) => name)
    .toSorted();

const isBad = (status: PicturedStatus): boolean => status === "error" || status === "degraded";
