import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, HandlerContext, ServiceImpl } from "@connectrpc/connect";
import {
  ListMonitorsResponseSchema,
  MonitorService,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { seesSecrets } from "#service/agents/admission";
import { callsOfKinds } from "#service/api/calls-of-kinds";
import { type HistoryApi, historyCalls } from "#service/api/history-api";
import { noMonitor } from "#service/edge/call-refusal";
import { pageOf } from "#service/edge/page";
import { resultCalls } from "#service/api/result-api";
import { shownMonitor } from "#service/monitors/shown-monitor";
import { type Trigger, triggerMonitor } from "#service/api/trigger";
import { configOf, listIn, type ManagedMonitor } from "#wire/managed-monitor";

export interface MonitorApi extends HistoryApi, Trigger {}

type Calls = ServiceImpl<typeof MonitorService>;

/** openstatus.monitor.v1.MonitorService: what a person or a tool does with monitors. */
export function monitorApi(router: ConnectRouter, api: MonitorApi): void {
  router.service(MonitorService, {
    ...callsOfKinds(api),
    deleteMonitor: async ({ id }) => {
      await api.monitors.delete(id);
      return { success: true };
    },
    ...readingCalls(api),
    ...historyCalls(api),
    ...resultCalls(api),
    triggerMonitor: async ({ id }, { signal }) => ({
      success: await triggerMonitor(api, id, signal),
    }),
  } satisfies ServiceImpl<typeof MonitorService>);
}

/** A monitor as it is now. */
async function shown(
  { monitors, judging }: MonitorApi,
  id: string,
  secrets: boolean,
): Promise<ManagedMonitor> {
  const [judged] = await judging.judged([await monitors.get(id)]);
  if (judged === undefined) throw noMonitor(id);
  return shownMonitor(judged, secrets);
}

function readingCalls(api: MonitorApi): Pick<Calls, "listMonitors" | "getMonitor"> {
  const { monitors, judging } = api;
  return {
    listMonitors: async (request, context) => {
      const { limit, offset } = pageOf(request);
      const secrets = seesSecrets(context);
      const judged = await judging.judged(await monitors.list(limit, offset));
      const answer = create(ListMonitorsResponseSchema, { totalSize: await monitors.count() });
      for (const one of judged) listIn(answer, shownMonitor(one, secrets));
      return answer;
    },
    getMonitor: async ({ id }, context: HandlerContext) => ({
      monitor: { config: configOf(await shown(api, id, seesSecrets(context))) },
    }),
  };
}
