import { expect, test } from "vitest";
import { policyUnwritten } from "#check/alert-policy";
import { httpDefaults } from "#check/definition";
import { reportFreshFor } from "#limits/report-limits";
import { monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { CountedStore } from "../../../support/counted-store.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

interface Row {
  readonly name: string;
  readonly objective_percent: number | null;
}

test("a report has what was changed at the next look, on each replica: objective, name, label, deletion", async () => {
  const opened: Store[] = [];
  const { service, get } = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      return store;
    },
  });
  const rows = async (query = ""): Promise<readonly Row[]> => {
    const report: { readonly monitors: readonly Row[] } = JSON.parse(
      await (await get(`/uptime.json${query}`)).text(),
    );
    return report.monitors;
  };
  const url = "https://shop.test/";
  const plain = { ...httpDefaults, name: "shop", url, periodicity: "1m", active: true } as const;
  const { id } = await service.admin.createMonitor(plain, "management");
  expect(await (await get("/uptime?month=2026-11")).text()).toContain("has an objective");
  const objective = "99.5% over 30d";
  const alerting = { ...policyUnwritten, objective };
  await service.admin.updateMonitor(id, { ...plain, alerting }, "management");
  expect(await (await get("/uptime?month=2026-11")).text()).not.toContain("has an objective");
  expect(await rows()).toContainEqual(
    expect.objectContaining({ name: "shop", objective_percent: 99.5 }),
  );
  expect(await rows("?label=team:shop")).toEqual([]);
  // As another replica would do it: the service hears of it from the store alone.
  const [store] = opened;
  const [known] = (await store?.state.monitors.among([monitorId(Number(id))])) ?? [];
  if (store === undefined || known === undefined)
    throw new Error("the monitor is not in the store");
  const { definition, owner, updatedAt: at } = known;
  const renamed = { definition: { ...definition, name: "till" }, owner, at };
  await store.state.monitors.update(known.id, { ...renamed, labels: { team: "shop" } });
  expect(await rows("?label=team:shop")).toMatchObject([{ name: "till" }]);
  expect((await rows()).map(({ name }) => name)).not.toContain("shop");
  await store.state.monitors.delete(known.id);
  expect(await rows("?label=team:shop")).toEqual([]);
});

test("figures are read once for all who look within seconds, and the page says as of when they are", async () => {
  const store = new CountedStore();
  const { get, clock } = await operatorScene({ opensStore: store.open });
  const asOf = async (): Promise<string | undefined> =>
    /class="asof".*?datetime="([^"]+)"/s.exec(await (await get("/uptime")).text())?.[1];
  expect(await asOf()).toBe("2026-11-22T12:00:00.000Z");
  const reads = store.count("results.sums");
  await clock.advance(reportFreshFor - 1);
  expect([await asOf(), store.count("results.sums")]).toEqual(["2026-11-22T12:00:00.000Z", reads]);
  await clock.advance(1);
  expect([await asOf(), store.count("results.sums")]).toEqual([
    "2026-11-22T12:00:05.000Z",
    2 * reads,
  ]);
});
