import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PlannedWindow } from "#service/operator/planned/work-under-way";
import { reportMarkup } from "#service/status-site/view/report-markup";
import { between, type EpochMillis } from "#base/units";

/** The window that something is in now; nothing if it is in none. */
export const windowNote = (window: PlannedWindow | null, at: EpochMillis): Html | null =>
  window === null
    ? null
    : html`<div class="advice">
        <p>
          Under maintenance for
          <time datetime="${isoTime(window.to)}">${lengthOf(between(at, window.to))}</time> more:
          <a href="/maintenances/${window.id}">${window.title}</a>.
        </p>
        ${window.message === window.title ? null : html`<div class="said">${reportMarkup(window.message)}</div>`}
      </div>`;
