import type { EpochMillis } from "#base/units";
import { dayAndMinute, dayAndTime, isoTime, nearMinute, weekdayAndMinute } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** A time with its day, which a script may show in the reader's zone. */
export const momentOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`;

/** The same to the minute, of what is planned. */
export const minuteOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndMinute(at)}</time>`;

/** The same with the day of the week. */
export const weekdayMinuteOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${weekdayAndMinute(at)}</time>`;

/** What comes after another time: its day is said if that is another one, also in the zone of the reader. */
export const minuteAfter = (at: EpochMillis, other: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}" data-after="${isoTime(other)}"
    >${nearMinute(at, other)} UTC</time
  >`;

/** `Thu 12 Nov, 14:00 to 15:30 UTC`: the day once, and the zone once. */
export const minutesFromTo = (from: EpochMillis, to: EpochMillis): Html =>
  html`<time datetime="${isoTime(from)}">${weekdayAndMinute(from).replace(/ UTC$/, "")}</time> to
    ${minuteAfter(to, from)}`;
