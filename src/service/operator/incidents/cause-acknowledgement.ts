import { seeOther } from "#service/edge/page-answer";
import { unacknowledged } from "#service/operator/incidents/incident-groups";
import { causeOfKey } from "#service/operator/monitors/cause-groups";
import { actorOf, type OperatorForm, withNotice } from "#service/operator/page-request";

/** `/incidents/acknowledge`: a person takes all open incidents of one cause, in one act. */
export const causeAcknowledgement: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge$/,
  act: async ({ rooms, pictures }, { form, reader }) => {
    const likeness = causeOfKey(form.get("cause") ?? "") ?? (() => "another" as const);
    const { monitors } = await pictures.now();
    const open = monitors.filter(({ incident }) => incident !== null);
    const alike = Map.groupBy(open, likeness);
    const same = alike.get("same");
    if (same === undefined)
      return seeOther(withNotice("/incidents", alike.has("elsewhere") ? "changed" : "no-cause"));
    const numbers = unacknowledged({ monitors: same });
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
  changed: "The cause has changed, and nothing is acknowledged: look again.",
  "no-cause": "No open incident has this cause any more.",
} as const;
