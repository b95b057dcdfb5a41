import {
  type Maintenance,
  maintenanceOver,
  maintenancesOver,
  windowAt,
} from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import type { SilenceTarget } from "#service/alerting/silence";
import * as limits from "#limits/alerts-limits";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis } from "#base/units";

/** The maintenance of now and of lately. */
export interface MaintenancePlan {
  /** What covers something now, and when its window ends; null when nothing does. */
  over(covered: SilenceTarget, now: EpochMillis): { readonly until: EpochMillis } | null;
  /** The title of a maintenance in which something began that lasts after its end, planned before that; null for none. */
  endedOver(covered: SilenceTarget, began: EpochMillis, now: EpochMillis): string | null;
}

export async function plannedBy({ alerts }: Store, now: EpochMillis): Promise<MaintenancePlan> {
  const from = epochMillis(now - limits.maintenanceRemembered);
  const rows = await alerts.maintenances.between(from, now);
  const all = rows.flatMap(maintenanceOf);
  return {
    over: (covered, at) => maintenanceOver(all, covered, at),
    endedOver: (covered, began, at) => {
      const ended = maintenancesOver(all, covered, began).filter((one) => {
        const window = windowAt(one, began);
        return window !== null && window.to <= at;
      });
      if (ended.length === 0) return null;
      const then = rows.flatMap((row) => plannedThen(row, began)).flatMap(maintenanceOf);
      const known = new Set(maintenancesOver(then, covered, began).map(({ id }) => id));
      return ended.find(({ id }) => known.has(id))?.title ?? null;
    },
  };
}

/** A row as it was planned at an instant; none if that was planned later. */
const plannedThen = (row: MaintenanceRow, then: EpochMillis): readonly MaintenanceRow[] =>
  row.plannedAt <= then
    ? [row]
    : row.earlierPlans
        .filter(({ since, until }) => since <= then && then < until)
        .map((plan) => ({ ...row, ...plan }));

/** A row as windows are calculated by; none if its recurrence cannot be read any more. */
export function maintenanceOf(row: MaintenanceRow): readonly Maintenance[] {
  const { recurrence, ...facts } = row;
  if (recurrence === "") return [{ ...facts, recurrence: null }];
  const read = readRecurrence(recurrence);
  return read.ok ? [{ ...facts, recurrence: read.value }] : [];
}
