/** A monitor's status as a service shows it; `unknown` while no location has a fresh result. */
export const monitorStatuses = ["active", "degraded", "error", "unknown"] as const;
export type MonitorStatus = (typeof monitorStatuses)[number];
