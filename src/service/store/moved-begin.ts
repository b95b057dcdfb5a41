import { movedEndsMax } from "#limits/store-limits";
import { isSkipped } from "#service/alerting/maintenance";
import { planColumns, replacedPlan } from "#service/store/earlier-plans";
import { isEndMovable, timeBegun } from "#service/store/moved-ends";
import type { MaintenanceRow, MovedBegin } from "#service/store/maintenance-store";

type Columns = readonly (readonly [column: string, value: number | string])[];

/** What is written if a beginning is moved; null if it is not as it was seen any more. */
export function movedBeginColumns(before: MaintenanceRow, moved: MovedBegin): Columns | null {
  if (!isEndMovable(before) || moved.from >= moved.to) return null;
  return before.recurrence === "" ? ofOnce(before, moved) : ofOneTime(before, moved);
}

function ofOnce(before: MaintenanceRow, { seen, end, from, to, at }: MovedBegin): Columns | null {
  if (before.from !== seen || before.to !== end) return null;
  return [
    ["begins_at", from],
    ["ends_at", to],
    ...planColumns(before, { ...before, from, to }, at),
  ];
}

/** One time of what repeats begins now, or when it was to at first: all others stay as they are. */
function ofOneTime(
  before: MaintenanceRow,
  { seen, end, from, to, at }: MovedBegin,
): Columns | null {
  const known = timeBegun(before, seen);
  if (known === null || (known !== undefined && (known.to !== end || isSkipped(known))))
    return null;
  const [first, planned] = [known?.from ?? seen, known?.planned ?? end];
  if (from > at && from !== first) return null;
  const others = before.movedEnds.filter((one) => one !== known);
  const early = from === first ? {} : { begins: from };
  const all =
    from === first && to === planned ? others : [...others, { from: first, planned, to, ...early }];
  const kept = all.toSorted((a, b) => a.from - b.from).slice(-movedEndsMax);
  return [["moved_ends", JSON.stringify(kept)], ...replacedPlan(before, at)];
}
