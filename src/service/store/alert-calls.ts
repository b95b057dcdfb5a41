import type { AlertStore } from "#service/store/alert-store";
import { callsOn, type Engine } from "#service/store/engine";
import { channels } from "#service/store/verbs/channels";
import { comments } from "#service/store/verbs/comments";
import { deliveries } from "#service/store/verbs/deliveries";
import { incidents } from "#service/store/verbs/incidents";
import { evidence } from "#service/store/verbs/outage-evidence";
import { maintenanceUpdates } from "#service/store/verbs/maintenance-updates";
import { maintenances, silences } from "#service/store/verbs/planned-work";

/** What the alerts ask of the store, on whatever engine does the verbs. */
export function alertsOn(engine: Engine): AlertStore {
  const calls = callsOn(engine);
  return {
    incidents: calls(incidents),
    comments: calls(comments),
    deliveries: calls(deliveries),
    channels: calls(channels),
    silences: calls(silences),
    maintenances: calls(maintenances),
    maintenanceUpdates: calls(maintenanceUpdates),
    evidence: calls(evidence),
  };
}
