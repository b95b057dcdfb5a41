import { slotBefore } from "#agent/prober/schedule/slots";
import type { RunSpan } from "#agent/state/run-span";
import { after, type EpochMillis, millis } from "#base/units";
import * as limits from "#limits/prober-limits";
import type { Assignment } from "#wire/read-assignment";

/**
 * The newest slot of each monitor that is known to have been checked when its agent starts again: by what the service said
 * of it, or because the agent ran it then. So a restart checks again what was due meanwhile, and nothing twice.
 */
export function recalledSlots(
  { monitors, newestSlots }: Pick<Assignment, "monitors" | "newestSlots">,
  ran: RunSpan | null,
): ReadonlyMap<string, EpochMillis> {
  if (ran === null) return newestSlots;
  const slots = new Map(newestSlots);
  // A check begins a little after its slot: one whose slot was just before the end was not begun any more.
  const begun = after(ran.to, millis(0 - limits.startPutOffMax));
  for (const { id, periodicity } of monitors) {
    const slot = slotBefore(id, periodicity, begun);
    if (slot >= ran.from && slot > (slots.get(id) ?? -Infinity)) slots.set(id, slot);
  }
  return slots;
}
