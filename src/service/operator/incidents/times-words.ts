import { severitiesOf } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { incidentReopenedWithin } from "#limits/alerts-limits";
import { lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** `down twice`, or `down once, degraded once`: how often something was in trouble in one incident; null of what was so without a break. */
export function oftenWords(incident: Incident): string | null {
  const severities = severitiesOf(incident);
  if (severities.length < 2) return null;
  const down = severities.filter((one) => one === "error").length;
  const degraded = severities.length - down;
  if (incident.subject.kind !== "monitor" || down === 0 || degraded === 0)
    return `${downWord(incident)} ${timesOf(severities.length)}`;
  return `down ${timesOf(down)}, degraded ${timesOf(degraded)}`;
}

function timesOf(count: number): string {
  if (count < 3) return count === 1 ? "once" : "twice";
  return `${count} times`;
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
