import { downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { coveredWindows } from "#service/alerting/maintenance";
import * as limits from "#limits/pages-limits";
import { maintenanceWindowsMax } from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import { targetOfMonitor } from "#service/operator/planned/work-under-way";
import type { Gap } from "#service/store/result-store";
import type { ChartMark } from "#web/page/chart/chart-marks";
import type { TimeSpan } from "#web/page/chart/time-axis";
import { epochMillis, type EpochMillis } from "#base/units";

/** What a monitor's chart marks of a time: its incidents, planned work, and when a location could not see. */
export async function chartMarks(
  rooms: PageRooms,
  monitor: PicturedMonitor,
  time: TimeSpan,
  gaps: readonly Gap[],
): Promise<readonly ChartMark[]> {
  const [incidents, planned] = await Promise.all([
    incidentMarks(rooms, monitor.id, time),
    plannedMarks(rooms, monitor, time),
  ]);
  const blind = gaps.map(({ from, to, excuse }): ChartMark => {
    return { kind: "gap", from, to, words: `Not measured: ${excuse.sentence}`, address: null };
  });
  return [...planned, ...blind, ...incidents];
}

/** Each that was open in the time. */
export async function incidentMarks(
  { store }: Pick<PageRooms, "store">,
  monitor: number,
  { from, to }: TimeSpan,
): Promise<readonly ChartMark[]> {
  const found = await store.alerts.incidents.since([monitor], from);
  return found
    .filter(({ startedAt }) => startedAt < to)
    .flatMap((incident) => marksOf(incident, from, to))
    .slice(-limits.chartMarksMax);
}

/** A mark for each stretch of an incident in which it was in trouble. */
const marksOf = (incident: Incident, from: EpochMillis, to: EpochMillis): readonly ChartMark[] =>
  downSpans(incident)
    .filter((span) => span.from < to && (span.to ?? to) >= from)
    .map((span) => ({
      kind: incident.worst,
      from: span.from,
      to: span.to ?? to,
      words: `Incident ${incident.number}${incident.ended === null ? ", open" : ""}`,
      address: `/incidents/${incident.number}`,
    }));

async function plannedMarks(
  { store }: PageRooms,
  monitor: PicturedMonitor,
  time: TimeSpan,
): Promise<readonly ChartMark[]> {
  const rows = await store.alerts.maintenances.between(time.from, time.to);
  const all = rows.flatMap(maintenanceOf);
  return coveredWindows(all, targetOfMonitor(monitor), time, limits.chartMarksMax)
    .map(({ from, to, maintenance }): ChartMark => {
      const end = epochMillis(Math.min(to, time.to));
      const words = `Planned work: ${maintenance.title}`;
      return { kind: "planned", from, to: end, words, address: `/maintenances/${maintenance.id}` };
    })
    .slice(0, limits.chartMarksMax);
}

/** Until when a monitor was last under planned work in a time; null if it was under none. */
export async function lastPlanned(
  { store }: Pick<PageRooms, "store">,
  monitor: PicturedMonitor,
  time: TimeSpan,
): Promise<EpochMillis | null> {
  const rows = await store.alerts.maintenances.between(time.from, time.to);
  const all = rows.flatMap(maintenanceOf);
  const covered = coveredWindows(all, targetOfMonitor(monitor), time, maintenanceWindowsMax);
  const ends = covered.map(({ to }) => Math.min(to, time.to));
  return ends.length === 0 ? null : epochMillis(Math.max(...ends));
}
