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
  /** The title of a maintenance in which something began that lasts after its end; null for none. */
  endedOver(covered: SilenceTarget, began: EpochMillis, now: EpochMillis): string | null;
}

export async function plannedBy({ alerts }: Store, now: EpochMillis): Promise<MaintenancePlan> {
  const from = epochMillis(now - limits.maintenanceRemembered);
  const all = (await alerts.maintenances.between(from, now)).flatMap(maintenanceOf);
  return {
    over: (covered, at) => maintenanceOver(all, covered, at),
    endedOver: (covered, began, at) => {
      const ended = maintenancesOver(all, covered, began).find((one) => {
        const window = windowAt(one, began);
        return window !== null && window.to <= at;
      });
      return ended?.title ?? null;
    },
  };
}

/** A row as windows are calculated by; none if its recurrence cannot be read any more. */
export function maintenanceOf(row: MaintenanceRow): readonly Maintenance[] {
  const { recurrence, ...facts } = row;
  if (recurrence === "") return [{ ...facts, recurrence: null }];
  const read = readRecurrence(recurrence);
  return read.ok ? [{ ...facts, recurrence: read.value }] : [];
}
