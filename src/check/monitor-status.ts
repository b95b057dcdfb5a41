/** A monitor's status as a service shows it; `unknown` while no location has a fresh result. */
export type MonitorStatus = "active" | "degraded" | "error" | "unknown";
