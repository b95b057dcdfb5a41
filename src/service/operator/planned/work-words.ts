import { lengthOf, remainingLength } from "#web/page/format";
import type { Html } from "#web/page/html";
import { minutesFromTo } from "#web/page/moment";
import { plannedMark, verdictMark } from "#web/page/verdict-mark";
import type { Window } from "#service/alerting/maintenance";
import type { StatusPageRow } from "#service/store/page-store";
import { between, type EpochMillis } from "#base/units";

/* Planned work in words, the same in the list and on the page of one. */

/** Of the window that it is in or that comes next; null if none comes any more. */
export function workMark(window: Window | null, at: EpochMillis): Html {
  if (window === null) return verdictMark("success", "Completed");
  return plannedMark(window.from <= at ? "Now" : "Planned");
}

/** `in 2 d 9 h, for 1 h 30 min`. */
export function whenWords({ from, to }: Window, at: EpochMillis): string {
  const whole = lengthOf(between(from, to));
  if (to <= at) return `${lengthOf(between(to, at))} ago, for ${whole}`;
  return from <= at
    ? `${remainingLength(at, to)} left of ${whole}`
    : `in ${remainingLength(at, from)}, for ${whole}`;
}

export const windowWords = ({ from, to }: Window): Html => minutesFromTo(from, to);

/** Where readers see planned work; `page` null: it is on none. */
export function shownWords(page: StatusPageRow | null): string {
  if (page === null) return "No status page shows it.";
  const { title, published } = page.definition;
  return published
    ? `The status page “${title}” shows it.`
    : `The status page “${title}” is a draft: publish it, and its readers see this.`;
}
