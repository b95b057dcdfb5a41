import { windowsAfter } from "#service/alerting/maintenance";
import * as limits from "#limits/status-limits";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { common } from "#service/status-page/impact-spans";
import type { PlannedTime } from "#service/status-page/page-facts";
import { integerOf } from "#service/store/ids";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/**
 * What of a maintenance was planned before it came, up to now: each of its plans counts from when it was saved until
 * another took its place. What was down before people planned work was down.
 */
export function plannedTimes(
  row: MaintenanceRow,
  since: EpochMillis,
  now: EpochMillis,
): readonly PlannedTime[] {
  const current = { ...row, since: row.plannedAt, until: now };
  const earlier = row.earlierPlans.filter(({ page }) => page === row.page);
  return [...earlier, current].flatMap(({ since: from, until: to, ...plan }) => {
    const components = plan.components.flatMap((one) => integerOf(one) ?? []);
    return maintenanceOf({ ...row, ...plan })
      .flatMap((one) => windowsAfter(one, since, limits.maintenanceWindowsMax))
      .map((window) => ({ ...common(window, { from, to }), components }))
      .filter((span) => span.from < span.to);
  });
}
