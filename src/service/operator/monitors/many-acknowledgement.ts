import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import { seeOther } from "#service/edge/page-answer";
import { withAcknowledged } from "#service/operator/incidents/acknowledgement-undo";
import { acknowledgeTogether } from "#service/operator/incidents/cause-acknowledgement";
import { acknowledgeManyPath } from "#service/operator/monitors/many-form";
import { changedPage } from "#service/operator/monitors/many-questions";
import { idsIn, isAsSeen, searchOf, selected } from "#service/operator/monitors/many-selection";
import { withPicks } from "#service/operator/monitors/picks";
import { type OperatorForm, type PageContext, withNotice } from "#service/operator/page-request";
import type { MonitorId } from "#service/store/ids";

/**
 * `/monitors/many/acknowledge`: a person takes the open incidents of the selected monitors, in one act, those that files own
 * too; or those of one row, by its key, whatever is selected. It is of what the picture has: what fails at this moment was
 * on no one's page, and is not acknowledged.
 */
export const acknowledgeManyForm: OperatorForm = {
  role: "responder",
  path: /^\/monitors\/many\/acknowledge$/,
  act: async (context, request) => {
    const { form, reader } = request;
    const done = (notice: string) => seeOther(withPicks(withNotice(searchOf(form), notice), form));
    const ofRow = idsIn(form, "row");
    const rows = ofRow.length === 0 ? await selected(context, request) : [];
    if (ofRow.length === 0 && rows.length === 0) return done("none");
    if (ofRow.length === 0 && !isAsSeen(rows, form))
      return changedPage(context, request, rows, asked);
    const open = await openOf(context, [...ofRow, ...rows.map(({ id }) => id)]);
    const numbers = open.slice(0, acknowledgedTogetherMax);
    const taken = await acknowledgeTogether(context, numbers, reader);
    if (taken.count === 0)
      return done(ofRow.length === 0 ? "unacknowledged" : "row-unacknowledged");
    const left = open.length - numbers.length;
    const path = await withAcknowledged(searchOf(form), context, reader, { taken, left });
    return seeOther(withPicks(path, form));
  },
};

/** The numbers of their open incidents that no one has acknowledged, also of certificates. */
async function openOf(
  { rooms, pictures }: PageContext,
  ids: readonly MonitorId[],
): Promise<readonly number[]> {
  const wanted = new Set<number>(ids);
  const { monitors } = await pictures.now();
  const failing = monitors.flatMap(({ id, incident }) =>
    wanted.has(id) && incident !== null && !incident.acknowledged ? [incident.number] : [],
  );
  const ending = await rooms.store.alerts.incidents.list({
    isOpen: true,
    kind: "certificate",
    subject: null,
    location: null,
    cause: null,
    before: null,
    limit: acknowledgedTogetherMax,
    offset: 0,
  });
  const certificates = ending.incidents.flatMap(({ incident }) =>
    wanted.has(incident.subject.id) && incident.acknowledged === null ? [incident.number] : [],
  );
  return [...failing, ...certificates];
}

const asked = {
  action: acknowledgeManyPath,
  words: "Acknowledge the incidents of",
  isOfOurs: false,
} as const;
