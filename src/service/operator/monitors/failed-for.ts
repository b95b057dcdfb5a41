import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { PicturedMonitor } from "#service/operator/picture";
import { between, type EpochMillis } from "#base/units";

type Preposition = "For" | "for";

/** For how long a status has held, of a monitor or at one location. An incident is often older, and says so itself. */
export const heldFor = (
  since: EpochMillis | null,
  at: EpochMillis,
  preposition: Preposition = "for",
): Html | null =>
  since === null
    ? null
    : html`<time datetime="${isoTime(since)}"
        >${preposition} ${lengthOf(between(since, at))}</time
      >`;

/** For how long they have failed, the first and the last of them. */
export function failedFor(
  monitors: readonly PicturedMonitor[],
  at: EpochMillis,
  preposition: Preposition = "For",
): Html | null {
  const all = monitors.flatMap(({ since }) => since ?? []).toSorted((a, b) => a - b);
  const [first, last] = [all[0], all.at(-1)];
  if (first === undefined || last === undefined) return null;
  const longest = lengthOf(between(first, at));
  const shortest = lengthOf(between(last, at));
  const words = longest === shortest ? longest : `${shortest} to ${longest}`;
  return html`<time datetime="${isoTime(first)}">${preposition} ${words}</time
    >${preposition === "For" ? "." : null}`;
}
