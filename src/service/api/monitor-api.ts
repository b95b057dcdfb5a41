import type { DescMessage } from "@bufbuild/protobuf";
import type { FieldMask } from "@bufbuild/protobuf/wkt";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  type DNSMonitor,
  DNSMonitorSchema,
  type GRPCMonitor,
  GRPCMonitorSchema,
  type HTTPMonitor,
  HTTPMonitorSchema,
  type ICMPMonitor,
  ICMPMonitorSchema,
  MonitorService,
  type TCPMonitor,
  TCPMonitorSchema,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import type { MonitorDefinition } from "#check/definition";
import type { Kind } from "#check/monitor";
import { seesSecrets } from "#service/agents/admission";
import { because, noMonitor, Refusal, refuseViolations } from "#service/edge/call-refusal";
import { type HistoryApi, historyCalls } from "#service/api/history-api";
import type { DefinitionOf } from "#service/monitors/monitors";
import { pageOf } from "#service/edge/page";
import { resultCalls } from "#service/api/result-api";
import { type ShownMonitor, shownMonitor } from "#service/monitors/shown-monitor";
import { type Trigger, triggerMonitor } from "#service/api/trigger";
import {
  type Mask,
  mergedDns,
  mergedGrpc,
  mergedHttp,
  mergedIcmp,
  mergedTcp,
} from "#wire/monitor-message";

export interface MonitorApi extends HistoryApi, Trigger {}

type Calls = ServiceImpl<typeof MonitorService>;

/** openstatus.monitor.v1.MonitorService: what a person or a tool does with monitors. */
export function monitorApi(router: ConnectRouter, api: MonitorApi): void {
  router.service(MonitorService, {
    ...changingCalls(api),
    ...readingCalls(api),
    ...historyCalls(api),
    ...resultCalls(api),
    triggerMonitor: async ({ id }, { signal }) => ({
      success: await triggerMonitor(api, id, signal),
    }),
  } satisfies ServiceImpl<typeof MonitorService>);
}

type UpdatingCall =
  | "updateHTTPMonitor"
  | "updateTCPMonitor"
  | "updateDNSMonitor"
  | "updateICMPMonitor"
  | "updateGRPCMonitor";
type ChangingCall =
  | UpdatingCall
  | "createHTTPMonitor"
  | "createTCPMonitor"
  | "createDNSMonitor"
  | "createICMPMonitor"
  | "createGRPCMonitor"
  | "deleteMonitor";

/** A monitor as it is now. */
async function shown(
  { monitors, judging }: MonitorApi,
  id: string,
  secrets: boolean,
): Promise<ShownMonitor> {
  const [judged] = await judging.judged([await monitors.get(id)]);
  if (judged === undefined) throw noMonitor(id);
  return shownMonitor(judged, secrets);
}

function changingCalls(api: MonitorApi): Pick<Calls, ChangingCall> {
  const { monitors } = api;
  const create = async (definition: MonitorDefinition): Promise<ShownMonitor> => {
    const { id } = await monitors.create(definition, "management");
    return shown(api, id, true);
  };
  return {
    ...updatingCalls(api),
    createHTTPMonitor: async ({ monitor }) => httpAnswer(await create(mergedHttp(given(monitor)))),
    createTCPMonitor: async ({ monitor }) => tcpAnswer(await create(mergedTcp(given(monitor)))),
    createDNSMonitor: async ({ monitor }) => dnsAnswer(await create(mergedDns(given(monitor)))),
    createICMPMonitor: async ({ monitor }) => icmpAnswer(await create(mergedIcmp(given(monitor)))),
    createGRPCMonitor: async ({ monitor }) => grpcAnswer(await create(mergedGrpc(given(monitor)))),
    deleteMonitor: async ({ id }) => {
      await monitors.delete(id);
      return { success: true };
    },
  };
}

/** An update without a monitor changes nothing, and answers as every other. */
async function updated<K extends Kind>(
  api: MonitorApi,
  id: string,
  kind: K,
  change: ((before: DefinitionOf<K>) => MonitorDefinition) | null,
): Promise<ShownMonitor> {
  if (id === "") throw noMonitor(id);
  const { definition: before } = await api.monitors.ofKind(id, kind);
  if (change !== null) await api.monitors.update(id, change(before), "management");
  return shown(api, id, true);
}

function updatingCalls(api: MonitorApi): Pick<Calls, UpdatingCall> {
  return {
    updateHTTPMonitor: async ({ id, monitor, updateMask }) => {
      const mask = maskOf(HTTPMonitorSchema, updateMask);
      const change =
        monitor && ((before: DefinitionOf<"http">) => mergedHttp(monitor, mask, before));
      return httpAnswer(await updated(api, id, "http", change ?? null));
    },
    updateTCPMonitor: async ({ id, monitor, updateMask }) => {
      const mask = maskOf(TCPMonitorSchema, updateMask);
      const change = monitor && ((before: DefinitionOf<"tcp">) => mergedTcp(monitor, mask, before));
      return tcpAnswer(await updated(api, id, "tcp", change ?? null));
    },
    updateDNSMonitor: async ({ id, monitor, updateMask }) => {
      const mask = maskOf(DNSMonitorSchema, updateMask);
      const change = monitor && ((before: DefinitionOf<"dns">) => mergedDns(monitor, mask, before));
      return dnsAnswer(await updated(api, id, "dns", change ?? null));
    },
    updateICMPMonitor: async ({ id, monitor, updateMask }) => {
      const mask = maskOf(ICMPMonitorSchema, updateMask);
      const change =
        monitor && ((before: DefinitionOf<"icmp">) => mergedIcmp(monitor, mask, before));
      return icmpAnswer(await updated(api, id, "icmp", change ?? null));
    },
    updateGRPCMonitor: async ({ id, monitor, updateMask }) => {
      const mask = maskOf(GRPCMonitorSchema, updateMask);
      const change =
        monitor && ((before: DefinitionOf<"grpc">) => mergedGrpc(monitor, mask, before));
      return grpcAnswer(await updated(api, id, "grpc", change ?? null));
    },
  };
}

function readingCalls(api: MonitorApi): Pick<Calls, "listMonitors" | "getMonitor"> {
  const { monitors, judging } = api;
  return {
    listMonitors: async (request, context) => {
      const { limit, offset } = pageOf(request);
      const secrets = seesSecrets(context);
      const judged = await judging.judged(await monitors.list(limit, offset));
      const page = judged.map((one) => shownMonitor(one, secrets));
      return {
        httpMonitors: page.flatMap((one) => (one.case === "http" ? [one.value] : [])),
        tcpMonitors: page.flatMap((one) => (one.case === "tcp" ? [one.value] : [])),
        dnsMonitors: page.flatMap((one) => (one.case === "dns" ? [one.value] : [])),
        icmpMonitors: page.flatMap((one) => (one.case === "icmp" ? [one.value] : [])),
        grpcMonitors: page.flatMap((one) => (one.case === "grpc" ? [one.value] : [])),
        totalSize: await monitors.count(),
      };
    },
    getMonitor: async ({ id }, context: HandlerContext) => ({
      monitor: { config: await shown(api, id, seesSecrets(context)) },
    }),
  };
}

/** The answers of calls for one kind; another kind was refused before. */
function httpAnswer(answered: ShownMonitor): { monitor: HTTPMonitor } {
  if (answered.case !== "http") throw otherKind(answered);
  return { monitor: answered.value };
}
function tcpAnswer(answered: ShownMonitor): { monitor: TCPMonitor } {
  if (answered.case !== "tcp") throw otherKind(answered);
  return { monitor: answered.value };
}
function dnsAnswer(answered: ShownMonitor): { monitor: DNSMonitor } {
  if (answered.case !== "dns") throw otherKind(answered);
  return { monitor: answered.value };
}
function icmpAnswer(answered: ShownMonitor): { monitor: ICMPMonitor } {
  if (answered.case !== "icmp") throw otherKind(answered);
  return { monitor: answered.value };
}
function grpcAnswer(answered: ShownMonitor): { monitor: GRPCMonitor } {
  if (answered.case !== "grpc") throw otherKind(answered);
  return { monitor: answered.value };
}
const otherKind = (answered: ShownMonitor): TypeError =>
  new TypeError(`a monitor became one of the kind ${answered.case}`);

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
