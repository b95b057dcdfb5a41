import type { EpochMillis } from "#base/units";

/** How a monitor stands: the slot that it waits for, that of the check which runs, and the newest that was used. */
export interface Standing {
  readonly due: EpochMillis;
  readonly checking: EpochMillis | null;
  readonly newest: EpochMillis | null;
}

/** Where a scheduler shows how its monitors stand, whenever that changes, and that it is awake. */
export interface SlotBoard {
  show(monitorId: string, standing: Standing): void;
  /** The scheduler has looked at the clock. */
  ticked(): void;
}
