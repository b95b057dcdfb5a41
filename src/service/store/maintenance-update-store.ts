import type { RestoreOutcome } from "#service/store/trash/trash-store";
import type { EpochMillis } from "#base/units";

/** What people said of planned work after they had announced it. */
export interface MaintenanceUpdate {
  readonly id: number;
  readonly maintenance: number;
  /** What it is dated. */
  readonly at: EpochMillis;
  /** Markdown. */
  readonly message: string;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

export interface MaintenanceUpdates {
  /** Where it announces it, each subscriber of the page whom the work concerns gets a letter. Null: there is no such maintenance. */
  add(
    maintenance: number,
    made: Pick<MaintenanceUpdate, "at" | "message" | "createdAt">,
    announces: boolean,
  ): Promise<number | null>;
  change(id: number, to: Pick<MaintenanceUpdate, "at" | "message" | "updatedAt">): Promise<boolean>;
  /** It can be put back for a while. */
  delete(id: number): Promise<boolean>;
  /** Puts back an update that was deleted since, as it was. */
  putBack(id: number, since: EpochMillis): Promise<RestoreOutcome>;
  get(id: number): Promise<MaintenanceUpdate | null>;
  /** Those of each of these maintenances that has any, the newest first. */
  of(maintenances: readonly number[]): Promise<ReadonlyMap<number, readonly MaintenanceUpdate[]>>;
}

/** The step that made room for them. */
export const maintenanceUpdateTables: string = `
  CREATE TABLE maintenance_updates (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    maintenance INTEGER NOT NULL REFERENCES maintenances (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX maintenance_updates_by_maintenance ON maintenance_updates (maintenance, at);
  `;
