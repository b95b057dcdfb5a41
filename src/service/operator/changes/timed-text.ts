import { cutText } from "#base/text";
import { epochMillis, type EpochMillis } from "#base/units";
import { dayAndTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";

/* Words with instants in them, as the log writes those: a person reads each in their zone. */

const instants = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/;

export const timedText = (words: string): Html =>
  html`${partsOf(words).map((part) => (typeof part === "string" ? html`${part}` : momentOf(part)))}`;

/** Cut to a length, without an instant that has no room. */
export function cutTimed(words: string, charsMax: number): string {
  let left = charsMax;
  let cut = "";
  for (const part of partsOf(words)) {
    const length = typeof part === "string" ? part.length : dayAndTime(part).length;
    if (length > left) return `${cut}${typeof part === "string" ? cutText(part, left) : "…"}`;
    left -= length;
    cut += typeof part === "string" ? part : new Date(part).toISOString();
  }
  return cut;
}

const partsOf = (words: string): readonly (string | EpochMillis)[] =>
  words
    .split(instants)
    .filter((part) => part !== "")
    .map((part) => {
      const at = instants.test(part) ? Date.parse(part) : Number.NaN;
      return Number.isNaN(at) ? part : epochMillis(at);
    });
