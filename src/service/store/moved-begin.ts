import { planColumns } from "#service/store/earlier-plans";
import type { MaintenanceRow, MovedBegin } from "#service/store/maintenance-store";

type Columns = readonly (readonly [column: string, value: number | string])[];

/** What is written if a beginning is moved; null if it is not as it was seen any more. */
export function movedBeginColumns(
  before: MaintenanceRow,
  { seen, end, from, to, at }: MovedBegin,
): Columns | null {
  if (!isBeginMovable(before) || before.from !== seen || before.to !== end || from >= to)
    return null;
  return [
    ["begins_at", from],
    ["ends_at", to],
    ...planColumns(before, { ...before, from, to }, at),
  ];
}

/** All times of what repeats follow from the first, and a file would bring its own beginning back. */
export const isBeginMovable = ({
  owner,
  recurrence,
}: Pick<MaintenanceRow, "owner" | "recurrence">): boolean => owner === "" && recurrence === "";
