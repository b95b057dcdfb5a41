import type { Window } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { FilledIn, WindowUpdate } from "#service/status-page/page-facts";
import { seriesOf } from "#service/status-site/planned-series";
import { filledIn } from "#service/status-site/view/filled-message";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { type EpochMillis, minutes } from "#base/units";

/**
 * What is said of planned work, by its times of now: what a form filled in is left out once its times are others. What
 * people wrote stays as it is.
 */
export function trueUpdates(
  row: MaintenanceRow,
  said: readonly WindowUpdate[],
  windows: readonly Window[],
  now: EpochMillis,
): readonly WindowUpdate[] {
  const skipped = maintenanceOf(row).flatMap((plan) => seriesOf(plan)?.skipped ?? []);
  return said.flatMap((update): readonly WindowUpdate[] => {
    const filled = filledIn(update.message, row, update.at);
    if (filled === null) return [update];
    const times = filled.is === "skipped" ? skipped : windows;
    return isTrue(filled, update.at, times, now) ? [{ ...update, filled }] : [];
  });
}

function isTrue(
  filled: FilledIn,
  at: EpochMillis,
  times: readonly Window[],
  now: EpochMillis,
): boolean {
  if (filled.is === "over") return times.some(({ from }) => from <= at);
  const { window } = filled;
  const found = times.find(({ from }) => isSameMinute(from, window.from));
  if (found === undefined) return false;
  // What ended before it was to was said rightly.
  const isEnded = found.to <= now && found.to < window.to;
  return isEnded || isSameMinute(found.to, window.to);
}

/** Texts have no seconds. */
const isSameMinute = (one: EpochMillis, other: EpochMillis): boolean =>
  Math.floor(one / minutes(1)) === Math.floor(other / minutes(1));
