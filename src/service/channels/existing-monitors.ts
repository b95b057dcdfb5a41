import * as serviceLimits from "#limits/service-limits";
import { noMonitor } from "#service/edge/call-refusal";
import { invalidData } from "#service/channels/channel-fault";
import type { Monitors } from "#service/monitors/monitors";
import type { MonitorId } from "#service/store/ids";

/** The monitors that a channel names, each once; refused if one of them is not there. */
export async function existingMonitors(
  all: Monitors,
  ids: readonly string[],
): Promise<readonly MonitorId[]> {
  const distinct = [...new Set(ids)];
  if (distinct.length > serviceLimits.serviceMonitorsMax)
    throw invalidData("monitor_ids", `has more than ${serviceLimits.serviceMonitorsMax} entries`);
  const wanted = new Map<MonitorId, string>();
  for (const id of distinct) {
    const known = await all.idOf(id);
    if (known === null) throw noMonitor(id);
    wanted.set(known, id);
  }
  const there = new Set((await all.among([...wanted.keys()])).map(({ id }) => id));
  for (const [id, text] of wanted) if (!there.has(id)) throw noMonitor(text);
  return [...wanted.keys()];
}
