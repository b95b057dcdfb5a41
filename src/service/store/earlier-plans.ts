import * as storeLimits from "#limits/store-limits";
import type { EarlierPlan, MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/** When planned work is, and on what of which page. */
export type TimedPlan = Omit<EarlierPlan, "since" | "until" | "movedEnds">;

const planOf = ({ from, to, recurrence, timeZone, page, components }: TimedPlan): TimedPlan => ({
  from,
  to,
  recurrence,
  timeZone,
  page,
  components,
});

const isSamePlan = (some: TimedPlan, other: TimedPlan): boolean =>
  JSON.stringify(planOf(some)) === JSON.stringify(planOf(other));

/** What was planned up to now, once it is planned anew: with the newest of the plans before that. */
function plansBefore(row: MaintenanceRow, at: EpochMillis): readonly EarlierPlan[] {
  const last = { ...planOf(row), movedEnds: row.movedEnds, since: row.plannedAt, until: at };
  return [...row.earlierPlans, last]
    .filter(({ from, since, until }) => from < until && since < until)
    .slice(-storeLimits.earlierPlansMax);
}

/** How plans of before are kept: the first of them did not have times with another end. */
type KeptPlan = Omit<EarlierPlan, "movedEnds"> & Partial<Pick<EarlierPlan, "movedEnds">>;

export function earlierPlansIn(json: string): readonly EarlierPlan[] {
  const plans: readonly KeptPlan[] = JSON.parse(json);
  return plans.map((plan) => ({ ...plan, movedEnds: plan.movedEnds ?? [] }));
}

type Columns = readonly (readonly [column: string, value: number | string])[];

/** What is written if planned work becomes this; nothing if its times and components stay as they are. */
export const planColumns = (before: MaintenanceRow, to: TimedPlan, at: EpochMillis): Columns =>
  isSamePlan(before, to) ? [] : replacedPlan(before, at);

export const replacedPlan = (before: MaintenanceRow, at: EpochMillis): Columns => [
  ["planned_at", at],
  ["earlier_plans", JSON.stringify(plansBefore(before, at))],
];
