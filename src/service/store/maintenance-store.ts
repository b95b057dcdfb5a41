import type { MaintenanceDefinition } from "#service/resources/maintenance-definition";
import type { MovedWindow } from "#service/alerting/maintenance";
import type { SaidMoments } from "#service/alerting/work-moments";
import type { CancelledWork } from "#service/store/trash/cancelled-work";
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
  /** What subscribers of its page are sent of its times by itself. */
  readonly says: SaidMoments;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
  /** Since when its times and components are as they are; 0 of a database that did not keep that yet. */
  readonly plannedAt: EpochMillis;
  /** What they were before, oldest first. */
  readonly earlierPlans: readonly EarlierPlan[];
  /** Of what repeats: the times that were begun or ended early, or extended by themselves, the earliest first. */
  readonly movedEnds: readonly MovedWindow[];
}
export type NewMaintenance = Omit<
  MaintenanceRow,
  "id" | "says" | "createdAt" | "updatedAt" | "plannedAt" | "earlierPlans" | "movedEnds"
> & {
  readonly at: EpochMillis;
  /** Left out: as before, and nothing of new work. */
  readonly says?: SaidMoments;
};

/** Times and components of planned work that were replaced by others: they count for as long as they held. */
export interface EarlierPlan extends Pick<
  MaintenanceRow,
  "from" | "to" | "recurrence" | "timeZone" | "page" | "components" | "movedEnds"
> {
  readonly since: EpochMillis;
  readonly until: EpochMillis;
}

/** Planned work: announced, and nothing opens meanwhile. */
export interface Maintenances {
  /** Where it announces it, each subscriber of its page whom it concerns gets a letter. */
  create(made: NewMaintenance, announces: boolean): Promise<number>;
  update(id: number, changed: NewMaintenance, announces: boolean): Promise<boolean>;
  /**
   * Moves the end of what happens once, or of one time of what repeats, and nothing else; false if it is not as it was
   * seen any more, or has its end from files.
   */
  moveEnd(id: number, moved: MovedEnd): Promise<boolean>;
  /**
   * Moves the beginning of what happens once, or of the next time of what repeats, its end with it, and nothing else; false
   * if its times are not as they were seen any more.
   */
  moveBegin(id: number, moved: MovedBegin): Promise<boolean>;
  /** `cancelled` is what its subscribers are sent once it cannot be put back any more; left out: nothing. */
  delete(id: number, cancelled?: CancelledWork): Promise<boolean>;
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

export interface MovedBegin {
  /** The times that it had when a person decided. */
  readonly seen: EpochMillis;
  readonly end: EpochMillis;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Whether it takes an earlier move back. */
  readonly isUndo: boolean;
  readonly at: EpochMillis;
}

export interface MovedEnd {
  /** The time of it, and when that was to end at first. */
  readonly from: EpochMillis;
  readonly planned: EpochMillis;
  /** The end that it had when a person decided. */
  readonly seen: EpochMillis;
  readonly to: EpochMillis;
  /** Whether it takes an earlier move back. */
  readonly isUndo: boolean;
  readonly at: EpochMillis;
}
