import { create } from "@bufbuild/protobuf";
import type { ConnectRouter, ServiceImpl } from "@connectrpc/connect";
import type { DefinitionOf } from "#check/definition";
import { cautionOf, uriOf } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";
import { showUrl } from "#check/target";
import {
  type MonitorState,
  MonitorStateSchema,
  MonitorStateService,
} from "#contract/picket/v1/monitor_state_pb";
import * as limits from "#limits/service-limits";
import { violation } from "#service/edge/call-refusal";
import type { Judging } from "#service/judge/judging";
import type { JudgedMonitor } from "#service/monitors/judged-monitor";
import type { Monitors } from "#service/monitors/monitors";
import { integerOf } from "#service/store/ids";

interface MonitorStateApi {
  readonly monitors: Monitors;
  readonly judging: Judging;
}

/** picket.v1.MonitorStateService: how all monitors stand, for a command that shows or names them. */
export function monitorStateApi(
  router: ConnectRouter,
  { monitors, judging }: MonitorStateApi,
): void {
  router.service(MonitorStateService, {
    listMonitorStates: async (request) => {
      const portion = portionOf(request);
      const rows = await monitors.listAfter(portion.after, portion.limit);
      const states = notTooLong((await judging.judged(rows)).map(stateMessage));
      const isLast = states.length === rows.length && rows.length < portion.limit;
      return { monitors: states, next: isLast ? "" : (states.at(-1)?.id ?? "") };
    },
  } satisfies ServiceImpl<typeof MonitorStateService>);
}

interface Portion {
  readonly after: number;
  readonly limit: number;
}

function portionOf({ after, limit }: { readonly after: string; readonly limit: number }): Portion {
  const most = limits.monitorStatesListMax;
  const behind = after === "" ? 0 : integerOf(after);
  if (behind === null) throw violation({ field: "after", message: "must be the id of a monitor" });
  if (limit < 0 || limit > most)
    throw violation({ field: "limit", message: `must be 0 to ${most}, not ${limit}` });
  return { after: behind, limit: limit === 0 ? most : limit };
}

const stateMessage = ({ row, judgement }: JudgedMonitor): MonitorState =>
  create(MonitorStateSchema, {
    id: String(row.id),
    name: row.definition.name,
    kind: row.definition.kind,
    ...targetMessage(row.definition.kind, row.definition),
    active: row.definition.active,
    status: judgement.state.status,
    privateLocationIds: row.locations.map(String),
  });

function targetMessage<K extends Kind>(kind: K, definition: DefinitionOf<K>) {
  const uri = uriOf(kind, definition);
  return { target: kind === "http" ? showUrl(uri) : uri, caution: cautionOf(kind, definition) };
}

/** The first of them that make no answer longer than one may be; at least one. */
export function notTooLong(
  states: readonly MonitorState[],
  charsMax: number = limits.monitorStatesCharsMax,
): MonitorState[] {
  let chars = 0;
  const end = states.findIndex(({ name, target, privateLocationIds }, index) => {
    chars += name.length + target.length + privateLocationIds.join().length;
    return index > 0 && chars > charsMax;
  });
  return end < 0 ? [...states] : states.slice(0, end);
}
