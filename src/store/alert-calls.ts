import type { AlertStore } from "#store/alert-store";
import { callsOn, type Engine } from "#store/engine";
import { channels } from "#store/verbs/channels";
import { deliveries } from "#store/verbs/deliveries";
import { incidents } from "#store/verbs/incidents";
import { evidence } from "#store/verbs/outage-evidence";
import { maintenances, silences } from "#store/verbs/planned-work";

/** What the alerts ask of the store, on whatever engine does the verbs. */
export function alertsOn(engine: Engine): AlertStore {
  const call = callsOn(engine);
  return {
    incidents: incidentsOn(engine),
    deliveries: deliveriesOn(engine),
    channels: {
      create: call(channels.create),
      update: call(channels.update),
      delete: call(channels.delete),
      get: call(channels.get),
      list: call(channels.list),
      count: call(channels.count),
      ofMonitors: call(channels.ofMonitors),
    },
    silences: {
      create: call(silences.create),
      end: call(silences.end),
      list: call(silences.list),
    },
    maintenances: {
      create: call(maintenances.create),
      update: call(maintenances.update),
      delete: call(maintenances.delete),
      get: call(maintenances.get),
      list: call(maintenances.list),
      between: call(maintenances.between),
    },
    evidence: {
      turns: call(evidence.turns),
      failedChecks: call(evidence.failedChecks),
      replay: call(evidence.replay),
    },
  };
}

function incidentsOn(engine: Engine): AlertStore["incidents"] {
  const call = callsOn(engine);
  return {
    keep: call(incidents.keep),
    note: call(incidents.note),
    newest: call(incidents.newest),
    since: call(incidents.since),
    causes: call(incidents.causes),
    list: call(incidents.list),
    story: call(incidents.story),
    ongoing: call(incidents.ongoing),
    acknowledge: call(incidents.acknowledge),
    orphans: call(incidents.orphans),
  };
}

function deliveriesOn(engine: Engine): AlertStore["deliveries"] {
  const call = callsOn(engine);
  return {
    due: call(deliveries.due),
    claim: call(deliveries.claim),
    token: call(deliveries.token),
    begin: call(deliveries.begin),
    settle: call(deliveries.settle),
    release: call(deliveries.release),
    list: call(deliveries.list),
    retry: call(deliveries.retry),
    sent: call(deliveries.sent),
    lanes: call(deliveries.lanes),
    standing: call(deliveries.standing),
    oldestWaiting: call(deliveries.oldestWaiting),
    phonesUsed: call(deliveries.phonesUsed),
    usePhone: call(deliveries.usePhone),
    forget: call(deliveries.forget),
  };
}
