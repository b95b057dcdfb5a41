import type { Office } from "./stored-results.ts";

/** Every call that a tool makes again and again, by its path and body; null is a GET. */
const monitorCalls = "/rpc/openstatus.monitor.v1.MonitorService";
const locationCalls = "/rpc/openstatus.private_location.v1.PrivateLocationService";
const agentCalls = "/private_location.v1.PrivateLocationService";

export function callsOf({
  monitors,
  location,
}: Office): readonly (readonly [string, (() => object) | null])[] {
  const any = (): { id: string } => ({
    id: String(monitors[Math.floor(Math.random() * monitors.length)]),
  });
  const page = (): object => ({ limit: 100, offset: Math.floor(Math.random() * 900) });
  const monitor = { name: "shop", url: "https://shop.test/", periodicity: "PERIODICITY_30S" };
  return [
    [`${monitorCalls}/ListMonitors`, page],
    [`${monitorCalls}/GetMonitor`, any],
    [`${monitorCalls}/GetMonitorStatus`, any],
    [`${monitorCalls}/GetMonitorSummary`, () => ({ ...any(), timeRange: "TIME_RANGE_14D" })],
    [`${monitorCalls}/ListMonitorHTTPResponseLogs`, () => ({ ...any(), limit: 100 })],
    [`${monitorCalls}/ListResults`, () => ({ monitorId: any().id, limit: 100 })],
    [`${monitorCalls}/SummarizeResults`, () => ({})],
    [`${monitorCalls}/CreateHTTPMonitor`, () => ({ monitor })],
    [`${monitorCalls}/UpdateHTTPMonitor`, () => ({ ...any(), monitor: { description: "x" } })],
    [`${locationCalls}/ListPrivateLocations`, page],
    [`${locationCalls}/GetPrivateLocation`, () => ({ id: String(location) })],
    ["/rpc/openstatus.notification.v1.NotificationService/ListNotifications", page],
    ["/rpc/picket.v1.IncidentService/ListIncidents", () => ({ limit: 100 })],
    ["/rpc/picket.v1.ApiKeyService/GetApiKey", () => ({})],
    ["/v1/whoami", null],
    [`${agentCalls}/Heartbeat`, () => ({ instanceId: "bench" })],
    [`${agentCalls}/Monitors`, () => ({})],
  ];
}
