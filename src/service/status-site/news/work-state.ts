import { windowsAfter, type Window } from "#service/alerting/maintenance";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import type { PageTexts } from "#service/status-page/texts/page-text-list";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/* What a message says of planned work before its title, as of when it was written: it comes, is under way, or is over. */

export function workState(row: MaintenanceRow, at: EpochMillis, texts: PageTexts): string {
  // Of work that repeats, this time is over, though others come.
  if (row.movedEnds.some(({ to, planned }) => to <= at && at < planned)) return texts.news.finished;
  const [plan] = maintenanceOf(row);
  return windowState(plan === undefined ? null : (windowsAfter(plan, at, 1)[0] ?? null), at, texts);
}

/** By the window that is under way or comes next; null: none does. */
export function windowState(window: Window | null, at: EpochMillis, texts: PageTexts): string {
  if (window === null || window.to <= at) return texts.news.finished;
  return window.from <= at ? texts.maintenanceNow : texts.maintenanceComing;
}
