import { nextWindow } from "#service/operator/planned/work-under-way";
import { type Announcements, announcementsOf } from "#service/operator/planned/announcements";
import { firstEntry } from "#service/operator/changes/first-entry";
import type { PageRooms } from "#service/operator/page-rooms";
import { maintenanceOf } from "#service/maintenance/maintenance-plan";
import { type Window, windowsAfter } from "#service/alerting/maintenance";
import * as limits from "#limits/pages-limits";
import type { AuditEntry } from "#service/store/audit/audit-log";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { MaintenanceUpdate } from "#service/store/maintenance-update-store";
import type { ComponentRow, StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** Everything that is known of one planned work. */
export interface PlannedStory {
  readonly row: MaintenanceRow;
  /** Null: it is on none. */
  readonly page: StatusPageRow | null;
  /** Those of its status page that it names. */
  readonly components: readonly ComponentRow[];
  /** Those that it names, and those of its components. */
  readonly monitors: readonly number[];
  /** The one that it is in or that comes next; null if none comes any more. */
  readonly window: Window | null;
  /** The next ones of what repeats. */
  readonly coming: readonly Window[];
  /** The newest first. */
  readonly updates: readonly MaintenanceUpdate[];
  readonly announcements: Announcements;
  /** Who made it; null if the audit log does not go back so far. */
  readonly made: AuditEntry | null;
}

export async function plannedStory(
  rooms: PageRooms,
  row: MaintenanceRow,
  at: EpochMillis,
): Promise<PlannedStory> {
  const { store } = rooms;
  const content = row.page === "" ? null : await store.pages.pages.content(Number(row.page));
  const [updates, announcements, made] = await Promise.all([
    store.alerts.maintenanceUpdates.of([row.id]),
    announcementsOf(rooms, row.id, content?.page ?? null),
    firstEntry(store, { kind: "maintenance", id: String(row.id) }, row.createdAt),
  ]);
  const named = new Set(row.components);
  const components = (content?.components ?? []).filter(({ id }) => named.has(String(id)));
  const shown = components.flatMap(({ monitor }) => monitor ?? []);
  const window = nextWindow(row, at);
  return {
    row,
    page: content?.page ?? null,
    components,
    monitors: [...new Set([...row.monitors, ...shown])],
    window,
    coming: row.recurrence === "" ? [] : comingAfter(row, window),
    updates: updates.get(row.id) ?? [],
    announcements,
    made,
  };
}

function comingAfter(row: MaintenanceRow, window: Window | null): readonly Window[] {
  const [maintenance] = maintenanceOf(row);
  if (window === null || maintenance === undefined) return [];
  return windowsAfter(maintenance, window.to, limits.windowsShown);
}
