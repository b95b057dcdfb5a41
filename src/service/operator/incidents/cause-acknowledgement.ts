import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import { lineAnswer, seeOther } from "#service/edge/page-answer";
import { inParts } from "#service/operator/incidents/acknowledged-parts";
import {
  type TogetherTaken,
  withAcknowledged,
} from "#service/operator/incidents/acknowledgement-undo";
import { numbersInRanges } from "#service/alerts/number-ranges";
import {
  actorOf,
  type KnownReader,
  type OperatorForm,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { grouped } from "#web/page/format";

/** The incidents of monitors that no one has acknowledged. */
export const unacknowledged = (monitors: readonly PicturedMonitor[]): readonly number[] =>
  monitors.flatMap(({ incident }) =>
    incident === null || incident.acknowledged ? [] : [incident.number],
  );

/**
 * `/incidents/acknowledge`: a person takes the open incidents of one row, or of all that a filter finds, in one act. The form has the numbers that the
 * page showed: what failed since was not seen, and is not acknowledged.
 */
export const causeAcknowledgement: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge$/,
  act: async (context, { form, reader }) => {
    const numbers = numbersInRanges(form.get("numbers") ?? "", acknowledgedTogetherMax);
    if (numbers === null) return lineAnswer(400, mostWords);
    const taken = await acknowledgeTogether(context, numbers, reader);
    const back = wantedPath(form.get("back") ?? "/incidents");
    if (taken.count === 0) return seeOther(withNotice(back, "no-cause"));
    return seeOther(await withAcknowledged(back, context, reader, { taken }));
  },
};

/** Gives how many of them no one had acknowledged. After a fault another press does the rest. */
export async function acknowledgeTogether(
  { rooms, pictures }: PageContext,
  numbers: readonly number[],
  reader: KnownReader,
): Promise<TogetherTaken> {
  const { incidents } = rooms.store.alerts;
  const at = rooms.clock.wall();
  const by = actorOf(reader);
  const count = await inParts(numbers, (part) => incidents.acknowledgeEach(part, at, by));
  pictures.outdate();
  return { numbers, count, at };
}

const mostWords = `One press is for 1 to ${grouped(acknowledgedTogetherMax)} incidents, by their numbers, for example 1-3,7. Load the list again, and press its button.`;

export const causeNotices = {
  "no-cause": "None of these incidents is open and not acknowledged any more.",
} as const;
