import type { EpochMillis } from "#base/units";
import { dayAndTime, isoTime, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** An instant in a sentence, which each reader of a page has in their zone: `12 Nov, 14:03:22 UTC`. */
export const timeMark = (instant: EpochMillis): Html => marked(instant, dayAndTime(instant));

/** The same of the next minutes: `14:03:22 UTC`. */
export const clockMark = (instant: EpochMillis): Html => marked(instant, timeOfDay(instant));

const marked = (instant: EpochMillis, words: string): Html =>
  html`<time datetime="${isoTime(instant)}">${words}</time>`;
