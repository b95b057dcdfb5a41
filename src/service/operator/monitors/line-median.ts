import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { roughly } from "#service/operator/monitors/line-latency";
import type { PicturedMonitor } from "#service/operator/picture";

/** The median of a monitor's last week, or of what there is of it: then its title says of how long that is. */
export function lineMedian(monitor: PicturedMonitor): Html {
  const title = ofWhat(monitor);
  return html`<p class="usual" ${title === null ? null : html` title="${title}"`}>
    ${roughly(monitor.usual ?? monitor.medianToday)}
  </p>`;
}

/** Null of a whole week. */
function ofWhat({ usual, medianToday, days }: PicturedMonitor): string | null {
  const before = counted(limits.usualDays, "day");
  if (usual === null)
    return medianToday === null
      ? `No check has passed today or on the ${before} before`
      : `Median of today (UTC): no check passed on the ${before} before`;
  const known = days.slice(-limits.usualDays - 1, -1).filter((day) => day.known > 0).length;
  return known < limits.usualDays
    ? `Median of ${counted(known, "day")} before today: the others of the week have no data`
    : null;
}
