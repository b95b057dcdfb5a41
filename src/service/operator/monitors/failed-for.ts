import { isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";
import { between, type EpochMillis } from "#base/units";

/** For how long they have failed, the first and the last of them. */
export function failedFor(monitors: readonly PicturedMonitor[], at: EpochMillis): Html | null {
  const all = monitors.flatMap(({ since }) => since ?? []).toSorted((a, b) => a - b);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  const longest = span(between(first, at));
  const shortest = span(between(last, at));
  const words = longest === shortest ? longest : `${shortest} to ${longest}`;
  return html`<time datetime="${isoTime(first)}">For ${words}</time>.`;
}
