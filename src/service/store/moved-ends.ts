import * as storeLimits from "#limits/store-limits";
import { beginOf, isSkipped, type MovedWindow, windowOnDayOf } from "#service/alerting/maintenance";
import { readRecurrence } from "#service/alerting/recurrence";
import { planColumns, replacedPlan, type TimedPlan } from "#service/store/earlier-plans";
import type { MaintenanceRow, MovedEnd } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

type Columns = readonly (readonly [column: string, value: number | string])[];

/** What is written if an end is moved; null if it is not as it was seen any more. */
export function movedColumns(before: MaintenanceRow, moved: MovedEnd): Columns | null {
  if (!isEndMovable(before) || moved.to < moved.from) return null;
  return before.recurrence === "" ? ofOnce(before, moved) : ofOneTime(before, moved);
}

/**
 * What files own and happens once has its end in the file, which would bring it back. That one time of what repeats has
 * another end is nothing that a file says, and no apply changes it.
 */
export const isEndMovable = ({
  owner,
  recurrence,
}: Pick<MaintenanceRow, "owner" | "recurrence">): boolean => owner === "" || recurrence !== "";

function ofOnce(before: MaintenanceRow, { from, seen, to, at }: MovedEnd): Columns | null {
  if (before.to !== seen || before.from !== from || to === from) return null;
  return [["ends_at", to], ...planColumns(before, { ...before, to }, at)];
}

/** What is kept of the time that begins at an instant; undefined: it is as planned; null: it began early, at another one. */
export function timeBegun(
  { movedEnds }: MaintenanceRow,
  from: EpochMillis,
): MovedWindow | undefined | null {
  const known = movedEnds.find((one) => beginOf(one) === from);
  return known === undefined && movedEnds.some((one) => one.from === from) ? null : known;
}

/** One time of what repeats: the plan stays as it is, and so do all other times. One that comes may end as it begins: it is skipped. */
function ofOneTime(before: MaintenanceRow, moved: MovedEnd): Columns | null {
  const { from, planned, seen, to, at } = moved;
  if (to === from && from <= at) return null;
  const known = timeBegun(before, from);
  if (known === null || (known?.to ?? planned) !== seen) return null;
  const others = before.movedEnds.filter((one) => one !== known);
  const first = known?.planned ?? planned;
  const isEarly = known?.begins !== undefined;
  const own = { ...known, from: known?.from ?? from, planned: first, to };
  const all = to === first && !isEarly ? others : [...others, own];
  const kept = all.toSorted((a, b) => a.from - b.from).slice(-storeLimits.movedEndsMax);
  // What was down between an early end and its undoing was not planned work.
  const plan = seen <= at ? replacedPlan(before, at) : [];
  return [["moved_ends", JSON.stringify(kept)], ...plan];
}

/**
 * Those that still count once work is planned as `to`: at other times, those that have ended before they were to. What is
 * skipped stays so on its day, at whatever time the work begins then.
 */
export function endsThatStay(
  before: MaintenanceRow,
  to: TimedPlan,
  at: EpochMillis,
): readonly MovedWindow[] {
  const isSame = timesOf(before) === timesOf(to);
  if (isSame) return before.movedEnds;
  return before.movedEnds.flatMap((one) => {
    if (isSkipped(one)) return at < one.from ? skippedIn(one, before, to) : [];
    return one.to <= at && at < one.planned ? [one] : [];
  });
}

function skippedIn(one: MovedWindow, before: TimedPlan, to: TimedPlan): readonly MovedWindow[] {
  const read = to.recurrence === "" ? null : readRecurrence(to.recurrence);
  const recurrence = read?.ok === true ? read.value : null;
  const window = windowOnDayOf(one.from, before.timeZone, { ...to, recurrence });
  return window === null ? [] : [{ from: window.from, planned: window.to, to: window.from }];
}

const timesOf = ({ from, to, recurrence, timeZone }: TimedPlan): string =>
  JSON.stringify([from, to, recurrence, timeZone]);

/** The step that made room for them. Released steps are never edited. */
export const movedEndsOfWork: string = `
  -- JSON: times of what repeats that were ended early or extended by themselves.
  ALTER TABLE maintenances ADD COLUMN moved_ends TEXT NOT NULL DEFAULT '[]';
  `;
