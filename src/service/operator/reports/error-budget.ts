import type { Objective } from "#check/alert-policy";
import * as limits from "#limits/report-limits";
import type { ReportMonth } from "#service/operator/reports/report-month";
import { type Day, dayLength, uptimeOf } from "#web/page/chart/calendar";
import { lengthOf, monthDay } from "#web/page/format";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** How long a monitor may be down, and what is left of that. */
interface ErrorBudget {
  readonly objective: Objective;
  /** `99.98 %`, of the objective's days; null if nothing is known of them. */
  readonly uptime: string | null;
  /** All that it may be down in the objective's days. */
  readonly allowed: Millis;
  readonly used: Millis;
  /** Negative once it is used up. */
  readonly left: Millis;
  /** When nothing is left, if it is down for as long each day as lately; null if it is used up, or lasts. */
  readonly usedUpAt: EpochMillis | null;
}

/**
 * The budget of the days up to now; `days` are whole days of UTC, oldest first, today last. What was not seen is no
 * downtime. Degraded time is none either.
 */
export function errorBudget(
  objective: Objective,
  days: readonly Day[],
  now: EpochMillis,
): ErrorBudget {
  const window = days.slice(-objective.days);
  const down = downOf(window);
  const allowed = allowedDown(objective.percent, millis(objective.days * dayLength));
  const left = millis(allowed - down);
  const lately = days.slice(-limits.budgetPaceDays);
  const pace = downOf(lately) / Math.max(1, lately.length);
  const lasts = pace <= 0 || left <= 0;
  return {
    objective,
    uptime: uptimeOf(window),
    allowed,
    used: down,
    left,
    usedUpAt: lasts ? null : after(now, millis((left / pace) * dayLength)),
  };
}

/**
 * What is left of a month's budget: that of the time that was seen, and of the rest of the month. It is used up once the
 * month's uptime cannot reach the objective. Negative then, and null if nothing was seen.
 */
export function leftInMonth(
  percent: number,
  { known, down }: Pick<Day, "known" | "down">,
  { from, to, days }: Pick<ReportMonth, "from" | "to" | "days">,
): Millis | null {
  if (known === 0) return null;
  const rest = from + days * dayLength - to;
  return millis(allowedDown(percent, millis(known + rest)) - down);
}

/**
 * When a month's budget is used up if the monitor is down as often as so far; null if that is after the month, if nothing is
 * left, or if the month has ended.
 */
export function usedUpInMonth(
  left: Millis,
  { known, down }: Pick<Day, "known" | "down">,
  { from, to, days, hasEnded }: Pick<ReportMonth, "from" | "to" | "days" | "hasEnded">,
): EpochMillis | null {
  if (hasEnded || left <= 0 || down <= 0) return null;
  const at = after(to, millis((left * known) / down));
  return at < from + days * dayLength ? at : null;
}

const allowedDown = (percent: number, time: Millis): Millis =>
  millis(Math.round(time * (1 - percent / 100)));

const downOf = (days: readonly Day[]): Millis =>
  millis(days.reduce((sum, day) => sum + day.down, 0));

/** `99.9 % over 30 d`. */
export const objectiveWords = ({ percent, days }: Objective): string =>
  `${percent}\u00a0% over ${days}\u00a0d`;

/** `31 min of 43 min are left. At the pace of the last 7 days they are used up on 29 Nov.` */
export function budgetWords({ allowed, left, used, usedUpAt }: ErrorBudget): string {
  if (left <= 0)
    return `The error budget of ${lengthOf(allowed)} is used up: it was down for ${lengthOf(used)}.`;
  const rest = `${lengthOf(left)} of the error budget of ${lengthOf(allowed)} are left.`;
  if (used === 0) return `${rest} It was not down.`;
  const days = `the last ${limits.budgetPaceDays} days`;
  return usedUpAt === null
    ? `${rest} It was not down in ${days}.`
    : `${rest} At the pace of ${days}, it is used up on ${monthDay(usedUpAt)}.`;
}
