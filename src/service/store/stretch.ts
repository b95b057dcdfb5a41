import type { EchoSpread } from "#check/echo-spread";
import type { PhaseName } from "#check/outcome";
import type { LocationId, MonitorId } from "#service/store/ids";
import type { EpochMillis, Millis } from "#base/units";

export interface StretchesQuery {
  readonly monitor: MonitorId;
  /** Null: every location. */
  readonly location: LocationId | null;
  /** Where the first stretch begins. */
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  readonly length: Millis;
}

/** The results of some minutes. */
export interface Stretch {
  readonly begin: EpochMillis;
  readonly success: number;
  readonly degraded: number;
  readonly error: number;
  /** Of results that are success or degraded; null of none. */
  readonly p50: Millis | null;
  readonly p95: Millis | null;
  /** The mean of each phase over results that are success or degraded: what did not happen took no time. */
  readonly phases: ReadonlyMap<PhaseName, Millis>;
  /** Of all its pings; null if it has none. */
  readonly echoes: EchoSpread | null;
}
