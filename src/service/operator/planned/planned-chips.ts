import { grouped, isoTime, nearMinute } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { plannedMonitors } from "#service/operator/planned/planned-monitors";
import {
  type PartCover,
  partlyOver,
  targetOfMonitor,
  workOver,
} from "#service/operator/planned/work-under-way";
import type { EpochMillis } from "#base/units";

/** Until when nothing is sent about a monitor, after its name in a list; nothing of one that nothing covers. */
export function plannedChips(
  { planned, at }: Pick<Picture, "planned" | "at">,
  monitor: PicturedMonitor,
): Html | null {
  if (planned.silences.length + planned.maintenances.length === 0) return null;
  const target = targetOfMonitor(monitor);
  const work = workOver(planned, target, at);
  const partly = partlyOver(planned, target.locations, at);
  const count = target.locations.length;
  const maintained = work.maintenance?.to ?? null;
  return html`${maintained === null ? partChip("Maintenance", partly.maintenance, count, at) : chip("Maintenance", maintained, at)}${work.silencedUntil === null ? partChip("Silenced", partly.silence, count, at) : chip("Silenced", work.silencedUntil, at)}`;
}

/** How many of several monitors that are one row are under maintenance, or silenced. */
export function plannedChipsOf(picture: Picture, monitors: readonly PicturedMonitor[]): Html {
  const ids = plannedMonitors(picture);
  const counted = (words: string, some: ReadonlySet<number>): Html | null => {
    const count = monitors.filter(({ id }) => some.has(id)).length;
    if (count === 0) return null;
    const of = count === monitors.length ? `all ${grouped(count)}` : grouped(count);
    return html` <span class="chip until"
      >${words}: ${of}${count === monitors.length ? null : ` of ${grouped(monitors.length)}`}</span
    >`;
  };
  return html`${counted("Maintenance", ids.maintenance)}${counted("Silenced", ids.silenced)}`;
}

/** What covers only some of its locations: what the others see is sent all the same. */
const partChip = (
  words: string,
  partly: PartCover | null,
  count: number,
  at: EpochMillis,
): Html | null =>
  partly === null
    ? null
    : chip(words, partly.until, at, ` at ${partly.locations} of ${count} locations`);

/** A compact line shows the word alone. */
const chip = (words: string, until: EpochMillis | null, at: EpochMillis, where = ""): Html | null =>
  until === null
    ? null
    : html` <span class="chip until" title="${words}${where} until ${nearMinute(until, at)} UTC"
        >${words}<span class="when"
          >${where} until <time datetime="${isoTime(until)}">${nearMinute(until, at)}</time></span
        ></span
      >`;
