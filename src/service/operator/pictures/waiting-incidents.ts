import { subjectWords } from "#service/alerts/incident-words";
import * as jumpLimits from "#limits/jump-limits";
import { askedOf } from "#service/operator/incidents/incident-list";
import { anyIncident } from "#service/operator/incidents/incident-query";
import type { NamedAct } from "#service/operator/monitors/named-acts";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import type { JumpPlace } from "#service/operator/pictures/jump-places";
import { may } from "#service/operator/roles";

interface OpenIncidents {
  readonly acts: readonly NamedAct[];
  readonly places: readonly JumpPlace[];
}

/**
 * What a beginning of `acknowledge` or `incidents` alone is about: the newest open incidents, to be acknowledged or looked
 * at. Empty of any other text.
 */
export async function openIncidentsOfText(
  context: PageContext,
  text: string,
  reader: KnownReader,
): Promise<OpenIncidents> {
  const typed = text.toLowerCase();
  const isBegun = (words: string): boolean => typed.length >= 2 && words.startsWith(typed);
  if (isBegun("acknowledge")) {
    const open = may(reader, "responder") ? await newestOpen(context, true) : [];
    const acts = open.map(({ number, words }) => ({
      words: `Acknowledge ${words}`,
      path: `/incidents/${number}/acknowledge`,
      isSent: true,
    }));
    return { acts, places: [openPage] };
  }
  if (!isBegun("incidents")) return { acts: [], places: [] };
  const places = (await newestOpen(context, false)).map(({ number, words }) => ({
    words: `Incident ${number}: ${words}`,
    note: "Open incident",
    path: `/incidents/${number}`,
  }));
  return { acts: [], places };
}

const openPage: JumpPlace = {
  words: "Open incidents",
  note: "Incidents",
  path: "/incidents?state=open",
};

async function newestOpen(
  { rooms }: PageContext,
  waiting: boolean,
): Promise<readonly { readonly number: number; readonly words: string }[]> {
  const page = { limit: jumpLimits.jumpFoundMax, offset: 0 };
  const asked = { ...askedOf(anyIncident, true, page), waiting };
  const { incidents } = await rooms.store.alerts.incidents.list(asked);
  return incidents.map((one) => ({ number: one.incident.number, words: subjectWords(one) }));
}
