import type { Window } from "#service/alerting/maintenance";
import type { WorkMoment } from "#service/alerting/work-moments";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/** The times of planned work, as subscribers know them. */
export type SaidTimes = Pick<MaintenanceRow, "from" | "to" | "recurrence" | "timeZone">;

/** What a letter about planned work is for; its row keeps it as JSON. */
export type SaidWork =
  | { readonly is: "announced" }
  /** `skipped`: the beginnings of dates that were cancelled since something was said last. */
  | ({ readonly is: "updated"; readonly skipped?: readonly EpochMillis[] } & SaidComponents)
  /** It has other times than those that were said last. */
  | ({ readonly is: "changed"; readonly before: SaidTimes } & SaidComponents)
  | { readonly is: WorkMoment["is"]; readonly window: Window };

interface SaidComponents {
  /** Those that were said last, if they were others; none: all of the page. */
  readonly components?: readonly number[];
}

/** What is kept of it with what became of its letters: with the times that it said. */
export interface SavedSaying extends SaidTimes {
  readonly is: SaidWork["is"];
  /** The beginnings of dates that were cancelled by then; left out by an older version of the service. */
  readonly skipped?: readonly EpochMillis[];
  /** When dates were to begin that had begun early by then; left out by an older version of the service. */
  readonly early?: readonly EpochMillis[];
  /** Of the page; left out by an older version of the service. */
  readonly components?: readonly number[];
}

/** Null of reports, and of what was said before this was kept. */
export function savedSaying(json: string): SavedSaying | null {
  if (json === "") return null;
  const saved: SavedSaying = JSON.parse(json);
  return saved;
}

/** What a letter is for. An older version of the service did not write that. */
export function saidIn(json: string): SaidWork {
  if (json === "") return { is: "updated" };
  const said: SaidWork = JSON.parse(json);
  return said;
}
