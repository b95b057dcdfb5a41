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

/** What became of it, on the monitor's page. */
export const checkNotices = {
  checked: "Checked on request: the result is among the newest checks.",
  unanswered: "No agent answered in time. Look at the location's agents.",
  unconnected:
    "No agent that runs this monitor is connected by the push channel. Start one, with PICKET_WATCH on, in a network that lets WebSockets pass.",
} as const;
type CheckNotice = keyof typeof checkNotices;
