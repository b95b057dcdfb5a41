import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { incidentsSteppedAtOnce } from "#limits/service-limits";
import type { Store } from "#service/store/store";
import { alertedOffice } from "../alerts/alerted-office.ts";
import { openStoreHere } from "../../support/open-store-here.ts";

test("if all monitors fail at once, whoever opens a page waits for the questions of few of them", async () => {
  const seen = { most: 0 };
  const office = await alertedOffice(4 * incidentsSteppedAtOnce, {
    opensStore: async (place) => counted(await openStoreHere(place), seen),
  });
  await office.beat();
  await office.report("success");
  await office.pass(1);
  await office.report("error");
  await office.until(async () => {
    const ids = office.monitors.map(Number);
    return (await office.store.alerts.incidents.newest("monitor", ids)).length === ids.length;
  });
  expect(seen.most).toBeGreaterThan(1);
  expect(seen.most).toBeLessThanOrEqual(incidentsSteppedAtOnce);
});

/** A store that counts the monitors whose evidence one look asks for at the same time: two looks may be under way. */
function counted(store: Store, seen: { most: number }): Store {
  const { evidence, incidents } = store.alerts;
  const looks = new AsyncLocalStorage<{ now: number }>();
  // Each look begins with this question.
  const newest: typeof incidents.newest = (kind, ids) => {
    looks.enterWith({ now: 0 });
    return incidents.newest(kind, ids);
  };
  const turns: typeof evidence.turns = async (monitor) => {
    const look = looks.getStore() ?? { now: 0 };
    look.now += 1;
    seen.most = Math.max(seen.most, look.now);
    try {
      return await evidence.turns(monitor);
    } finally {
      look.now -= 1;
    }
  };
  const [asked, known] = [
    { ...evidence, turns },
    { ...incidents, newest },
  ];
  return { ...store, alerts: { ...store.alerts, evidence: asked, incidents: known } };
}
