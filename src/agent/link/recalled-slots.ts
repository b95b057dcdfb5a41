import { slotBefore } from "#agent/prober/schedule/slots";
import type { KeptRuns } from "#agent/state/kept-runs";
import { epochMillis, type EpochMillis } from "#base/units";
import type { Monitor } from "#check/monitor";
import type { Assignment } from "#wire/read-assignment";

/**
 * The newest slot of each monitor that is known to have been checked when its agent starts again: by what the service said
 * of it, or because the agent ran it then. So a restart checks again what was due meanwhile, or was cut short.
 */
export function recalledSlots(
  { monitors, newestSlots }: Pick<Assignment, "monitors" | "newestSlots">,
  runs: KeptRuns | null,
): ReadonlyMap<string, EpochMillis> {
  if (runs === null) return newestSlots;
  const slots = new Map(newestSlots);
  for (const monitor of monitors) {
    const slot = newestRun(monitor, runs);
    if (slot > (slots.get(monitor.id) ?? -Infinity)) slots.set(monitor.id, epochMillis(slot));
  }
  return slots;
}

function newestRun(
  { id, periodicity }: Pick<Monitor, "id" | "periodicity">,
  { spans, since, checked }: KeptRuns,
): number {
  const apart = checked.get(id) ?? -Infinity;
  const first = since.get(id) ?? -Infinity;
  for (const { from, to, missed } of spans.toReversed()) {
    const last = epochMillis(Math.min(to, (missed.get(id) ?? Infinity) - 1));
    const slot = slotBefore(id, periodicity, last);
    if (slot >= Math.max(from, first)) return Math.max(slot, apart);
  }
  return apart;
}
