import type { MaintenanceDefinition } from "#service/resources/maintenance-definition";
import type { Page } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";

export interface MaintenanceRow extends MaintenanceDefinition {
  readonly id: number;
  /** Empty: on no page. */
  readonly page: string;
  readonly components: readonly string[];
  readonly monitors: readonly number[];
  readonly locations: readonly number[];
  readonly owner: string;
  /** Whether channels that ask for maintenance are notified of its windows. */
  readonly notify: boolean;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
export type NewMaintenance = Omit<MaintenanceRow, "id" | "createdAt" | "updatedAt"> & {
  readonly at: EpochMillis;
};
/** Planned work: announced, and nothing opens meanwhile. */
export interface Maintenances {
  /** Where it announces it, each subscriber of its page whom it concerns gets a letter. */
  create(made: NewMaintenance, announces: boolean): Promise<number>;
  update(id: number, changed: NewMaintenance, announces: boolean): Promise<boolean>;
  /** Moves the end of what happens once, and nothing else; false if it is not as it was seen any more. */
  moveEnd(id: number, moved: MovedEnd): Promise<boolean>;
  delete(id: number): Promise<boolean>;
  get(id: number): Promise<MaintenanceRow | null>;
  /** The latest first; `page` null: of all. */
  list(
    page: string | null,
    asked: Page,
  ): Promise<{ readonly maintenances: readonly MaintenanceRow[]; readonly total: number }>;
  /**
   * Those that may have a window between these instants: they repeat, or are not over before. Monitors of the components
   * that they name are among their monitors.
   */
  between(from: EpochMillis, to: EpochMillis): Promise<readonly MaintenanceRow[]>;
}

export interface MovedEnd {
  /** The end that it had when a person decided. */
  readonly seen: EpochMillis;
  readonly to: EpochMillis;
  readonly at: EpochMillis;
}
