import type { AlertStore } from "#store/alert-store";
import { callsOn, type Engine } from "#store/engine";
import { channels } from "#store/verbs/channels";
import { deliveries } from "#store/verbs/deliveries";
import { incidents } from "#store/verbs/incidents";
import { evidence } from "#store/verbs/outage-evidence";
import { maintenances, silences } from "#store/verbs/planned-work";

/** What the alerts ask of the store, on whatever engine does the verbs. */
export function alertsOn(engine: Engine): AlertStore {
  const calls = callsOn(engine);
  return {
    incidents: calls(incidents),
    deliveries: calls(deliveries),
    channels: calls(channels),
    silences: calls(silences),
    maintenances: calls(maintenances),
    evidence: calls(evidence),
  };
}
