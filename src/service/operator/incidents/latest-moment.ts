import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { momentsOf } from "#service/operator/incidents/moments";
import type { Picture } from "#service/operator/picture";
import { between, type EpochMillis } from "#base/units";
import { isoTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/**
 * What changed last since it opened, for whoever comes back to an open incident: the end of its timeline may be far below. Of checks in a row it says when the first was. Nothing of one that has only opened. An update of a report may
 * be dated ahead: it is not the latest yet.
 */
export function latestMoment(story: IncidentStory, picture: Picture, at: EpochMillis): Html | null {
  const { ended, openedAt } = story.incident;
  if (ended !== null || story.trash !== null) return null;
  const latest = momentsOf(story, picture).findLast((one) => one.at > openedAt && one.at <= at);
  if (latest === undefined) return null;
  return html`<p class="latest">
    <span>Latest</span> ${latest.words}, ${latest.isRun === true ? "the first " : null}<time
      datetime="${isoTime(latest.at)}"
      >${span(between(latest.at, at))} ago</time
    >
  </p>`;
}
