import type { Objective } from "#check/alert-policy";
import * as limits from "#limits/report-limits";
import type { ReportPeriod } from "#service/operator/reports/report-period";
import { type Day, dayLength, knownOf, uptimeOf } from "#web/page/chart/calendar";
import { counted } from "#base/text";
import { downtimeOf, lengthOf, monthDay } from "#web/page/format";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** How long a monitor may be down, and what is left of that. */
interface ErrorBudget {
  readonly objective: Objective;
  /** `99.98 %`, of the objective's days; null if nothing is known of them. */
  readonly uptime: string | null;
  /** All that it may be down in the objective's days, or in what was seen of them. */
  readonly allowed: Millis;
  /** What was seen of a monitor that is younger than the objective's days; null if it is not. */
  readonly seen: Millis | null;
  readonly used: Millis;
  /** Negative once it is used up. */
  readonly left: Millis;
  /** It is down now: how long is not known, so nothing can be said of when the budget is used up. */
  readonly isDown: boolean;
  readonly wasDownLately: boolean;
  /**
   * When nothing is left, if it is down for as long each day as lately; null if it is used up, if that is later than the
   * objective's days, or while it is down.
   */
  readonly usedUpAt: EpochMillis | null;
}

/**
 * The budget of the days up to now; `days` are whole days of UTC, oldest first, today last. Of a monitor that is younger
 * it is that of the time that was seen, as uptime is. Degraded time is no downtime.
 */
export function errorBudget(
  objective: Objective,
  days: readonly Day[],
  { now, isDown }: { readonly now: EpochMillis; readonly isDown: boolean },
): ErrorBudget {
  const window = days.slice(-objective.days);
  const down = downOf(window);
  const known = knownOf(window);
  const isYoung = known > 0 && known < (objective.days - 1) * dayLength;
  const time = isYoung ? known : millis(objective.days * dayLength);
  const allowed = allowedDown(objective.percent, time);
  const left = millis(allowed - down);
  const lately = days.slice(-limits.budgetPaceDays);
  const pace = downOf(lately) / Math.max(1, lately.length);
  // The budget of a young monitor grows each day.
  const lasts = isYoung || pace <= 0 || left <= 0;
  const end = lasts ? null : after(now, millis((left / pace) * dayLength));
  // Later than that, the days of today's downtime no longer count.
  const isWithin = end !== null && end < after(now, millis(objective.days * dayLength));
  return {
    objective,
    uptime: uptimeOf(window),
    allowed,
    seen: isYoung ? known : null,
    used: down,
    left,
    isDown,
    wasDownLately: pace > 0,
    usedUpAt: isWithin && !isDown ? end : null,
  };
}

/**
 * What is left of a period's budget: that of the time that was seen, and of the rest of it. It is used up once the
 * period's uptime cannot reach the objective. Negative then, and null if nothing was seen.
 */
export function leftInPeriod(
  percent: number,
  { known, down }: Pick<Day, "known" | "down">,
  { from, to, days }: Pick<ReportPeriod, "from" | "to" | "days">,
): Millis | null {
  if (known === 0) return null;
  const rest = from + days * dayLength - to;
  return millis(allowedDown(percent, millis(known + rest)) - down);
}

/**
 * When a period's budget is used up if the monitor is down as often as so far; null if that is after it, if nothing is
 * left, if it has ended, or while it fails: how long it will is not known.
 */
export function usedUpInPeriod(
  left: Millis,
  { known, down }: Pick<Day, "known" | "down">,
  { from, to, days, hasEnded }: Pick<ReportPeriod, "from" | "to" | "days" | "hasEnded">,
  isFailing: boolean,
): EpochMillis | null {
  if (hasEnded || isFailing || left <= 0 || down <= 0) return null;
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

/** `Error budget: 31 min of 43 min left in these 30 days. At the pace of the last 7 days, it is used up on 29 Nov.` */
export function budgetWords(budget: ErrorBudget): string {
  const { allowed, left, used, isDown, objective, seen } = budget;
  const down = `It was down for ${downtimeOf(used)}.`;
  const days = counted(objective.days, "day");
  if (seen !== null && allowed < limits.budgetShownFrom) {
    const little = `Checks saw ${lengthOf(seen)} of ${days} so far: too little for an error budget.`;
    return used === 0 ? little : `${little} ${down}`;
  }
  const time =
    seen === null ? `in these ${days}` : `in the ${lengthOf(seen)} of ${days} that checks saw`;
  if (left <= 0) return `Error budget: none of ${lengthOf(allowed)} left ${time}. ${down}`;
  const rest = used === 0 ? "all" : `${lengthOf(left)} of`;
  const words = `Error budget: ${rest} ${lengthOf(allowed)} left ${time}.`;
  if (isDown) return `${words} It is down now, so this becomes less.`;
  return used === 0 ? words : `${words} ${paceWords(budget)}`.trimEnd();
}

/** Empty if the budget lasts: e.g. the downtime is older than that soon. */
function paceWords({ usedUpAt, wasDownLately }: ErrorBudget): string {
  const days = `the last ${limits.budgetPaceDays} days`;
  if (!wasDownLately) return `It was not down in ${days}.`;
  return usedUpAt === null ? "" : `At the pace of ${days}, it is used up on ${monthDay(usedUpAt)}.`;
}
