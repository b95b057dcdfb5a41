import type { DescMessage } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  MonitorService,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import { seesSecrets } from "#service/admission";
import { because, noMonitor, Refusal, refuseViolations } from "#service/call-refusal";
import { type HistoryApi, historyCalls } from "#service/history-api";
import type { DefinitionOf, Monitors } from "#service/monitors";
import { pageOf } from "#service/page";
import { resultCalls } from "#service/result-api";
import { type ShownMonitor, shownMonitor } from "#service/shown-monitor";
import { type Trigger, triggerMonitor } from "#service/trigger";
import { type Mask, mergedDns, mergedHttp, mergedTcp } from "#wire/monitor-message";

export interface MonitorApi extends HistoryApi, Trigger {}

type Calls = ServiceImpl<typeof MonitorService>;

/** openstatus.monitor.v1.MonitorService: what a person or a tool does with monitors. */
export function monitorApi(router: ConnectRouter, api: MonitorApi): void {
  router.service(MonitorService, {
    ...changingCalls(api.monitors),
    ...readingCalls(api.monitors),
    ...historyCalls(api),
    ...resultCalls(api),
    triggerMonitor: async ({ id }, { signal }) => ({
      success: await triggerMonitor(api, id, signal),
    }),
  });
}

type ChangingCall =
  | "createHTTPMonitor"
  | "createTCPMonitor"
  | "createDNSMonitor"
  | "updateHTTPMonitor"
  | "updateTCPMonitor"
  | "updateDNSMonitor"
  | "deleteMonitor";

function changingCalls(monitors: Monitors): Pick<Calls, ChangingCall> {
  const create = (definition: MonitorDefinition): ShownMonitor =>
    shownMonitor(monitors.get(monitors.create(definition, "management").id), true);
  /** An update without a monitor changes nothing, and answers as every other. */
  const update = <K extends Kind>(
    id: string,
    kind: K,
    change: ((before: DefinitionOf<K>) => MonitorDefinition) | null,
  ): ShownMonitor => {
    if (id === "") throw noMonitor(id);
    const before = monitors.definitionOf(id, kind);
    if (change !== null) monitors.update(id, change(before), "management");
    return shownMonitor(monitors.get(id), true);
  };
  return {
    createHTTPMonitor: ({ monitor }) => httpAnswer(create(mergedHttp(given(monitor)))),
    createTCPMonitor: ({ monitor }) => tcpAnswer(create(mergedTcp(given(monitor)))),
    createDNSMonitor: ({ monitor }) => dnsAnswer(create(mergedDns(given(monitor)))),
    updateHTTPMonitor: ({ id, monitor, updateMask }) => {
      const mask = maskOf(HTTPMonitorSchema, updateMask);
      const change =
        monitor && ((before: DefinitionOf<"http">) => mergedHttp(monitor, mask, before));
      return httpAnswer(update(id, "http", change ?? null));
    },
    updateTCPMonitor: ({ id, monitor, updateMask }) => {
      const mask = maskOf(TCPMonitorSchema, updateMask);
      const change = monitor && ((before: DefinitionOf<"tcp">) => mergedTcp(monitor, mask, before));
      return tcpAnswer(update(id, "tcp", change ?? null));
    },
    updateDNSMonitor: ({ id, monitor, updateMask }) => {
      const mask = maskOf(DNSMonitorSchema, updateMask);
      const change = monitor && ((before: DefinitionOf<"dns">) => mergedDns(monitor, mask, before));
      return dnsAnswer(update(id, "dns", change ?? null));
    },
    deleteMonitor: ({ id }) => {
      monitors.delete(id);
      return { success: true };
    },
  };
}

function readingCalls(monitors: Monitors): Pick<Calls, "listMonitors" | "getMonitor"> {
  return {
    listMonitors: (request, context) => {
      const { limit, offset } = pageOf(request);
      const secrets = seesSecrets(context);
      const page = monitors.list(limit, offset).map((one) => shownMonitor(one, secrets));
      return {
        httpMonitors: page.flatMap((one) => (one.case === "http" ? [one.value] : [])),
        tcpMonitors: page.flatMap((one) => (one.case === "tcp" ? [one.value] : [])),
        dnsMonitors: page.flatMap((one) => (one.case === "dns" ? [one.value] : [])),
        totalSize: monitors.count(),
      };
    },
    getMonitor: ({ id }, context: HandlerContext) => ({
      monitor: { config: shownMonitor(monitors.get(id), seesSecrets(context)) },
    }),
  };
}

/** The answers of calls for one kind; another kind was refused before. */
function httpAnswer(shown: ShownMonitor): { monitor: HTTPMonitor } {
  if (shown.case !== "http") throw otherKind(shown);
  return { monitor: shown.value };
}
function tcpAnswer(shown: ShownMonitor): { monitor: TCPMonitor } {
  if (shown.case !== "tcp") throw otherKind(shown);
  return { monitor: shown.value };
}
function dnsAnswer(shown: ShownMonitor): { monitor: DNSMonitor } {
  if (shown.case !== "dns") throw otherKind(shown);
  return { monitor: shown.value };
}
const otherKind = (shown: ShownMonitor): TypeError =>
  new TypeError(`a monitor became one of the kind ${shown.case}`);

function given<T>(monitor: T | undefined): T {
  if (monitor === undefined)
    throw new Refusal("invalid_argument", "monitor is required", because("MONITOR_REQUIRED"));
  return monitor;
}

/** The fields that a mask names; those that are only read are passed over, as in the message itself. */
function maskOf(schema: DescMessage, mask: FieldMask | undefined): Mask {
  const named = new Set(mask?.paths ?? []);
  const known = new Set(schema.fields.map(({ name }) => name));
  const odd = [...named].filter((path) => !known.has(path));
  refuseViolations(
    odd.map((path) => ({
      field: "update_mask",
      message: `names "${path.slice(0, 64)}", which is not a field`,
    })),
  );
  return named;
}
