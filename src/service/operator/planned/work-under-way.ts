import {
  beginOf,
  lastWindow,
  maintenanceOver,
  type Window,
  windowAt,
  windowFrom,
  windowsAfter,
} from "#service/alerting/maintenance";
import {
  firstFree,
  type Silence,
  type SilenceTarget,
  silencedUntil,
  silencesOver,
} from "#service/alerting/silence";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { PageRooms } from "#service/operator/page-rooms";
import type { PicturedMonitor, PlannedNow } from "#service/operator/picture";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { Store } from "#service/store/store";
import type { EpochMillis } from "#base/units";

/** What has nothing sent about something now. */
export interface PlannedWork {
  readonly silences: readonly Silence[];
  /** When the first location is no longer silenced, or the monitor is not; null if it is not now. */
  readonly silencedUntil: EpochMillis | null;
  /** Null if none is under way. */
  readonly maintenance: PlannedWindow | null;
}

export interface PlannedWindow extends Window {
  readonly id: number;
  readonly title: string;
  readonly message: string;
}

/** What covers a monitor or a location now. */
export const plannedWork = async (
  { store }: PageRooms,
  target: SilenceTarget,
  now: EpochMillis,
): Promise<PlannedWork> => workOver(await plannedNow(store, now), target, now);

/** All that is silenced or under maintenance now, read once for whatever it may cover. */
export async function plannedNow(
  { alerts }: Pick<Store, "alerts">,
  now: EpochMillis,
): Promise<PlannedNow> {
  const [silences, rows] = await Promise.all([
    alerts.silences.list(now),
    alerts.maintenances.between(now, now),
  ]);
  const maintenances = rows.flatMap(maintenanceOf).flatMap((one) => {
    const window = windowAt(one, now);
    return window === null ? [] : [{ ...one, ...window, recurrence: null }];
  });
  return { silences, maintenances };
}

/** What of it covers one monitor or location. */
export const workOver = (
  { silences, maintenances }: PlannedNow,
  target: SilenceTarget,
  now: EpochMillis,
): PlannedWork => ({
  silences: silencesOver(silences, target, now),
  silencedUntil: silencedUntil(silences, target, now),
  maintenance: windowOver(maintenances, target, now),
});

/** From the beginning of the first work that covers it until the end of all that does. */
function windowOver(
  maintenances: PlannedNow["maintenances"],
  target: SilenceTarget,
  now: EpochMillis,
): PlannedWindow | null {
  const over = maintenanceOver(maintenances, target, now);
  return over === null ? null : { ...over.maintenance, to: over.until };
}

/** What covers some of a monitor's locations, and how many of them. */
export interface PartCover {
  readonly locations: number;
  readonly until: EpochMillis;
}

/** How many of a monitor's locations are covered, and until when all of those are; null if none is. */
export function partlyOver(
  { silences, maintenances }: PlannedNow,
  locations: readonly number[],
  now: EpochMillis,
): { readonly silence: PartCover | null; readonly maintenance: PartCover | null } {
  const part = (all: readonly (Window & { readonly locations: readonly number[] })[]) => {
    const over = all
      .filter(({ from, to }) => from <= now && now < to)
      .map((one) => ({ locations: one.locations, until: one.to }));
    const named = new Set(over.flatMap((one) => one.locations));
    const own = locations.filter((location) => named.has(location));
    return own.length === 0 ? null : { locations: own.length, until: firstFree(over, own, now) };
  };
  return {
    silence: part(silences.map((one) => ({ ...one, to: one.until }))),
    maintenance: part(maintenances),
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

/** The last window of a maintenance; null if it repeats without end, or if it has none. */
export function finalWindow(row: MaintenanceRow): Window | null {
  const [maintenance] = maintenanceOf(row);
  return maintenance === undefined ? null : lastWindow(maintenance);
}

/** One time of planned work, and when that was to end at first. */
export interface Occurrence extends Window {
  readonly planned: EpochMillis;
}

/** The one that is under way: its end can be put off, or come now. Null if none is. */
export function occurrenceAt(row: MaintenanceRow, now: EpochMillis): Occurrence | null {
  const window = nextWindow(row, now);
  return window === null || window.from > now ? null : occurrenceOf(row, window);
}

/** The one that began at an instant; null if none did. */
export function occurrenceFrom(row: MaintenanceRow, from: EpochMillis): Occurrence | null {
  const [maintenance] = maintenanceOf(row);
  const window = maintenance === undefined ? null : windowFrom(maintenance, from);
  return window === null ? null : occurrenceOf(row, window);
}

function occurrenceOf({ movedEnds, recurrence }: MaintenanceRow, window: Window): Occurrence {
  const moved =
    recurrence === "" ? undefined : movedEnds.find((one) => beginOf(one) === window.from);
  return { ...window, planned: moved?.planned ?? window.to };
}

/** Whether a window of it is under way. */
export function isRunning(row: MaintenanceRow, now: EpochMillis): boolean {
  const window = nextWindow(row, now);
  return window !== null && window.from <= now;
}
