import type { EpochMillis } from "#base/units";
import { dayAndMinute, dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** A time with its day, which a script may show in the reader's zone. */
export const momentOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`;

/** The same to the minute, of what is planned. */
export const minuteOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndMinute(at)}</time>`;
