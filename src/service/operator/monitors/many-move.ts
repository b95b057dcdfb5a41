import * as limits from "#limits/pages-limits";
import { refuseManaged } from "#service/operator/managed-note";
import { canUndo, undoingForms } from "#service/operator/monitors/many-undo";
import type { PageContext } from "#service/operator/page-request";
import type { MonitorId } from "#service/store/ids";
import type { MonitorChange } from "#service/store/monitor-change";
import type { MonitorRow } from "#service/store/state-store";

/** What a move takes away: all locations but the one that it assigns. */
export function leavingOf(
  rows: readonly MonitorRow[],
  assigned: MonitorChange,
): readonly MonitorChange[] {
  if (assigned.kind !== "location") return [];
  const others = new Set(rows.flatMap(({ locations }) => locations));
  others.delete(assigned.location);
  return [...others].map((location) => ({ kind: "location", location, assigned: false }));
}

/** What gives each its former locations back: first those that it left, so that it always runs somewhere. */
export const undoingMove = (
  rows: readonly MonitorRow[],
  assigned: MonitorChange,
  leaving: readonly MonitorChange[],
): readonly URLSearchParams[] => [...leaving, assigned].flatMap((one) => undoingForms(rows, one));

/** Whether a move of these has more to go back to than one undo does. */
export const isTooFar = (
  rows: readonly MonitorRow[],
  assigned: MonitorChange,
  leaving: readonly MonitorChange[],
): boolean =>
  leaving.length > limits.undoStepsMax || !canUndo(undoingMove(rows, assigned, leaving));

/** If files manage one of the locations, nothing is moved. */
export async function refuseLeaving(
  { rooms }: PageContext,
  leaving: readonly MonitorChange[],
): Promise<void> {
  const ids = leaving.flatMap((one) => (one.kind === "location" ? [one.location] : []));
  for (const { name, owner } of await rooms.locations.among(ids))
    refuseManaged({ owner }, `the location "${name}"`);
}

/** Those that run at the location which is left. */
export const leaversOf = (
  rows: readonly MonitorRow[],
  change: MonitorChange,
): readonly MonitorId[] =>
  rows
    .filter(({ locations }) => change.kind !== "location" || locations.includes(change.location))
    .map(({ id }) => id);
