import { expect, test } from "vitest";
import { incidentsSteppedAtOnce } from "#limits/service-limits";
import type { Store } from "#service/store/store";
import { alertedOffice } from "../alerts/alerted-office.ts";
import { openStoreHere } from "../../support/open-store-here.ts";

test("if all monitors fail at once, whoever opens a page waits for the questions of few of them", async () => {
  const asked = { now: 0, most: 0 };
  const office = await alertedOffice(4 * incidentsSteppedAtOnce, {
    opensStore: async (place) => counted(await openStoreHere(place), asked),
  });
  await office.beat();
  await office.report("success");
  await office.pass(1);
  await office.report("error");
  await office.until(async () => {
    const ids = office.monitors.map(Number);
    return (await office.store.alerts.incidents.newest("monitor", ids)).length === ids.length;
  });
  expect(asked.most).toBe(incidentsSteppedAtOnce);
});

/** A store that counts the monitors whose evidence it is asked for at the same time. */
function counted(store: Store, asked: { now: number; most: number }): Store {
  const { evidence } = store.alerts;
  const turns: typeof evidence.turns = async (monitor) => {
    asked.now += 1;
    asked.most = Math.max(asked.most, asked.now);
    try {
      return await evidence.turns(monitor);
    } finally {
      asked.now -= 1;
    }
  };
  return { ...store, alerts: { ...store.alerts, evidence: { ...evidence, turns } } };
}
