import {
  type Client,
  Code,
  ConnectError,
  createClient,
  type Interceptor,
} from "@connectrpc/connect";
import { type ConnectTransportOptions, createConnectTransport } from "@connectrpc/connect-node";
import { MonitorService, type MonitorSummary } from "#contract/openstatus/monitor/v1/monitor_pb";
import { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { NotificationService } from "#contract/openstatus/notification/v1/notification_pb";
import {
  PrivateLocationService,
  type PrivateLocationSummary,
} from "#contract/openstatus/private_location/v1/private_location_pb";
import { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { AuditService } from "#contract/picket/v1/audit_pb";
import { ConfigurationService } from "#contract/picket/v1/configuration_pb";
import { DeliveryService, IncidentService } from "#contract/picket/v1/incident_pb";
import { systemClock } from "#base/clock";
import * as limits from "#limits/cli-limits";
import * as processLimits from "#limits/process-limits";
import * as serviceLimits from "#limits/service-limits";
import * as wireLimits from "#limits/wire-limits";
import { listedIn, type ManagedMonitor } from "#wire/managed-monitor";
import { type Millis, seconds } from "#base/units";
import { serviceAgent, type ServiceWay } from "#transport/service-dialer";

/** The management of a service, called with an API key. Every call has the agent's bounds of time and size. */
export interface Management {
  readonly monitors: Client<typeof MonitorService>;
  readonly locations: Client<typeof PrivateLocationService>;
  readonly notifications: Client<typeof NotificationService>;
  readonly incidents: Client<typeof IncidentService>;
  readonly deliveries: Client<typeof DeliveryService>;
  readonly configuration: Client<typeof ConfigurationService>;
  readonly audit: Client<typeof AuditService>;
  readonly maintenances: Client<typeof MaintenanceService>;
  readonly statusPages: Client<typeof StatusPageService>;
}

/** `url` is the service's base URL; the key goes into each call's header and nowhere else. */
export function connectManagement(url: string, key: string, way: ServiceWay): Management {
  const withKey: Interceptor = (next) => (request) => {
    request.header.set("x-service-key", key);
    return next(request);
  };
  const options = {
    baseUrl: url.replace(/\/+$/, ""),
    httpVersion: "1.1",
    interceptors: [unhurried, withKey],
    defaultTimeoutMs: wireLimits.serviceCallTimeout,
    readMaxBytes: wireLimits.serviceAnswerBytesMax,
    nodeOptions: { agent: serviceAgent(url, way) },
  } satisfies ConnectTransportOptions;
  const transport = createConnectTransport(options);
  // Thousands of monitors are one message.
  const binary = createConnectTransport({ ...options, useBinaryFormat: true });
  return {
    monitors: createClient(MonitorService, transport),
    locations: createClient(PrivateLocationService, transport),
    notifications: createClient(NotificationService, transport),
    incidents: createClient(IncidentService, transport),
    deliveries: createClient(DeliveryService, transport),
    configuration: createClient(ConfigurationService, binary),
    audit: createClient(AuditService, binary),
    maintenances: createClient(MaintenanceService, transport),
    statusPages: createClient(StatusPageService, transport),
  };
}

/** A service that is asked too often says when to come again; a long file is applied at its pace. */
const unhurried: Interceptor = (next) => async (request) => {
  for (let retries = 0; ; retries += 1)
    try {
      return await next(request);
    } catch (error) {
      const pause = pauseOf(error);
      if (pause === null || retries >= limits.managementRetriesMax) throw error;
      await systemClock.sleep(pause, request.signal);
      if (request.signal.aborted) throw error;
    }
};

/** How long the service asked to wait; null if it did not. */
function pauseOf(error: unknown): Millis | null {
  if (!(error instanceof ConnectError) || error.code !== Code.ResourceExhausted) return null;
  const asked = Number(error.metadata.get("retry-after") ?? Number.NaN);
  return asked > 0 && seconds(asked) <= processLimits.retryAfterMax ? seconds(asked) : null;
}

/** Every monitor of the service, page by page. */
export async function listMonitors(
  { monitors }: Management,
  signal: AbortSignal,
): Promise<readonly ManagedMonitor[]> {
  const all: ManagedMonitor[] = [];
  for (;;) {
    const page = await monitors.listMonitors(
      { limit: serviceLimits.monitorsListMax, offset: all.length },
      { signal },
    );
    const before = all.length;
    all.push(...listedIn(page));
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** Every private location of the service, page by page. */
export async function listLocations(
  { locations }: Management,
  signal: AbortSignal,
): Promise<readonly PrivateLocationSummary[]> {
  const all: PrivateLocationSummary[] = [];
  for (;;) {
    const page = await locations.listPrivateLocations(
      { limit: serviceLimits.monitorsListMax, offset: all.length },
      { signal },
    );
    const before = all.length;
    all.push(...page.privateLocations);
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** What the results of each monitor of a location come to, page by page. */
export async function summarizeLocation(
  { monitors }: Management,
  privateLocationId: string,
  signal: AbortSignal,
): Promise<readonly MonitorSummary[]> {
  const all: MonitorSummary[] = [];
  for (;;) {
    const page = await monitors.summarizeResults(
      { privateLocationId, limit: serviceLimits.monitorsListMax, offset: all.length },
      { signal },
    );
    const before = all.length;
    all.push(...page.monitors);
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** Every one of a kind, page by page. */
export async function listAll<T>(
  ask: (page: { readonly limit: number; readonly offset: number }) => Promise<{
    readonly items: readonly T[];
    readonly totalSize: number;
  }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const before = all.length;
    const page = await ask({ limit: serviceLimits.monitorsListMax, offset: before });
    all.push(...page.items);
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** An empty page ends a list too, and so does one longer than any service has: what a server says is not trusted. */
const isLastPage = (before: number, now: number, totalSize: number): boolean =>
  now === before || now >= totalSize || now >= limits.managedListMax;
