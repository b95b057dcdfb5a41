import { type Incident, isOpen } from "#service/alerting/incident";
import { type FreshView, isGood, run } from "#service/alerting/presence";
import { counts } from "#service/monitors/judge";
import { type JudgedMonitor, seenAs } from "#service/monitors/judged-monitor";
import { rhythmOf } from "#service/monitors/view";
import type { Turn } from "#service/store/evidence-store";
import { between, epochMillis, type EpochMillis, type Millis } from "#base/units";

/** Views that say something of the present, with the exact instants where they were looked up. */
export function freshViews(
  { row, views }: JudgedMonitor,
  turns: readonly Turn[],
  before: Incident | null,
  now: EpochMillis,
): readonly FreshView[] {
  const rhythm = rhythmOf(row.definition);
  return views
    .filter((view) => counts(view, rhythm, now))
    .filter((view) => isOpen(before) || !isJustBack(view, rhythm.periodicity))
    .filter(({ slot }) => !isOfBeforePause(before, slot))
    .map(({ location, slot, recent, status, since }) => {
      const turn = turns.find((one) => one.location === location);
      const isGood = status === "success";
      const troubleSince = turn?.troubleSince ?? since;
      return {
        recent,
        // What lasted through a pause begins with the first check after it.
        troubleSince: isGood ? null : isOfBeforePause(before, troubleSince) ? slot : troubleSince,
        wellSince: isGood ? (turn?.wellSince ?? since) : null,
      };
    });
}

/** Whether it was before the pause that closed the incident of before: one that opens is of checks after it. */
const isOfBeforePause = (before: Incident | null, at: EpochMillis): boolean =>
  before?.ended?.because === "deactivated" && at <= before.ended.at;

/**
 * Whether the end of an incident may wait for a location that was never but good, e.g. one that was just assigned. Its
 * first good results make no monitor due, so the monitor has to be looked at again without that.
 */
export const awaitsNewcomer = (
  { row, views }: JudgedMonitor,
  successes: number,
  now: EpochMillis,
): boolean =>
  views
    .filter((view) => counts(view, rhythmOf(row.definition), now))
    .some(({ recent }) => recent.length < successes && run(recent, isGood) === recent.length);

/** The newest slot that says something of the target; null if there is none. */
export function newestSlotOf({ views }: JudgedMonitor): EpochMillis | null {
  const slots = views.map(({ slot }) => slot);
  return slots.length === 0 ? null : epochMillis(Math.max(...slots));
}

/** A failure of the first round after its location could see nothing may be the end of that: one round more decides. */
const isJustBack = (
  { status, blindSlot, slot }: JudgedMonitor["views"][number],
  period: Millis,
): boolean => status === "error" && blindSlot !== null && between(blindSlot, slot) < 2 * period;

/** The locations that see something wrong; of what is well, all that see it. */
export function seeing({ row, views }: JudgedMonitor, now: EpochMillis): readonly number[] {
  const fresh = views.filter((view) => counts(view, rhythmOf(row.definition), now));
  const troubled = fresh.filter(({ status }) => seenAs[status] !== "active");
  return (troubled.length > 0 ? troubled : fresh).map(({ location }) => location);
}

/** The view whose result a message shows: an error before what is slow, the newest before older ones. */
export function worstView(
  { row, views }: JudgedMonitor,
  now: EpochMillis,
): JudgedMonitor["views"][number] | null {
  const ranks = { error: 0, degraded: 1, success: 2 };
  const fresh = views.filter((view) => counts(view, rhythmOf(row.definition), now));
  const [worst] = fresh.toSorted((a, b) => ranks[a.status] - ranks[b.status] || b.slot - a.slot);
  return worst ?? null;
}
