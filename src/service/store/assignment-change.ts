import type { MonitorId } from "#service/store/ids";

/** A monitor that changed, once however often it did. */
export interface AssignmentChange {
  readonly monitor: MonitorId;
  /** Whether the location's agents ran it at the older revision. */
  readonly ran: boolean;
  /** Whether they run it now. */
  readonly runs: boolean;
}
