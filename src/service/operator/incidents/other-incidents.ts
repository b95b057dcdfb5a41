import { incidentLines } from "#service/operator/incidents/incident-list-view";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { Picture } from "#service/operator/picture";
import { html, type Html } from "#web/page/html";

/** Others that began or lasted meanwhile, and failed alike. */
export function alikeSection({ alike }: IncidentStory, picture: Picture): Html | null {
  if (alike.length === 0) return null;
  return html`<section aria-labelledby="alike">
    <h2 id="alike">The same cause at the same time</h2>
    ${incidentLines(alike, picture)}
  </section>`;
}

/** What happened to the same monitor, location or channel before. */
export function earlierSection(
  { earlier, incident }: IncidentStory,
  picture: Picture,
): Html | null {
  if (earlier.length === 0) return null;
  const { kind, id } = incident.subject;
  return html`<section aria-labelledby="earlier">
    <h2 id="earlier">Earlier incidents</h2>
    ${incidentLines(earlier, picture)}
    ${kind === "monitor" ? html`<p><a href="/incidents?monitor=${id}">All incidents of it</a></p>` : null}
  </section>`;
}
