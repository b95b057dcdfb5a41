import { isoTime, nearMinute } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { silencedUntil, targetOfMonitor, workOver } from "#service/operator/planned/work-under-way";
import type { EpochMillis } from "#base/units";

/** Until when nothing is sent about a monitor, after its name in a list; nothing of one that nothing covers. */
export function plannedChips(
  { planned, at }: Pick<Picture, "planned" | "at">,
  monitor: PicturedMonitor,
): Html {
  const work = workOver(planned, targetOfMonitor(monitor), at);
  const maintenance = chip("Maintenance", work.maintenance?.to ?? null, at);
  return html`${maintenance}${chip("Silenced", silencedUntil(work), at)}`;
}

const chip = (words: string, until: EpochMillis | null, at: EpochMillis): Html | null =>
  until === null
    ? null
    : html` <span class="chip until"
        >${words} until <time datetime="${isoTime(until)}">${nearMinute(until, at)}</time></span
      >`;
