import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import type { Store } from "#service/store/store";
import { FakeClock } from "../../../support/fake-clock.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { temporaryFolder } from "../../../support/running-service.ts";

test("a service opens its overview once by itself, so that a person's first look counts nothing", async () => {
  const clock = new FakeClock(Date.parse("2026-11-22T12:00:00Z"));
  const database = path.join(temporaryFolder(), "service.sqlite");
  {
    await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
    const named = { name: "db", uri: "db.test:5432", periodicity: "30s" as const, active: true };
    const definition = { ...tcpDefaults, ...named };
    await store.state.monitors.create({ definition, owner: "", labels: {}, at: clock.wall() });
  }
  let counted = 0;
  const counting = (store: Store): Store => ({
    ...store,
    alerts: {
      ...store.alerts,
      incidents: {
        ...store.alerts.incidents,
        openCount: () => {
          counted += 1;
          return store.alerts.incidents.openCount();
        },
      },
    },
  });
  const service = await startService({
    database,
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock,
    log: silentLogger,
    opensStore: async (place) => counting(await openStoreHere(place)),
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  await expect.poll(() => counted).toBe(1);
  expect(await (await fetch(`${service.url}/`)).text()).toContain("db.test:5432");
  expect(counted).toBe(1);
});
