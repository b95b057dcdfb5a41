import { closedAsDeleted } from "#service/alerting/incident-machine";
import type { Snapshot } from "#service/alerting/snapshot";
import type { IncidentChange, NamedIncident } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** The end of an incident whose subject was deleted: it goes where it went before. */
export const deletedEnd = (
  { incident, name }: Pick<NamedIncident, "incident" | "name">,
  snapshot: Snapshot,
  now: EpochMillis,
): IncidentChange => ({
  incident: closedAsDeleted(incident, now),
  name,
  cause: "",
  at: now,
  snapshot,
  events: [{ kind: "closed", to: { are: "notified", except: [] } }],
});
