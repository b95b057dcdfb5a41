import {
  type Maintenance,
  type Window,
  windowFrom,
  windowsAfter,
} from "#service/alerting/maintenance";
import * as limits from "#limits/status-limits";
import { after, epochMillis, type EpochMillis, type Millis } from "#base/units";

/** What subscribers are sent of planned work by itself, next to what people send. */
export interface SaidMoments {
  /** That it begins soon. */
  readonly reminder: boolean;
  /** That it begins, and that it is over. */
  readonly times: boolean;
}

/** Nothing by itself. */
export const noMoments: SaidMoments = { reminder: false, times: false };

/** A moment of planned work that subscribers are sent. */
export interface WorkMoment {
  readonly is: "reminder" | "begun" | "ended";
  /** When it is to be said. */
  readonly at: EpochMillis;
  /** The time of the work that it is about. */
  readonly window: Window;
}

interface SayingPlan {
  readonly plan: Maintenance;
  readonly says: SaidMoments;
  /** Since when its times are as they are. */
  readonly plannedAt: EpochMillis;
  /** When it was changed last; an early end is a change, too. */
  readonly updatedAt: EpochMillis;
}

/**
 * What is to be said now. What is late, since the service was stopped, is not said: it would be stale. An end by hand is
 * for whoever ended it to say, and times that were planned after a moment were announced with what they are.
 */
export function momentsDue(
  { plan, says, plannedAt, updatedAt }: SayingPlan,
  now: EpochMillis,
): readonly WorkMoment[] {
  const since = before(now, limits.workMomentLateMax);
  const isDue = (at: EpochMillis): boolean => at > since && at <= now;
  return windowsAfter(plan, since, windowsNear).flatMap((window): WorkMoment[] => {
    const { from, to } = window;
    const reminded = before(from, limits.workRemindedBefore);
    if (from > after(now, limits.workRemindedBefore) || !isSeldom(plan, window)) return [];
    if (says.reminder && isDue(reminded) && now < from && plannedAt <= reminded)
      return [{ is: "reminder", at: reminded, window }];
    if (says.times && isDue(from) && now < to && plannedAt < from)
      return [{ is: "begun", at: from, window }];
    if (says.times && isDue(to) && updatedAt < to) return [{ is: "ended", at: to, window }];
    return [];
  });
}

/** One that ended just now, one that lasts, and one that begins soon. */
const windowsNear = 3;

/** Of work that repeats more often than weekly only the first time is said: readers know the others by the announcement. */
export function isSeldom(plan: Maintenance, { from }: Window): boolean {
  if (plan.recurrence === null) return true;
  const near = before(from, limits.workMomentsApart);
  return windowsAfter(plan, near, windowsNear).every((one) => one.from <= near || one.from >= from);
}

const before = (instant: EpochMillis, duration: Millis): EpochMillis =>
  epochMillis(instant - duration);

/** Whether a moment is past its use: what it says is over, or is planned otherwise by now. */
export function isStale(
  { is, window: { from } }: Omit<WorkMoment, "at">,
  plan: Maintenance,
  now: EpochMillis,
): boolean {
  const window = windowFrom(plan, from);
  if (window === null) return true;
  switch (is) {
    case "reminder":
      return now >= window.from;
    case "begun":
      return now >= window.to;
    case "ended":
      return now < window.to;
  }
}
