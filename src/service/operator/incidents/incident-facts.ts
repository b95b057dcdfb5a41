import { downFor, downSpans } from "#service/alerting/down-spans";
import type { Incident } from "#service/alerting/incident";
import { dayAndTime, isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { endings, placeOf } from "#service/alerts/incident-words";
import type { Picture } from "#service/operator/picture";
import type { EpochMillis } from "#base/units";

/** What a person looks for first: what it is about, since when, for how long, and who takes it. */
export function incidentFacts(story: IncidentStory, picture: Picture): Html {
  const { incident, silences } = story;
  const { startedAt, ended, acknowledged } = incident;
  const often = downSpans(incident).length;
  const down = span(downFor(incident, picture.at));
  const silence = silences.findLast(({ until }) => until > picture.at);
  return html`<section aria-labelledby="facts">
    <h2 id="facts">Details</h2>
    <dl class="facts">
      <dt>About</dt>
      <dd>${subjectLink(story, picture)}</dd>
      <dt>Began</dt>
      <dd>${time(startedAt)}</dd>
      ${ended === null ? null : fact("Ended", html`${time(ended.at)}: ${endings[ended.because]}`)}
      <dt>Down for</dt>
      <dd>${down}${often < 2 ? null : ` in ${often} stretches`}</dd>
      ${fact("Acknowledged", acknowledged === null ? "by no one" : html`by ${acknowledged.by}, ${time(acknowledged.at)}: no reminders follow`)}
      ${silence === undefined ? null : fact("Silenced", html`until ${time(silence.until)}`)}
    </dl>
  </section>`;
}

const fact = (name: string, value: string | Html): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

const time = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${dayAndTime(at)}</time>`;

/** The incident of a certificate is about its monitor, too. */
export const isOfMonitor = ({ kind }: Incident["subject"]): boolean =>
  kind === "monitor" || kind === "certificate";

function subjectLink(story: IncidentStory, { monitors, locations }: Picture): Html | string {
  const { incident, name } = story;
  const { kind, id } = incident.subject;
  if (kind === "channel") return html`<a href="/channels/${id}">Channel ${name}</a>`;
  if (kind === "maintenance") return `Maintenance ${name}`;
  const place = placeOf(story);
  const ofMonitor = isOfMonitor(incident.subject);
  const isThere = (ofMonitor ? monitors : locations).some((one) => one.id === (place ?? id));
  const words = `${ofMonitor ? "Monitor" : "Location"} ${name}`;
  if (!isThere) return `${words} is deleted.`;
  return html`<a href="${ofMonitor ? "/monitors" : "/locations"}/${place ?? id}">${words}</a>`;
}
