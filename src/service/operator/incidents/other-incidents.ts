import { shownLength } from "#base/duration";
import { incidentMark, subjectWords } from "#service/alerts/incident-words";
import { unacknowledged } from "#service/operator/incidents/cause-acknowledgement";
import { causeLines, oneLineList } from "#service/operator/incidents/cause-lines";
import { acknowledgeAll } from "#service/operator/incidents/group-row";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import type { ListedIncident } from "#service/operator/incidents/opening-sentence";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import { counted, grouped, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import type { EpochMillis } from "#base/units";
import * as limits from "#limits/pages-limits";

interface AlikeLook {
  readonly at: EpochMillis;
  readonly reader: KnownReader;
  /** The page that an act leads back to. */
  readonly back: string;
}

/** Others that are open for the same cause, and those that are over and failed alike meanwhile. */
export function alikeSection(story: IncidentStory, look: AlikeLook): Html | null {
  const { group, alike, incident } = story;
  const { at, reader, back } = look;
  const others = (group?.monitors ?? []).filter((one) => one.incident?.number !== incident.number);
  const lines = [
    ...causeLines(others.slice(0, limits.causeLinesMax), at),
    ...alike.map((one) => pastLine(one, at)),
  ];
  if (lines.length === 0) return null;
  const hasAct =
    group !== null && may(reader, "responder") && unacknowledged(group.monitors).length > 0;
  return html`<section aria-labelledby="alike">
    <div class="title-line">
      <h2 id="alike">The same cause at the same time</h2>
      ${hasAct ? acknowledgeAll(group, { reader, back }) : null}
    </div>
    ${shortened("alike-rest", lines, others.length - limits.causeLinesMax)}
  </section>`;
}

/** The first few lines; the others are folded, and what is not listed is counted. */
function shortened(id: string, lines: readonly Html[], unlisted: number): Html {
  const shown = lines.slice(0, limits.alikeIncidentsShown);
  const rest = lines.slice(limits.alikeIncidentsShown);
  return html`${oneLineList(shown)}
  ${
    rest.length === 0
      ? null
      : html`<details id="${id}">
          <summary>${grouped(rest.length)} more</summary>
          ${oneLineList(rest)}
        </details>`
  }
  ${unlisted > 0 ? html`<p class="words"><a href="/incidents?state=open&amp;grouped=no">${grouped(unlisted)} more in the list</a></p>` : null}`;
}

/** What happened to the same monitor, location or channel before. */
export function earlierSection({ earlier, incident }: IncidentStory, at: EpochMillis): Html | null {
  if (earlier.length === 0) return null;
  const { kind, id } = incident.subject;
  return html`<section aria-labelledby="earlier">
    <details id="earlier-incidents" class="part" open>
      <summary>
        <h2 id="earlier">${counted(earlier.length, "earlier incident")}</h2>
      </summary>
      ${oneLineList(earlier.map((one) => pastLine(one, at)))}
      ${kind === "monitor" ? html`<p class="words"><a href="/incidents?monitor=${id}">All incidents of it</a></p>` : null}
    </details>
  </section>`;
}

/** One that is over, or is open and of the same cause as one that is over. */
function pastLine(one: ListedIncident, at: EpochMillis): Html {
  const { incident, sentence } = one;
  const length = lengthOf(shownLength(incident.startedAt, incident.ended?.at ?? at));
  return html`<li>
    ${incidentMark(incident)}
    <span class="what"
      ><a href="/incidents/${incident.number}">${subjectWords(one)}</a>
      <span class="note">${sentence}</span></span
    >
    <span class="length">${incident.ended === null ? `for ${length}` : `lasted ${length}`}</span>
    <span class="next">${momentOf(incident.startedAt)}</span>
  </li>`;
}
