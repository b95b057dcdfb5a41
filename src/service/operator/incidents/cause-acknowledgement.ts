import { seeOther } from "#service/edge/page-answer";
import { incidentGroups, unacknowledged } from "#service/operator/incidents/incident-groups";
import { actorOf, type OperatorForm, withNotice } from "#service/operator/page-request";

/** `/incidents/acknowledge`: a person takes all open incidents of one cause, in one act. */
export const causeAcknowledgement: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge$/,
  act: async ({ rooms, pictures }, { form, reader }) => {
    const cause = form.get("cause") ?? "";
    const group = incidentGroups(await pictures.now()).find(({ key }) => key === cause);
    if (group === undefined) return seeOther(withNotice("/incidents", "no-cause"));
    const numbers = unacknowledged(group);
    await rooms.store.alerts.incidents.acknowledgeEach(
      numbers,
      rooms.clock.wall(),
      actorOf(reader),
    );
    pictures.outdate();
    return seeOther(withNotice("/incidents", "cause-acknowledged"));
  },
};

export const causeNotices = {
  "cause-acknowledged":
    "Acknowledged, all of this cause: no reminders follow until one is worse or opens again.",
  "no-cause": "Nothing fails for this cause any more.",
} as const;
