import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";
import { between, type EpochMillis } from "#base/units";

/** Since when a monitor is not well: as its incident says, so that no two pages say it differently. */
export const troubleSince = ({ status, since, incident }: PicturedMonitor): EpochMillis | null =>
  incident !== null && (status === "error" || status === "degraded") ? incident.since : since;

/** For how long they have failed, the first and the last of them. */
export function failedFor(
  monitors: readonly PicturedMonitor[],
  at: EpochMillis,
  preposition: "For" | "for" = "For",
): Html | null {
  const all = monitors.flatMap((one) => troubleSince(one) ?? []).toSorted((a, b) => a - b);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  const longest = lengthOf(between(first, at));
  const shortest = lengthOf(between(last, at));
  const words = longest === shortest ? longest : `${shortest} to ${longest}`;
  return html`<time datetime="${isoTime(first)}">${preposition} ${words}</time
    >${preposition === "For" ? "." : null}`;
}
