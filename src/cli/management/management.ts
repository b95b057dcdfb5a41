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
import { type MonitorState, MonitorStateService } from "#contract/picket/v1/monitor_state_pb";
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
  readonly monitorStates: Client<typeof MonitorStateService>;
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
    monitorStates: createClient(MonitorStateService, binary),
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

/** Every monitor of the service. */
export const listMonitors = (
  { monitors }: Management,
  signal: AbortSignal,
): Promise<readonly ManagedMonitor[]> =>
  listAll(async (page) => {
    const answer = await monitors.listMonitors(page, { signal });
    return { items: listedIn(answer), totalSize: answer.totalSize };
  });

/** How every monitor of the service stands; null if the service does not know the call. */
export const listMonitorStates = (
  management: Pick<Management, "monitorStates">,
  signal: AbortSignal,
): Promise<readonly MonitorState[] | null> => ifKnown(allMonitorStates(management, signal));

async function allMonitorStates(
  { monitorStates }: Pick<Management, "monitorStates">,
  signal: AbortSignal,
): Promise<readonly MonitorState[]> {
  const all: MonitorState[] = [];
  let after = "";
  do {
    const { monitors, next } = await monitorStates.listMonitorStates({ after }, { signal });
    all.push(...monitors);
    // A service that does not go on would be asked without end.
    if (Number(next) <= Number(after)) break;
    after = next;
  } while (all.length < limits.managedListMax);
  return all;
}

/** What a service answers; null if it does not know the call. */
export async function ifKnown<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isUnknownCall(error)) return null;
    throw error;
  }
}

/** What another service answers to a call that it does not have, and what an older one of ours does. */
const isUnknownCall = (error: unknown): boolean =>
  error instanceof ConnectError && [Code.Unimplemented, Code.NotFound].includes(error.code);

/** Every private location of the service. */
export const listLocations = (
  { locations }: Management,
  signal: AbortSignal,
): Promise<readonly PrivateLocationSummary[]> =>
  listAll(async (page) => {
    const answer = await locations.listPrivateLocations(page, { signal });
    return { items: answer.privateLocations, totalSize: answer.totalSize };
  });

/** What the results of each monitor of a location come to. */
export const summarizeLocation = (
  { monitors }: Management,
  privateLocationId: string,
  signal: AbortSignal,
): Promise<readonly MonitorSummary[]> =>
  listAll(async (page) => {
    const answer = await monitors.summarizeResults({ privateLocationId, ...page }, { signal });
    return { items: answer.monitors, totalSize: answer.totalSize };
  });

interface Page {
  readonly limit: number;
  readonly offset: number;
}

interface PageAnswer<T> {
  readonly items: readonly T[];
  readonly totalSize: number;
}

/** Every one of a kind. The first page says how many there are; the others are asked for side by side, some at a time. */
export async function listAll<T>(
  ask: (page: Page) => Promise<PageAnswer<T>>,
): Promise<readonly T[]> {
  const limit = serviceLimits.monitorsListMax;
  let last = await ask({ limit, offset: 0 });
  const all = [...last.items];
  // A service may give fewer than that.
  const size = all.length;
  while (!isLastPage(last, all.length)) {
    const left = Math.ceil((last.totalSize - all.length) / size);
    const wanted = Array.from(
      { length: Math.min(left, limits.pagesAskedAtOnce) },
      (_, index) => all.length + index * size,
    );
    for (const page of await Promise.all(wanted.map((offset) => ask({ limit, offset })))) {
      last = page;
      all.push(...page.items);
      // What follows a page that is shorter is asked for again, from where this one ends.
      if (page.items.length !== size) break;
    }
  }
  return all;
}

/** An empty page ends a list too, and so does one longer than any service has: what a server says is not trusted. */
const isLastPage = ({ items, totalSize }: PageAnswer<unknown>, listed: number): boolean =>
  items.length === 0 || listed >= totalSize || listed >= limits.managedListMax;
