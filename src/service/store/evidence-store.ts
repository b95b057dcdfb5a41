import type { LocationId, MonitorId } from "#service/store/ids";
import type { EpochMillis, Millis } from "#base/units";

/** What results say about incidents. */
export interface Evidence {
  /** Since when each location sees what it sees of a monitor: late results count too. */
  turns(monitor: MonitorId): Promise<readonly Turn[]>;
  /** What the checks of a monitor that began between two instants say. */
  checked(asked: CheckedQuery): Promise<CheckedTimes>;
  /** What a location's results between two instants show, monitor by monitor. */
  replay(
    location: LocationId,
    from: EpochMillis,
    to: EpochMillis,
  ): Promise<readonly ReplayedMonitor[]>;
}
export interface CheckedQuery {
  readonly monitor: MonitorId;
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** Of the monitor: a check stands for so long, or until the slot after its end. */
  readonly period: Millis;
}
export interface CheckedTimes {
  /** Those that say something of the target. */
  readonly failed: number;
  readonly slow: number;
  readonly times: SeenTimes;
}
/** How long a monitor was slow in a stretch of time, and for how long no location could say anything of it. */
export interface SeenTimes {
  readonly slow: Millis;
  readonly unknown: Millis;
}
export interface Turn {
  readonly location: LocationId;
  /** Start of the first check that failed of those in a row that lead to now; null when the newest is good. */
  readonly troubleSince: EpochMillis | null;
  readonly wellSince: EpochMillis | null;
  readonly lastGoodAt: EpochMillis | null;
}
export interface ReplayedMonitor {
  readonly monitor: MonitorId;
  readonly results: number;
  /** Of these, what was stored so long after its check that its agent had kept it. */
  readonly kept: number;
  /** When the first and the last check that failed began, of those that began before the end; null if none did. */
  readonly failed: { readonly from: EpochMillis; readonly to: EpochMillis } | null;
}
