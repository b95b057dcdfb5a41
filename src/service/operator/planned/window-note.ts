import { isoTime, nearMinute, remainingLength } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PlannedWindow } from "#service/operator/planned/work-under-way";
import { reportMarkup } from "#service/status-site/view/report-markup";
import type { EpochMillis } from "#base/units";

/** The window that something is in now, and what was announced of it; nothing if it is in none. */
export const windowNote = (window: PlannedWindow | null, at: EpochMillis): Html | null =>
  window === null
    ? null
    : html`<div class="advice">
        <p>
          This monitor is in planned maintenance,
          <a href="/maintenances/${window.id}">${window.title}</a>, until
          <time datetime="${isoTime(window.to)}">${nearMinute(window.to, at)}</time>
          (${remainingLength(at, window.to)} more). No failure of it is sent until then.
        </p>
        ${
          window.message === "" || window.message === window.title
            ? null
            : html`<p>The announcement says:</p>
                <div class="said"><blockquote>${reportMarkup(window.message)}</blockquote></div>`
        }
      </div>`;
