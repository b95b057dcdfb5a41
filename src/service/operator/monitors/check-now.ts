import { counted, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { timeMark } from "#web/page/time-mark";
import type { FormNotice } from "#service/operator/form-notice";
import type { Picture, PicturedLocation, PicturedMonitor } from "#service/operator/picture";
import type { Millis } from "#base/units";
import { triggerMonitor } from "#service/api/trigger";
import { Refusal } from "#service/edge/call-refusal";
import { seeOther } from "#service/edge/page-answer";
import { type OperatorForm, wantedPath, withNotice } from "#service/operator/page-request";

/** Every connected agent of the monitor checks it now. Gives its page again, or the one that the form names. */
export const checkNowForm: OperatorForm = {
  role: "responder",
  path: /^\/monitors\/(?<id>\d{1,15})\/check$/,
  act: async ({ rooms }, { id, form, signal }) => {
    const notice = await triggerMonitor(rooms, id, signal).then(
      (isStored): CheckNotice => (isStored ? "checked" : "unanswered"),
      (error: unknown): CheckNotice => {
        if (error instanceof Refusal && error.code === "failed_precondition") return "unconnected";
        throw error;
      },
    );
    return seeOther(withNotice(wantedPath(form.get("back") ?? `/monitors/${id}`), notice));
  },
};

/** What became of it, on the monitor's page; why an agent gave no result is said by `unreachedNotice`. */
export const checkNotices = {
  checked: "Checked on request: the result is among the newest checks.",
} as const;
type CheckNotice = keyof typeof checkNotices | "unanswered" | "unconnected";

/** Why no agent gave a result: which one is silent since when, and what to do. Null of any other notice. */
export function unreachedNotice(
  query: URLSearchParams,
  monitor: Pick<PicturedMonitor, "seenBy" | "period"> | null,
  locations: Picture["locations"],
): FormNotice | null {
  const word = query.get("notice");
  if (word !== "unanswered" && word !== "unconnected") return null;
  const { seenBy = [], period = null } = monitor ?? {};
  const places = locations.filter(({ id }) => seenBy.some(({ location }) => location === id));
  const [first] = places.toSorted((a, b) => rank(a) - rank(b));
  const words =
    first === undefined
      ? "Nothing was checked: the monitor runs at no location. Choose one in its form."
      : word === "unanswered"
        ? html`Nothing was checked: the agent of ${linkTo(first)} did not answer in time. Look there
          whether it runs, then try again.`
        : unconnectedWords(first, places.length - 1, period);
  return { words, isFault: false, isDoubtful: true };
}

/** The one that needs a hand is first. */
const rank = ({ state }: PicturedLocation): number => (state.status === "active" ? 1 : 0);

function unconnectedWords(place: PicturedLocation, more: number, period: Millis | null): Html {
  const { id, state, lastSeenAt } = place;
  const others =
    more === 0
      ? null
      : html` ${more === 1 ? "That of the other location is not connected, either" : `Those of ${counted(more, "other location")} are not connected, either`}.`;
  if (lastSeenAt === null)
    return html`Nothing was checked: no agent has come to ${linkTo(place)} yet.
      <a href="/locations/${id}/start">Start one with the command of its page</a>.`;
  if (state.status === "active")
    return html`Nothing was checked: the agent of ${linkTo(place)} is not connected now. It last
    reported at ${timeMark(lastSeenAt)}. If it was stopped, start it again. If it runs, it checks by
    itself${period === null ? null : ` every ${span(period)}`}, and a check at once needs a network
    that lets its WebSocket through.`;
  return html`Nothing was checked: the agent of ${linkTo(place)} has been silent since
  ${timeMark(lastSeenAt)}.${others} Start it there again: its page has the command. Then try again.`;
}

const linkTo = ({ id, name }: PicturedLocation): Html =>
  html`<a href="/locations/${id}">${name}</a>`;
