import { expect, test } from "vitest";
import type { Store } from "#service/store/store";
import { alertedOffice } from "../alerts/alerted-office.ts";
import { openStoreHere } from "../../support/open-store-here.ts";

/** While so many are judged, a result of each comes: the store is slow, and they are checked often. */
const keptInTimeMax = 10;

test("if all fail at once, and results overtake each look, every failure opens its incident anyway", async () => {
  let overtake = async (_subjects: readonly number[]): Promise<void> => {};
  const office = await alertedOffice(40, {
    opensStore: async (place) =>
      overtaken(await openStoreHere(place), (subjects) => overtake(subjects)),
  });
  await office.beat();
  await office.report("success");
  await office.pass(1);
  let times = 0;
  overtake = async (subjects) => {
    times += 1;
    // Without an end, the judge would never come to rest. Each result is of a separate slot.
    if (times < 30) await office.report("error", subjects.map(String), 10 + 5 * times);
  };
  await office.report("error");
  await office.until(async () => {
    const ids = office.monitors.map(Number);
    return (await office.store.alerts.incidents.newest("monitor", ids)).length === ids.length;
  });
  expect(times).toBeLessThan(10);
});

/** A store where results come between the reading of many monitors and the keeping of what is judged of them. */
function overtaken(store: Store, overtake: (subjects: readonly number[]) => Promise<void>): Store {
  const { incidents } = store.alerts;
  const newest: typeof incidents.newest = async (kind, subjects) => {
    const found = await incidents.newest(kind, subjects);
    if (kind === "monitor" && subjects.length > keptInTimeMax) await overtake(subjects);
    return found;
  };
  return { ...store, alerts: { ...store.alerts, incidents: { ...incidents, newest } } };
}
