import {
  maintenanceOver,
  type Window,
  windowAt,
  windowsAfter,
} from "#service/alerting/maintenance";
import { type Silence, type SilenceTarget, silencesOver } from "#service/alerting/silence";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor } from "#service/operator/picture";
import type { MaintenanceRow } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** What has nothing sent about something now. */
export interface PlannedWork {
  readonly silences: readonly Silence[];
  /** Null if none is under way. */
  readonly maintenance: PlannedWindow | null;
}

export interface PlannedWindow extends Window {
  readonly title: string;
  readonly message: string;
}

/** What covers a monitor or a location now. */
export async function plannedWork(
  { store }: PageRooms,
  target: SilenceTarget,
  now: EpochMillis,
): Promise<PlannedWork> {
  const [silences, rows] = await Promise.all([
    store.alerts.silences.list(now),
    store.alerts.maintenances.between(now, now),
  ]);
  const found = maintenanceOver(rows.flatMap(maintenanceOf), target, now);
  const window = found === null ? null : windowAt(found, now);
  return {
    silences: silencesOver(silences, target, now),
    maintenance:
      found === null || window === null
        ? null
        : { ...window, title: found.title, message: found.message },
  };
}

/** A monitor as silences and maintenance see it. */
export const targetOfMonitor = ({ id, seenBy, labels }: PicturedMonitor): SilenceTarget => ({
  monitor: id,
  locations: seenBy.map(({ location }) => location),
  labels,
});

/** The window of a maintenance that is under way or comes next; null if none comes any more. */
export function nextWindow(row: MaintenanceRow, now: EpochMillis): Window | null {
  const [maintenance] = maintenanceOf(row);
  return maintenance === undefined ? null : (windowsAfter(maintenance, now, 1)[0] ?? null);
}
