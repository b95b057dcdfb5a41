import type { EpochMillis } from "#base/units";
import { dayAndTime, isoTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** A time with its day, which a script may show in the reader's zone. */
export const momentOf = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`;
