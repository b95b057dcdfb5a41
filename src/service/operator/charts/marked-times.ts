import { coveredWindows } from "#service/alerting/maintenance";
import * as limits from "#limits/pages-limits";
import { maintenanceWindowsMax } from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { incidentMarks, silenceMarks } from "#service/operator/charts/incident-marks";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import { targetOfMonitor } from "#service/operator/planned/work-under-way";
import type { Gap } from "#service/store/result-store";
import type { ChartMark } from "#web/page/chart/chart-marks";
import type { TimeSpan } from "#web/page/chart/time-axis";
import { epochMillis, type EpochMillis } from "#base/units";

/** What of a monitor's past a chart marks: of all its locations if `shown` is null. */
interface MarkedPast extends TimeSpan {
  readonly gaps: readonly Gap[];
  readonly shown: readonly number[] | null;
}

/** What a monitor's chart marks of a time: its incidents, planned work, and when a location could not see or was silent. */
export async function chartMarks(
  rooms: PageRooms,
  monitor: PicturedMonitor,
  { gaps, shown, ...time }: MarkedPast,
): Promise<readonly ChartMark[]> {
  const sights = monitor.seenBy.filter(({ location }) => shown?.includes(location) ?? true);
  const [incidents, planned, silent] = await Promise.all([
    incidentMarks(rooms, monitor.id, time),
    plannedMarks(rooms, monitor, time),
    silenceMarks(rooms, sights, time),
  ]);
  const blind = gaps.map(({ from, to, excuse }): ChartMark => {
    return { kind: "gap", from, to, words: `Not measured: ${excuse.sentence}`, address: null };
  });
  return [...planned, ...blind, ...silent, ...incidents];
}

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
