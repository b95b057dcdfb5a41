import { html, type Html } from "#web/page/html";
import { minuteAfter, minuteOf } from "#web/page/moment";
import * as limits from "#limits/pages-limits";
import { beginOf, isSkipped, type MovedWindow } from "#service/alerting/maintenance";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { EpochMillis } from "#base/units";

/** That a time of what repeats began or ended early just now, or ends later than the others; null of any other time. */
export function movedNow({ movedEnds, recurrence }: MaintenanceRow, at: EpochMillis): Html | null {
  const latest =
    recurrence === ""
      ? undefined
      : movedEnds.findLast((one) => !isSkipped(one) && beginOf(one) <= at);
  if (latest === undefined || at >= Math.max(latest.to, latest.planned)) return null;
  return html`<p class="moved-time">
    ${sentence(html`The time that began ${minuteOf(beginOf(latest))}`, latest, at)}
  </p>`;
}

/** Every time whose beginning or end was moved, the latest first. */
export function movedSection(
  { movedEnds, recurrence }: MaintenanceRow,
  at: EpochMillis,
): Html | null {
  const others = movedEnds.filter((one) => !isSkipped(one));
  if (recurrence === "" || others.length === 0) return null;
  const shown = others.toReversed().slice(0, limits.windowsShown);
  return html`<section aria-labelledby="moved">
    <h2 id="moved">Dates with other times</h2>
    <ul class="windows">
      ${shown.map((one) => html`<li>${sentence(html`The time that began ${minuteOf(beginOf(one))}`, one, at)}</li>`)}
    </ul>
  </section>`;
}

function sentence(which: Html, moved: MovedWindow, at: EpochMillis): Html {
  const { from, to, planned, begins } = moved;
  if (begins !== undefined)
    return html`${which} began early: it was planned from ${minuteOf(from)} until
    ${minuteAfter(planned, from)}. ${to <= at ? "It ended" : "It ends"} at ${minuteOf(to)}.`;
  if (to < planned)
    return html`${which} ended early, at ${minuteOf(to)}. It was planned until
    ${minuteAfter(planned, to)}.`;
  const ends = to <= at ? "It ended" : "It ends";
  return html`${which} was extended. ${ends} at ${minuteOf(to)} instead of
  ${minuteAfter(planned, to)}.`;
}
