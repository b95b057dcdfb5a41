import * as checkLimits from "#limits/check-limits";
import { violation } from "#service/edge/call-refusal";
import { refuseManaged } from "#service/operator/managed-note";
import { type ManyAct, manyActs } from "#service/operator/monitors/many-form";
import type { PageContext } from "#service/operator/page-request";
import { locationId } from "#service/store/ids";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";

/* What a form with many monitors asks for, as the change of each. */

export function actIn(form: URLSearchParams): ManyAct {
  const act = manyActs.find((one) => one === form.get("act"));
  if (act === undefined)
    throw violation({ field: "act", message: `must be one of ${manyActs.join(", ")}` });
  return act;
}

/** A label that is pasted whole into the first field, as `team:shop` or `team=shop`, is both of it. */
export function labelIn(form: URLSearchParams): [key: string, value: string] {
  const [key, value] = [(form.get("key") ?? "").trim(), (form.get("value") ?? "").trim()];
  const [, first = "", rest = ""] = /^([^:=]+)[:=](.+)$/.exec(key) ?? [];
  return value === "" && first !== "" ? [first.trim(), rest.trim()] : [key, value];
}

export async function changeOf(
  context: PageContext,
  act: ManyAct,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  switch (act) {
    case "pause":
    case "resume":
      return { kind: "active", active: act === "resume" };
    case "label":
    case "unlabel": {
      const [key, value] = labelIn(form);
      return { kind: "label", key, value: act === "label" ? value : null };
    }
    case "assign":
    case "move":
    case "unassign":
      return assignment(context, act !== "unassign", rows, form);
    case "delete":
      return { kind: "delete" };
  }
}

async function assignment(
  { rooms }: PageContext,
  assigned: boolean,
  rows: readonly MonitorRow[],
  form: URLSearchParams,
): Promise<MonitorChange> {
  const { id, name, owner, monitors } = await rooms.locations.get(form.get("location") ?? "");
  refuseManaged({ owner }, `the location "${name}"`);
  const all = new Set([...monitors, ...rows.map((row) => row.id)]);
  if (assigned && all.size > checkLimits.monitorsPerAgentMax)
    throw violation({
      field: "location",
      message: `would have ${all.size} monitors, more than the ${checkLimits.monitorsPerAgentMax} that one agent runs`,
    });
  return { kind: "location", location: locationId(id), assigned };
}
