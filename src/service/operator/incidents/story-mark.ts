import { capital } from "#base/text";
import type { IncidentStory } from "#service/operator/incidents/incident-story";
import { incidentNowMark, incidentNowWords } from "#service/operator/incidents/recovery-words";
import type { PicturedMonitor } from "#service/operator/picture";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";

type MarkedStory = Pick<IncidentStory, "incident" | "trash">;

/** What the page of an incident says it is; what is deleted fails no more, although it may still be restored. */
export function storyMark(story: MarkedStory, monitor: PicturedMonitor | null): Html {
  return isDeleted(story)
    ? deletedMark(story.trash.kind)
    : incidentNowMark(story.incident, monitor);
}

/** Of what was deleted and can be put back. */
export const deletedMark = (kind: string): Html =>
  verdictMark("unchecked", `${capital(kind)} deleted`);

/** The same without its shape. */
export const storyStateWords = (story: MarkedStory, monitor: PicturedMonitor | null): string =>
  isDeleted(story)
    ? `${capital(story.trash.kind)} deleted`
    : incidentNowWords(story.incident, monitor);

const isDeleted = (
  story: MarkedStory,
): story is MarkedStory & { trash: NonNullable<MarkedStory["trash"]> } =>
  story.incident.ended === null && story.trash !== null;
