import { acknowledgedAtOnce, acknowledgedTogetherMax } from "#limits/alerts-limits";
import { lineAnswer, seeOther } from "#service/edge/page-answer";
import { numbersInRanges } from "#service/operator/incidents/number-ranges";
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
    const count = await acknowledgeTogether(context, numbers, reader);
    const notice = count === 0 ? "no-cause" : "cause-acknowledged";
    return seeOther(withNotice(wantedPath(form.get("back") ?? "/incidents"), notice));
  },
};

/** Gives how many of them no one had acknowledged. */
export async function acknowledgeTogether(
  { rooms, pictures }: PageContext,
  numbers: readonly number[],
  reader: KnownReader,
): Promise<number> {
  const { incidents } = rooms.store.alerts;
  const at = rooms.clock.wall();
  let count = 0;
  // In parts, so that the judge waits for none of them for long. After a fault another press does the rest.
  for (let done = 0; done < numbers.length; done += acknowledgedAtOnce) {
    const part = numbers.slice(done, done + acknowledgedAtOnce);
    count += await incidents.acknowledgeEach(part, at, actorOf(reader));
  }
  pictures.outdate();
  return count;
}

const mostWords = `One press is for 1 to ${grouped(acknowledgedTogetherMax)} incidents, by their numbers, for example 1-3,7. Load the list again, and press its button.`;

export const causeNotices = {
  "cause-acknowledged":
    "Acknowledged, all that the button was for: no reminders follow until one is worse or opens again.",
  "no-cause": "None of these incidents is open and not acknowledged any more.",
} as const;
