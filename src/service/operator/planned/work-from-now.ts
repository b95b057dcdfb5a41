import { after, epochMillis, hours, type Millis, minutes } from "#base/units";
import type { EpochMillis } from "#base/units";
import { html, type Html } from "#web/page/html";
import { isTimeZone } from "#base/time-zone";
import { wallClock } from "#service/operator/planned/wall-clock";

/** The name of the buttons that fill the times of a form, and send nothing. */
export const nowButton = "now";

/** What is planned in a hurry is short. */
const lengths: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  "30m": { length: minutes(30), words: "30 min" },
  "1h": { length: hours(1), words: "1 h" },
  "2h": { length: hours(2), words: "2 h" },
};

/** Buttons for work that begins at once. */
export const nowButtons: Html = html`<p class="quick">
  <span>Now, for</span>
  ${Object.entries(lengths).map(
    ([value, { words }]) =>
      html`<button
        type="submit"
        class="small"
        name="${nowButton}"
        value="${value}"
        aria-label="Now, for ${words}"
        data-stay="group-when"
      >
        ${words}
      </button>`,
  )}
</p>`;

/** The form with the times of such a button, as a clock of its zone shows them; null if another button sent it. */
export function fromNow(form: URLSearchParams, now: EpochMillis): URLSearchParams | null {
  const wanted = form.get(nowButton);
  if (wanted === null) return null;
  const typed = new URLSearchParams(form);
  typed.delete(nowButton);
  const length = Object.hasOwn(lengths, wanted) ? lengths[wanted]?.length : undefined;
  const timeZone = form.get("time_zone") ?? "";
  if (length === undefined || !isTimeZone(timeZone)) return typed;
  // Pickers have minutes: it began with this one.
  const begin = epochMillis(now - (now % minutes(1)));
  typed.set("from", wallClock(begin, timeZone));
  typed.set("to", wallClock(after(begin, length), timeZone));
  return typed;
}
