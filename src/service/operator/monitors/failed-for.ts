import { causeIn } from "#service/alerting/snapshot";
import { isoTime, lastingLength } from "#web/page/format";
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
        >${preposition} ${lastingLength(between(since, at))}</time
      >`;

/** Since when it is in trouble: its open incident says it, whose checks may have passed in between; what flaps counts from its beginning. */
export const troubledSince = ({
  incident,
  since,
}: Pick<PicturedMonitor, "incident" | "since">): EpochMillis | null =>
  incident?.flaps?.began ?? incident?.since ?? since;

/** For how long those that fail now have failed: since the first of them did. If none does, since the first of all did. */
export function failedFor(
  monitors: readonly Pick<PicturedMonitor, "incident" | "since" | "status">[],
  at: EpochMillis,
  preposition: Preposition = "For",
): Html | null {
  const failing = monitors.filter(({ status }) => status === "error" || status === "degraded");
  const counted = failing.length === 0 ? monitors : failing;
  const [first] = counted.flatMap((one) => troubledSince(one) ?? []).toSorted((a, b) => a - b);
  if (first === undefined) return null;
  return html`${heldFor(first, at, preposition)}${preposition === "For" ? "." : null}`;
}

/** Whether it failed in another way before: then it has not failed so for as long as it has failed. */
export function failsAnew({ incident, reason }: PicturedMonitor): boolean {
  const kept = causeIn(incident?.cause ?? "");
  if (kept === null || reason === null || reason.code === "") return false;
  return kept.code !== reason.code || kept.phase !== reason.phase;
}
