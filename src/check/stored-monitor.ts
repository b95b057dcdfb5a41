import type { MonitorDefinition } from "#check/definition";
import type { EpochMillis } from "#units";

/** A monitor's status as a service shows it; `unknown` until a location has reported. */
export type MonitorStatus = "active" | "degraded" | "error" | "unknown";

/** A monitor as a service keeps it. */
export interface StoredMonitor {
  readonly id: string;
  readonly definition: MonitorDefinition;
  readonly status: MonitorStatus;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}
