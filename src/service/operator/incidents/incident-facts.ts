import { shownLength } from "#base/duration";
import { troubleFor } from "#service/alerting/down-spans";
import { lengthOf } from "#web/page/format";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { lastEndWords } from "#service/operator/incidents/acknowledgement-ends";
import { isOfMonitor } from "#service/operator/incidents/incident-subject";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { placeOf } from "#service/alerts/incident-words";
import { shortTarget } from "#service/operator/monitors/line-about";
import type { Picture } from "#service/operator/picture";
import type { EpochMillis, Millis } from "#base/units";

/** What a person looks for first: what it is about, since when, for how long, and who takes it. */
export function incidentFacts(story: IncidentStory, picture: Picture, at: EpochMillis): Html {
  const { incident, silencedUntil } = story;
  const { startedAt, ended, acknowledged } = incident;
  return html`<dl class="tiles brief" aria-label="Details">
    ${tile("About", subjectLink(story, picture), targetOf(story, picture))}
    ${story.nameThen === story.name ? null : tile("Name then", breakable(story.nameThen))}
    ${certificateTiles(story)} ${tile("Began", momentOf(startedAt))}
    ${ended === null ? null : tile("Ended", momentOf(ended.at))} ${lastingTile(story, at)}
    ${acknowledged === null ? tile("Acknowledged", "by no one", lastEndWords(story.events)) : tile("Acknowledged", html`by ${acknowledged.by}`, momentOf(acknowledged.at))}
    ${silencedUntil === null ? null : tile("Silenced until", momentOf(silencedUntil))}
  </dl>`;
}

/** Which one it is, and when it ends exactly. */
const certificateTiles = ({ certificate }: IncidentStory): Html | null =>
  certificate === null
    ? null
    : html`${tile("Certificate", breakable(certificate.subject))}
      ${tile("Issued by", breakable(certificate.issuer))} ${tile("Ends", momentOf(certificate.end))}`;

const tile = (name: string, value: string | Html, note: string | Html | null = null): Html =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}${note === null ? null : html` <span class="note">${note}</span>`}</dd>
  </div>`;

/** `4 min 7 s of 6 min 37 s`, if some of its time it was well; by its checks if they say how long it was down. */
function lastingTile(story: IncidentStory, at: EpochMillis): Html {
  const { incident, trash, figures } = story;
  const words = lastingWords(story);
  const until = incident.ended?.at ?? trash?.deletedAt ?? at;
  const whole = shownLength(incident.startedAt, until);
  const down = troubleFor(incident, words === "Not well for" ? null : figures, until);
  if (down >= whole) return tile(words, lengthOf(whole));
  return tile(words, lengthOf(down), `of ${lengthOf(whole)}${restWords(story)}`);
}

/** What else it was than down or well: `, slow for 2 min, not known for 40 s`. */
function restWords({ incident: { worst }, figures }: IncidentStory): string {
  if (figures === null) return "";
  const slow = worst === "error" ? partWords("slow for", figures.slowFor) : "";
  return `${slow}${partWords("not known for", figures.unknownFor)}`;
}

const partWords = (what: string, length: Millis | null): string =>
  length === null || length === 0 ? "" : `, ${what} ${lengthOf(length)}`;

/** A slow monitor is not down, one that was slow for a while was not down all the time, and a silent location may be well. */
function lastingWords({ incident, events, trash, figures }: IncidentStory): string {
  const { subject, worst, ended } = incident;
  if (subject.kind === "monitor") {
    const isMixed = events.some(({ kind }) => kind === "worsened" || kind === "eased");
    if (isMixed && (figures?.downFor ?? null) === null) return "Not well for";
    return worst === "error" ? "Down for" : "Degraded for";
  }
  if (subject.kind === "location") return "Offline for";
  return ended === null && trash === null ? "Open for" : "Was open for";
}

/** What its checks ask. */
function targetOf({ incident }: IncidentStory, { monitors }: Picture): Html | null {
  const about = isOfMonitor(incident.subject)
    ? monitors.find(({ id }) => id === incident.subject.id)
    : undefined;
  return about === undefined
    ? null
    : html`<span title="${about.target}">${breakable(shortTarget(about.target))}</span>`;
}

function subjectLink(story: IncidentStory, { monitors, locations }: Picture): Html | string {
  const { incident, name } = story;
  const { kind, id } = incident.subject;
  if (kind === "channel") return html`<a href="/channels/${id}">Channel ${name}</a>`;
  if (kind === "maintenance") return `Maintenance ${name}`;
  const place = placeOf(story);
  const ofMonitor = isOfMonitor(incident.subject);
  const isThere = (ofMonitor ? monitors : locations).some((one) => one.id === (place ?? id));
  const words = `${ofMonitor ? "Monitor" : "Location"} ${name}`;
  if (!isThere) return `${words}, deleted`;
  return html`<a href="${ofMonitor ? "/monitors" : "/locations"}/${place ?? id}"
    >${breakable(words)}</a
  >`;
}
