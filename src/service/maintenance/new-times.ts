import {
  beginOf,
  type Maintenance,
  type Window,
  windowAt,
  windowFrom,
} from "#service/alerting/maintenance";
import type { EpochMillis } from "#base/units";

/** A window that has other times than people were notified of, and those that they know. */
interface NewTimes {
  readonly window: Window;
  readonly before: Window;
}

/**
 * What is new to those who were notified of a window while it lasts; null if nothing is. The next window of what repeats
 * may begin at its end, or in it if that was extended: it is as planned, and no change, unless its own end was moved.
 */
export function newTimesOf(
  plan: Maintenance,
  announced: Window,
  now: EpochMillis,
): NewTimes | null {
  const window = windowAt(plan, now);
  if (window === null) return null;
  const { from, to } = announced;
  if (window.from === from) return window.to === to ? null : { window, before: { from, to } };
  const isAsAnnounced = windowFrom(plan, from)?.to === to;
  if (!isAsAnnounced) return window.from >= to ? null : { window, before: { from, to } };
  const moved = plan.movedEnds.find((one) => beginOf(one) === window.from);
  return moved === undefined ? null : { window, before: { from: window.from, to: moved.planned } };
}
