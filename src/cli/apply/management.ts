import { type Client, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import {
  type DNSMonitor,
  type HTTPMonitor,
  MonitorService,
  type TCPMonitor,
} from "#contract/monitor/v1/monitor_pb";
import {
  type PrivateLocation,
  PrivateLocationAdminService,
} from "#contract/private_location/v1/private_location_admin_pb";
import type { MonitorDefinition } from "#check/definition";
import * as limits from "#limits";
import { monitorMessage } from "#wire/monitor-message";
import { serviceAgent, type ServiceWay } from "#transport/service-dialer";
import { epochMillis } from "#units";

/** The management of a service, called with an API key. Every call has the agent's bounds of time and size. */
export interface Management {
  readonly monitors: Client<typeof MonitorService>;
  readonly locations: Client<typeof PrivateLocationAdminService>;
}

/** A monitor as the service has it, or is to have it. */
export type ManagedMonitor =
  | { readonly kind: "http"; readonly message: HTTPMonitor }
  | { readonly kind: "tcp"; readonly message: TCPMonitor }
  | { readonly kind: "dns"; readonly message: DNSMonitor };

/** A monitor of a definition, as it is sent to a service. */
export function managedMonitor(definition: MonitorDefinition): ManagedMonitor {
  const never = epochMillis(0);
  const stored = {
    id: "",
    definition,
    status: "unknown",
    createdAt: never,
    updatedAt: never,
  } as const;
  const message = monitorMessage(stored);
  switch (message.case) {
    case "http":
      return { kind: "http", message: message.value };
    case "tcp":
      return { kind: "tcp", message: message.value };
    case "dns":
      return { kind: "dns", message: message.value };
  }
}

/** `url` is the service's base URL; the key goes into each call's header and nowhere else. */
export function connectManagement(url: string, key: string, way: ServiceWay): Management {
  const withKey: Interceptor = (next) => (request) => {
    request.header.set("x-service-key", key);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: url.replace(/\/+$/, ""),
    httpVersion: "1.1",
    interceptors: [withKey],
    defaultTimeoutMs: limits.serviceCallTimeout,
    readMaxBytes: limits.serviceAnswerBytesMax,
    nodeOptions: { agent: serviceAgent(url, way) },
  });
  return {
    monitors: createClient(MonitorService, transport),
    locations: createClient(PrivateLocationAdminService, transport),
  };
}

/** Every monitor of the service, page by page. */
export async function listMonitors(
  { monitors }: Management,
  signal: AbortSignal,
): Promise<readonly ManagedMonitor[]> {
  const all: ManagedMonitor[] = [];
  for (;;) {
    const page = await monitors.listMonitors(
      { limit: limits.monitorsListMax, offset: all.length },
      { signal },
    );
    const before = all.length;
    for (const message of page.httpMonitors) all.push({ kind: "http", message });
    for (const message of page.tcpMonitors) all.push({ kind: "tcp", message });
    for (const message of page.dnsMonitors) all.push({ kind: "dns", message });
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** Every private location of the service, page by page. */
export async function listLocations(
  { locations }: Management,
  signal: AbortSignal,
): Promise<readonly PrivateLocation[]> {
  const all: PrivateLocation[] = [];
  for (;;) {
    const page = await locations.listPrivateLocations(
      { limit: limits.monitorsListMax, offset: all.length },
      { signal },
    );
    const before = all.length;
    all.push(...page.privateLocations);
    if (isLastPage(before, all.length, page.totalSize)) return all;
  }
}

/** An empty page ends a list too, and so does one longer than any service has: what a server says is not trusted. */
const isLastPage = (before: number, now: number, totalSize: bigint): boolean =>
  now === before || BigInt(now) >= totalSize || now >= limits.managedListMax;
