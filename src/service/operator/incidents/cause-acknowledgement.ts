import { acknowledgedAtOnce } from "#limits/alerts-limits";
import { seeOther } from "#service/edge/page-answer";
import { unacknowledged } from "#service/operator/incidents/incident-groups";
import { openedMonitors } from "#service/operator/incidents/opened-monitors";
import { causeOfKey } from "#service/operator/monitors/cause-groups";
import { actorOf, type OperatorForm, withNotice } from "#service/operator/page-request";

/** `/incidents/acknowledge`: a person takes all open incidents of one cause, in one act. */
export const causeAcknowledgement: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge$/,
  act: async ({ rooms, pictures }, { form, reader }) => {
    const likeness = causeOfKey(form.get("cause") ?? "") ?? (() => "another" as const);
    const alike = Map.groupBy(openedMonitors(await pictures.now()), likeness);
    const same = alike.get("same");
    if (same === undefined)
      return seeOther(withNotice("/incidents", alike.has("elsewhere") ? "changed" : "no-cause"));
    const numbers = unacknowledged({ monitors: same });
    const { incidents } = rooms.store.alerts;
    const at = rooms.clock.wall();
    // In parts, so that the judge waits for none of them for long. After a fault another press does the rest.
    for (let done = 0; done < numbers.length; done += acknowledgedAtOnce) {
      const part = numbers.slice(done, done + acknowledgedAtOnce);
      await incidents.acknowledgeEach(part, at, actorOf(reader));
    }
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
