import type { ConnectRouter } from "@connectrpc/connect";
import {
  type DNSMonitor,
  type HTTPMonitor,
  MonitorService,
  type TCPMonitor,
} from "#contract/monitor/v1/monitor_pb";
import type { MonitorDefinition } from "#check/definition";
import * as limits from "#limits";
import {
  dnsDefinition,
  httpDefinition,
  monitorMessage,
  tcpDefinition,
} from "#wire/monitor-message";
import type { Monitors } from "#service/monitors";
import { pageOf } from "#service/page";
import { Refusal, refuseViolations } from "#service/call-refusal";
import type { Results, StoredResult } from "#service/results";

export interface MonitorApi {
  readonly monitors: Monitors;
  readonly results: Results;
}

/** monitor.v1.MonitorService: what a person or a tool does with monitors. */
export function monitorApi(router: ConnectRouter, { monitors, results }: MonitorApi): void {
  const create = (definition: MonitorDefinition): string =>
    monitors.create(definition, "management").id;
  const update = (id: string, definition: MonitorDefinition): string => {
    monitors.update(id, definition, "management");
    return id;
  };
  const show = (id: string): ReturnType<typeof monitorMessage> => monitorMessage(monitors.get(id));
  router.service(MonitorService, {
    listMonitors: (request) => {
      const { limit, offset } = pageOf(request);
      const page = monitors.list(limit, offset).map(monitorMessage);
      return {
        httpMonitors: page.flatMap((one) => (one.case === "http" ? [one.value] : [])),
        tcpMonitors: page.flatMap((one) => (one.case === "tcp" ? [one.value] : [])),
        dnsMonitors: page.flatMap((one) => (one.case === "dns" ? [one.value] : [])),
        totalSize: BigInt(monitors.count()),
      };
    },
    getMonitor: ({ id }) => ({ monitor: show(id) }),
    createHTTPMonitor: ({ monitor }) => ({
      monitor: httpOf(show(create(httpDefinition(given(monitor))))),
    }),
    createTCPMonitor: ({ monitor }) => ({
      monitor: tcpOf(show(create(tcpDefinition(given(monitor))))),
    }),
    createDNSMonitor: ({ monitor }) => ({
      monitor: dnsOf(show(create(dnsDefinition(given(monitor))))),
    }),
    updateHTTPMonitor: ({ id, monitor }) => ({
      monitor: httpOf(show(update(id, httpDefinition(given(monitor))))),
    }),
    updateTCPMonitor: ({ id, monitor }) => ({
      monitor: tcpOf(show(update(id, tcpDefinition(given(monitor))))),
    }),
    updateDNSMonitor: ({ id, monitor }) => ({
      monitor: dnsOf(show(update(id, dnsDefinition(given(monitor))))),
    }),
    deleteMonitor: ({ id }) => {
      monitors.delete(id);
      return {};
    },
    listResults: (request) => ({
      results: results.list(filterOf(request)).map(resultMessage),
    }),
    summarizeResults: ({ privateLocationId }) => ({
      monitors: summaries(monitors, results, privateLocationId),
    }),
  });
}

type Message = ReturnType<typeof monitorMessage>;
const wrongKind = new Refusal("not_found", "the monitor is of another kind");

function httpOf(message: Message): HTTPMonitor {
  if (message.case !== "http") throw wrongKind;
  return message.value;
}
function tcpOf(message: Message): TCPMonitor {
  if (message.case !== "tcp") throw wrongKind;
  return message.value;
}
function dnsOf(message: Message): DNSMonitor {
  if (message.case !== "dns") throw wrongKind;
  return message.value;
}

function given<T>(monitor: T | undefined): T {
  if (monitor === undefined) throw new Refusal("invalid_argument", "monitor is required");
  return monitor;
}

interface ResultsRequest {
  readonly monitorId: string;
  readonly privateLocationId: string;
  readonly after: bigint;
  readonly limit: number;
}

function filterOf({
  monitorId,
  privateLocationId,
  after,
  limit,
}: ResultsRequest): Parameters<Results["list"]>[0] {
  if (limit < 0 || limit > limits.resultsListMax)
    refuseViolations([
      { field: "limit", message: `must be in 1 to ${limits.resultsListMax}, not ${limit}` },
    ]);
  if (after < 0n) refuseViolations([{ field: "after", message: "must not be below 0" }]);
  return {
    monitorId,
    locationId: privateLocationId,
    after: Number(after),
    limit: limit === 0 ? limits.resultsListDefault : limit,
  };
}

const resultMessage = (result: StoredResult) => ({
  sequence: BigInt(result.sequence),
  id: result.id,
  monitorId: result.monitorId,
  privateLocationId: result.locationId,
  kind: result.kind,
  status: result.status,
  message: result.message,
  latency: BigInt(result.latency),
  startedAt: new Date(result.startedAt).toISOString(),
  slot: new Date(result.slot).toISOString(),
  statusCode: result.statusCode,
  failureCode: result.failureCode,
  failurePhase: result.failurePhase,
  storedAt: new Date(result.storedAt).toISOString(),
});

/** Every monitor that has results, or that is assigned to the location that was asked for. */
function summaries(monitors: Monitors, results: Results, locationId: string) {
  const counts = new Map(results.counts(locationId).map((one) => [one.monitorId, one]));
  const seen = results.lastSeen(locationId);
  return monitors.inLocation(locationId).map(({ id, definition, status }) => {
    const { total = 0, success = 0, degraded = 0, error = 0 } = counts.get(id) ?? {};
    return {
      monitorId: id,
      kind: definition.kind,
      name: definition.name,
      status,
      lastSeenStatus: seen.get(id) ?? "unknown",
      total: BigInt(total),
      success: BigInt(success),
      degraded: BigInt(degraded),
      error: BigInt(error),
    };
  });
}
