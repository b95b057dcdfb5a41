import type { FlappingMonitors } from "#cli/management/flapping-monitors";
import type { LocationEntry, MonitorEntry } from "#cli/management/inventory";
import { ifKnown, type Management } from "#cli/management/management";
import type { GetMonitorStatusResponse } from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorStatus } from "#check/monitor-status";
import { statusOfWire } from "#wire/monitor-status-words";

/** A monitor that does not pass: since when, where, and why. */
export interface Trouble {
  readonly monitor: MonitorEntry;
  /** RFC 3339; empty if that is not known. */
  readonly since: string;
  /** Names of the locations that see it. */
  readonly where: readonly string[];
  readonly why: string;
}

/** The monitors that do not pass though they are active, or did not a moment ago and flap; the worst first. */
export const troubled = (
  monitors: readonly MonitorEntry[],
  flapping: FlappingMonitors,
): readonly MonitorEntry[] =>
  monitors
    .filter(({ id, active, status }) => active && (status !== "active" || flapping.has(id)))
    .toSorted((a, b) => urgency[a.status] - urgency[b.status]);

const urgency: { readonly [S in MonitorStatus]: number } = {
  error: 0,
  degraded: 1,
  unknown: 2,
  active: 3,
};

/** Asks the service what is wrong with a monitor. */
export async function troubleOf(
  monitor: MonitorEntry,
  locations: readonly LocationEntry[],
  management: Management,
  signal: AbortSignal,
): Promise<Trouble> {
  const { monitors } = management;
  const standing = await monitors.getMonitorStatus({ id: monitor.id }, { signal });
  const { since } = standing;
  if (monitor.status === "active") return { monitor, since, where: [], why: "it is up now" };
  if (monitor.status === "unknown")
    return { monitor, since, where: [], why: whyUnknown(monitor, standing, locations) };
  const seeing = standing.locations.filter(({ status, stale }) => !stale && seesTrouble(status));
  const where = seeing.map(({ name }) => name);
  const unread = unreadOf(standing);
  if (unread !== null) return { monitor, since, where, why: unread };
  const ending = where.length > 0 ? null : await endingCertificate(monitor, management, signal);
  if (ending !== null) return { monitor, since, where, why: ending };
  const { results } = await monitors.listResults(
    { monitorId: monitor.id, newestFirst: true, limit: newestAsked },
    { signal },
  );
  const bad = results.find(({ status }) => status === monitor.status) ?? results[0];
  return { monitor, since, where, why: bad === undefined ? "" : bad.message || bad.failureCode };
}

/** What makes a monitor degraded that every location sees pass: its certificate ends; null if it does not. */
async function endingCertificate(
  { id, status }: MonitorEntry,
  { incidents }: Management,
  signal: AbortSignal,
): Promise<string | null> {
  if (status !== "degraded") return null;
  const asked = { open: true, kind: "certificate", subjectId: id, limit: 1 };
  const answer = await ifKnown(incidents.listIncidents(asked, { signal }));
  const [open] = answer?.incidents ?? [];
  return open === undefined ? null : `its certificate ends soon: incident ${open.number}`;
}

/** Why the results of a monitor cannot be read; null if they can: no location is known to see anything, each for one reason. */
export function unreadOf({ locations }: GetMonitorStatusResponse): string | null {
  const [why = "", ...others] = new Set(locations.map((one) => one.notMeasuredBecause));
  const isUnread = others.length === 0 && why.startsWith("its results cannot be read");
  return isUnread ? why : null;
}

/** Among so many of the newest results is one that fails, where half of the locations see it. */
const newestAsked = 20;

const seesTrouble = (status: Parameters<typeof statusOfWire>[0]): boolean =>
  ["error", "degraded"].includes(statusOfWire(status));

/** Why a monitor is unknown, though it is active. */
export function whyUnknown(
  { locationIds }: Pick<MonitorEntry, "locationIds">,
  standing: GetMonitorStatusResponse,
  locations: readonly LocationEntry[],
): string {
  if (locationIds.length === 0) return "no private location runs it";
  const silent = locations.filter(
    ({ id, status }) => locationIds.includes(id) && status !== "active",
  );
  if (silent.length === locationIds.length)
    return `no agent reports from ${silent.map(({ name }) => name).join(", ")}`;
  const unseen = standing.locations.find(({ notMeasuredBecause }) => notMeasuredBecause !== "");
  if (unseen !== undefined) {
    const { name, notMeasuredSince, notMeasuredBecause } = unseen;
    return notMeasuredSince === ""
      ? `${notMeasuredBecause} (${name})`
      : `not measured at ${name} since ${notMeasuredSince}: ${notMeasuredBecause}`;
  }
  const newest = standing.locations
    .map(({ lastCheckedAt }) => lastCheckedAt)
    .toSorted()
    .at(-1);
  return newest === undefined || newest === ""
    ? "no result yet"
    : `no fresh result: the newest is of ${newest}`;
}
