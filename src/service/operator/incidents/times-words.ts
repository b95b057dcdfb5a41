import { downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { incidentReopenedWithin } from "#limits/alerts-limits";
import { lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** `down twice`: how often something was in trouble in one incident; null of what was so without a break. */
export function oftenWords(incident: Incident): string | null {
  const often = downSpans(incident).length;
  if (often < 2) return null;
  return `${downWord(incident)} ${often === 2 ? "twice" : `${often} times`}`;
}

/** What it was in each of those times. */
export function downWord({ subject, worst }: Incident): string {
  if (subject.kind !== "monitor") return "in trouble";
  return worst === "error" ? "down" : "degraded";
}

/** Why several times are one incident; null of what was in trouble without a break. */
export function timesNote(incident: Incident): Html | null {
  const often = oftenWords(incident);
  if (often === null) return null;
  return html`<p class="words">
    It was ${often}, and well in between. Within ${lengthOf(incidentReopenedWithin)} after its end
    an incident opens again, and no new one does.
  </p>`;
}
