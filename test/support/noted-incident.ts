import type { Subject } from "#service/alerting/incident";
import type { IncidentChange } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** An incident that opens, whatever it is about, and notifies no one. */
export const notedIncident = (subject: Subject, at: EpochMillis): IncidentChange => ({
  incident: {
    subject,
    severity: "error",
    worst: "error",
    startedAt: at,
    openedAt: at,
    ended: null,
    openings: [at],
    flapping: null,
    noDataSince: null,
    unwatchedSince: null,
    notBefore: null,
    well: [],
    passedSince: null,
    passes: [],
    acknowledged: null,
  },
  name: `${subject.kind} ${subject.id}`,
  cause: "",
  at,
  snapshot: {
    of: "channel",
    channel: { id: String(subject.id), name: "ops", provider: "Slack" },
    message: "it takes no message",
  },
  events: [{ kind: "opened", to: { are: "channels", channels: [] } }],
});
