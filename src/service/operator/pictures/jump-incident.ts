import { subjectWords } from "#service/alerts/incident-words";
import type { NamedAct } from "#service/operator/monitors/named-acts";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import type { JumpPlace } from "#service/operator/pictures/jump-places";
import { may } from "#service/operator/roles";

/** The incident whose number a text has: its page, and what is done with it from anywhere. */
interface FoundIncident {
  readonly place: JumpPlace;
  readonly acts: readonly NamedAct[];
}

/**
 * `incident 3`, `#3`, `3`, or `ack 3`; null of any other text, and if there is none with this number. Planned work has a
 * number too, but is no incident: it is found by its title.
 */
export async function incidentOfText(
  { rooms }: PageContext,
  text: string,
  reader: KnownReader,
): Promise<FoundIncident | null> {
  const number = numberIn(text);
  if (number === null) return null;
  const [found] = await rooms.store.alerts.incidents.named([number]);
  if (found === undefined || found.incident.subject.kind === "maintenance") return null;
  const { incident } = found;
  const path = `/incidents/${number}`;
  const isWaiting = incident.ended === null && incident.acknowledged === null;
  const state = incident.ended === null ? "Open incident" : "Closed incident";
  return {
    place: { words: `Incident ${number}: ${subjectWords(found)}`, note: state, path },
    acts:
      isWaiting && may(reader, "responder")
        ? [{ words: `Acknowledge incident ${number}`, path: `${path}/acknowledge`, isSent: true }]
        : [],
  };
}

function numberIn(text: string): number | null {
  const [, digits] =
    /^(?:(?:ack|acknowledge|open|go to)\s+)?(?:incident\s*)?#?(\d{1,9})$/i.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}
