import path from "node:path";
import { httpDefaults } from "#check/definition";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { epochMillis } from "#base/units";
import { type Service, startService } from "#service/server";
import { type LocationId, locationId, type MonitorId, monitorId } from "#service/store/ids";
import { openStore } from "#service/store/open-store";
import type { Store } from "#service/store/store";
import { failing, period, someResult } from "../service/store/conformance/scene.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** A service on a database of a cluster with twenty monitors, on each worker some, whose last two checks failed. */
export interface TwentyShops extends AsyncDisposable {
  readonly service: Service;
  readonly store: Store;
  /** Of scope write. */
  readonly key: string;
  readonly ids: readonly MonitorId[];
  readonly location: LocationId;
}

export async function twentyShops(database: string): Promise<TwentyShops> {
  const opened: Store[] = [];
  const service = await startService({
    database,
    secretFile: path.join(temporaryFolder(), "key"),
    host: "127.0.0.1",
    port: 0,
    pages: "local",
    clock: systemClock,
    log: silentLogger,
    opensStore: async (place) => {
      const store = await openStore(place);
      opened.push(store);
      return store;
    },
  });
  const [store] = opened;
  if (store === undefined) throw new Error("the service opened no store");
  const made = Array.from({ length: 20 }, (_, index) =>
    service.admin.createMonitor(
      {
        ...httpDefaults,
        name: `shop-${index}`,
        url: `https://shop-${index}.test/`,
        periodicity: "30s",
        active: true,
      },
      "management",
    ),
  );
  const monitorIds = (await Promise.all(made)).map(({ id }) => id);
  const ids = monitorIds.map((id) => monitorId(Number(id)));
  const office = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds,
    metadata: {},
  });
  const location = locationId(Number(office.id));
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const now = systemClock.wall();
  const slot = epochMillis(now - (now % period));
  for (const own of [epochMillis(slot - period), slot])
    await store.results.append({
      location,
      storedAt: now,
      results: ids.map((id) => someResult(id, own, failing)),
    });
  return {
    service,
    store,
    key,
    ids,
    location,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}
