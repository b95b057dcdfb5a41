import * as limits from "#limits/report-limits";
import type { ReportPeriod } from "#service/operator/reports/report-period";
import type { ReportRow } from "#service/operator/reports/uptime-report";
import { uptimeWords } from "#web/page/chart/calendar";
import { downtimeOf } from "#web/page/format";
import { counted } from "#base/text";
import { type Millis, millis } from "#base/units";

/** Whether a period keeps what a monitor's objective says. */
export type ObjectiveState = "met" | "on_track" | "missed";

/** It is missed once its budget is used up. Null without an objective, or if nothing is known of the monitor. */
export function objectiveState(
  { budgetLeft }: Pick<ReportRow, "budgetLeft">,
  { hasEnded }: Pick<ReportPeriod, "hasEnded">,
): ObjectiveState | null {
  if (budgetLeft === null) return null;
  if (budgetLeft < 0) return "missed";
  return hasEnded ? "met" : "on_track";
}

/** `2 of 3 objectives are met. Missed: Billing API, by 31 min.` Null if no monitor has one that can be judged. */
export function objectivesInWords(rows: readonly ReportRow[], period: ReportPeriod): string | null {
  const judged = rows.flatMap((row) => {
    const state = objectiveState(row, period);
    return state === null ? [] : [{ row, state }];
  });
  if (judged.length === 0) return null;
  const missed = judged.filter(({ state }) => state === "missed");
  const state = period.hasEnded ? "met" : "on track";
  const kept = judged.length - missed.length;
  const first =
    judged.length === 1
      ? `The objective is ${missed.length === 0 ? state : "missed"}`
      : missed.length === 0
        ? `All ${judged.length} objectives are ${state}`
        : `${kept} of ${judged.length} objectives are ${state}`;
  if (missed.length === 0) return `${first}.`;
  const [only] = missed;
  if (judged.length === 1 && only !== undefined) return `${first}: ${missedWords(only.row)}.`;
  const worst = missed.toSorted((a, b) => (a.row.budgetLeft ?? 0) - (b.row.budgetLeft ?? 0));
  const named = worst.slice(0, limits.missesNamedMax).map(({ row }) => missedWords(row));
  const more = missed.length - named.length;
  return `${first}. Missed: ${[...named, ...(more > 0 ? [counted(more, "other monitor")] : [])].join("; ")}.`;
}

const missedWords = ({ name, known, down, objective, budgetLeft }: ReportRow): string => {
  const over = budgetLeft !== null && budgetLeft < 0 ? `, ${overBy(budgetLeft)} too much` : "";
  return `${name} (${uptimeWords(known, down) ?? "no data"} of ${objective?.percent ?? 0}\u00a0%${over})`;
};

export const overBy = (left: Millis): string => downtimeOf(millis(Math.abs(left)));
