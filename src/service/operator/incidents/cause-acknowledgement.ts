import { acknowledgedAtOnce } from "#limits/alerts-limits";
import { seeOther } from "#service/edge/page-answer";
import { anyIncident, incidentQueryText } from "#service/operator/incidents/incident-query";
import { monitorsOfQuery } from "#service/operator/incidents/rows-of-incidents";
import { causeOfKey } from "#service/operator/monitors/cause-groups";
import { actorOf, type OperatorForm, wantedPath, withNotice } from "#service/operator/page-request";
import type { PicturedMonitor } from "#service/operator/picture";
import { numberIn } from "#service/operator/whole-number";

/** The incidents of monitors that no one has acknowledged. */
export const unacknowledged = (monitors: readonly PicturedMonitor[]): readonly number[] =>
  monitors.flatMap(({ incident }) =>
    incident === null || incident.acknowledged ? [] : [incident.number],
  );

/** `/incidents/acknowledge`: a person takes all open incidents of one row, in one act. */
export const causeAcknowledgement: OperatorForm = {
  role: "responder",
  path: /^\/incidents\/acknowledge$/,
  act: async ({ rooms, pictures }, { form, reader }) => {
    const monitor = numberIn(form, "monitor");
    const query = { ...anyIncident, monitor, location: numberIn(form, "location") };
    const list = form.get("back") ?? `/incidents${incidentQueryText(query)}`;
    const back = (notice: string) => seeOther(withNotice(wantedPath(list), notice));
    const among = await monitorsOfQuery(rooms, query, await pictures.now());
    const cause = causeOfKey(form.get("cause") ?? "", among);
    if (cause === null) return back("no-cause");
    if (cause === "elsewhere") return back("changed");
    const numbers = unacknowledged(cause.monitors);
    const { incidents } = rooms.store.alerts;
    const at = rooms.clock.wall();
    // In parts, so that the judge waits for none of them for long. After a fault another press does the rest.
    for (let done = 0; done < numbers.length; done += acknowledgedAtOnce) {
      const part = numbers.slice(done, done + acknowledgedAtOnce);
      await incidents.acknowledgeEach(part, at, actorOf(reader));
    }
    pictures.outdate();
    return back("cause-acknowledged");
  },
};

export const causeNotices = {
  "cause-acknowledged":
    "Acknowledged, all of this cause: no reminders follow until one is worse or opens again.",
  changed: "The cause has changed, and nothing is acknowledged: look again.",
  "no-cause": "No open incident has this cause any more.",
} as const;
