import { coloured } from "#cli/edge/coloured";
import { flappingWords } from "#cli/management/flapping-monitors";
import { shownAge, shownInstant } from "#cli/management/instant";
import { type MonitorEntry, markedTarget } from "#cli/management/inventory";
import { troubleOf, unreadOf } from "#cli/management/monitor-troubles";
import { type ListedResult, resultJson, resultTable } from "#cli/management/result-table";
import { statusMarks } from "#cli/management/status-marks";
import { codeOf } from "#cli/management/status-overview";
import type { ViewTools, StatusView } from "#cli/management/status-view";
import { cell, column, textTable } from "#cli/management/text-table";
import {
  type GetMonitorStatusResponse,
  type GetMonitorSummaryResponse,
  type LocationStatus,
  TimeRange,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { showText } from "#base/text";
import { statusOfWire } from "#wire/monitor-status-words";

/** One monitor: its locations, the latencies of a day, and the newest results. */
export async function statusOfMonitor(
  monitor: MonitorEntry,
  seeing: ViewTools,
): Promise<StatusView> {
  const { monitors } = seeing.management;
  const standing = await monitors.getMonitorStatus({ id: monitor.id }, { signal: seeing.signal });
  const unread = unreadOf(standing);
  return unread === null
    ? seenView(monitor, standing, seeing)
    : unreadView(monitor, unread, seeing);
}

async function seenView(
  monitor: MonitorEntry,
  { since, locations }: GetMonitorStatusResponse,
  seeing: ViewTools,
): Promise<StatusView> {
  const { management, inventory, terminal, clock, signal } = seeing;
  const { id, active } = monitor;
  const [trouble, summary, newest] = await Promise.all([
    troubleOf(monitor, inventory.locations, management, signal),
    management.monitors.getMonitorSummary({ id, timeRange: TimeRange.TIME_RANGE_1D }, { signal }),
    management.monitors.listResults({ monitorId: id, ...newestFew }, { signal }),
  ]);
  const now = clock.wall();
  const why = ["active", "inactive"].includes(standingOf(monitor)) ? "" : trouble.why;
  const results: readonly ListedResult[] = newest.results;
  return {
    lines: [
      titleOf(monitor, seeing),
      ...[showText(why), flappingWords(id, inventory.flapping)].flatMap(indented),
      ...(since === "" ? [] : [`  for ${shownAge(since, now)}, since ${shownInstant(since)} UTC`]),
      `  ${latencyLine(summary)}`,
      "",
      ...locationTable(locations, now, seeing),
      ...(results.length === 0 ? [] : ["", ...resultTable(results, inventory.locations, terminal)]),
    ],
    json: [
      {
        ...monitorJson(monitor),
        flapping: inventory.flapping.has(id),
        since: since || null,
        message: why,
        locations: locations.map(locationJson),
        day: dayJson(summary),
        newest_results: results.map((one) => resultJson(one, inventory.locations)),
      },
    ],
    code: codeOf(active ? [monitor] : []),
  };
}

const indented = (words: string): readonly string[] => (words === "" ? [] : [`  ${words}`]);

/** Its last known status, and why there is no more. */
const unreadView = (monitor: MonitorEntry, why: string, seeing: ViewTools): StatusView => ({
  lines: [titleOf(monitor, seeing), `  ${showText(why)}`],
  json: [{ ...monitorJson(monitor), message: why }],
  code: codeOf(monitor.active ? [monitor] : []),
});

const newestFew = { newestFirst: true, limit: 5 } as const;

const standingOf = ({ active, status }: MonitorEntry): keyof typeof statusMarks =>
  active ? status : "inactive";

function titleOf(monitor: MonitorEntry, { terminal }: ViewTools): string {
  const standing = standingOf(monitor);
  const { mark, colour } = statusMarks[standing];
  const status = coloured(`${mark} ${standing}`, colour, terminal.colour);
  return `${status}  ${showText(monitor.name)}  ${monitor.kind} ${showText(markedTarget(monitor))}`;
}

const monitorJson = ({ id, name, status, active }: MonitorEntry): object => ({
  kind: "monitor",
  id,
  name,
  status,
  active,
});

function latencyLine({
  totalSuccessful,
  totalDegraded,
  totalFailed,
  p50,
  p95,
  p99,
}: GetMonitorSummaryResponse): string {
  const all = totalSuccessful + totalDegraded + totalFailed;
  if (all === 0n) return "no result in 24 h";
  const counts = `24 h: ${all} results, ${totalFailed} error, ${totalDegraded} degraded`;
  return all === totalFailed ? counts : `${counts}; p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`;
}

const dayJson = (summary: GetMonitorSummaryResponse): object => ({
  success: Number(summary.totalSuccessful),
  degraded: Number(summary.totalDegraded),
  error: Number(summary.totalFailed),
  p50_ms: Number(summary.p50),
  p95_ms: Number(summary.p95),
  p99_ms: Number(summary.p99),
});

function locationTable(
  locations: readonly LocationStatus[],
  now: number,
  { terminal }: ViewTools,
): readonly string[] {
  if (locations.length === 0) return ["No private location runs it."];
  return textTable(
    [
      column(""),
      column("LOCATION", { gives: true }),
      column("SEES"),
      column("FOR", { align: "right" }),
      column("LAST CHECK (UTC)"),
      column(""),
    ],
    locations.map(({ name, status, since, lastCheckedAt, stale }) => {
      const word = statusOfWire(status);
      const { mark, colour } = statusMarks[word];
      return [
        cell(mark, colour),
        cell(name),
        cell(word, colour),
        cell(shownAge(since, now)),
        cell(shownInstant(lastCheckedAt)),
        cell(stale ? "too old to count" : "", "dim"),
      ];
    }),
    terminal,
  );
}

const locationJson = (one: LocationStatus): object => ({
  id: one.privateLocationId,
  name: one.name,
  status: statusOfWire(one.status),
  since: one.since || null,
  last_checked_at: one.lastCheckedAt || null,
  stale: one.stale,
});
