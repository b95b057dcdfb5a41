import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import * as limits from "#limits/pages-limits";
import { silentLogger } from "#base/log";
import { type Service, startService } from "#service/server";
import type { Store } from "#service/store/store";
import { FakeClock } from "../../../support/fake-clock.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { twoReplicas } from "../../../support/two-replicas.ts";

/** Monitors of one location, and an agent that says how they are. No time passes, so no picture is ever too old. */
async function watched(service: Service, count: number) {
  const clock = new FakeClock();
  const monitorIds: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const named = { name: `m${index}`, uri: "db.test:5432", periodicity: "10m", active: true };
    const { id } = await service.admin.createMonitor({ ...tcpDefaults, ...named }, "management");
    monitorIds.push(id);
  }
  const wanted = { name: "office", monitorIds, metadata: {} };
  const { token } = await service.admin.createPrivateLocation(wanted);
  const transport = createConnectTransport({
    baseUrl: service.url,
    httpVersion: "1.1",
    interceptors: [
      (next) => (request) => {
        request.header.set("x-service-token", token);
        return next(request);
      },
    ],
  });
  const agent = createClient(PrivateLocationService, transport);
  await agent.heartbeat({ instanceId: "a", leaving: false });
  let slot = clock.wall() - 600_000;
  const report = async (requestStatus: string, ids = monitorIds): Promise<void> => {
    slot += 1_000;
    const at = { timestamp: BigInt(slot), cronTimestamp: BigInt(slot) };
    await agent.ingestBatch({
      instanceId: "a",
      results: ids.map((monitorId) => ({
        result: { case: "tcp" as const, value: { monitorId, requestStatus, ...at } },
      })),
    });
  };
  return { report, monitorIds };
}

/** The sentence below the heading of the overview. */
async function sentenceOf({ url }: Service): Promise<string> {
  const page = await (await fetch(`${url}/`)).text();
  return /<p class="lede">([^<]*)</.exec(page)?.[1] ?? "";
}

/** How many incidents are open, as the navigation says it. */
async function openAt({ url }: Service): Promise<string> {
  const page = await (await fetch(`${url}/settings`)).text();
  return /data-open="([^"]*)"/.exec(page)?.[1] ?? "";
}

async function localService(
  opensStore: typeof openStoreHere = openStoreHere,
  clock = new FakeClock(),
): Promise<Service> {
  const service = await startService({
    database: path.join(quickFolder(), "service.sqlite"),
    host: "127.0.0.1",
    port: 0,
    clock,
    log: silentLogger,
    pages: "local",
    opensStore,
  });
  onTestFinished(() => service[Symbol.asyncDispose]());
  return service;
}

test("the overview says what the judge says at once, however young its picture is", async () => {
  const service = await localService();
  const { report, monitorIds } = await watched(service, 3);
  await report("success");
  await expect.poll(() => sentenceOf(service)).toBe("3 monitors at 1 location, all passing");
  await report("error", monitorIds.slice(1));
  await expect.poll(() => sentenceOf(service)).toBe("2 failing, of 3 monitors at 1 location");
  expect(await openAt(service)).toBe("2");
  await report("success", monitorIds.slice(2));
  await expect
    .poll(() => sentenceOf(service))
    .toBe("1 failing, 1 recovering, of 3 monitors at 1 location");
});

test("a monitor that is ahead of what the judge has said is read once, and not for each verdict of another", async () => {
  let saidBefore: ReturnType<Store["state"]["states"]["notActive"]> | null = null;
  const stores: Store[] = [];
  const read: (readonly number[])[] = [];
  const clock = new FakeClock();
  const service = await localService(async (place) => {
    const store = await openStoreHere(place);
    const states: Store["state"]["states"] = {
      ...store.state.states,
      notActive: () => saidBefore ?? store.state.states.notActive(),
    };
    const results: Store["results"] = {
      ...store.results,
      seen: (monitors) => {
        read.push(monitors);
        return store.results.seen(monitors);
      },
    };
    stores.push(store);
    return { ...store, results, state: { ...store.state, states } };
  }, clock);
  const { report, monitorIds } = await watched(service, 3);
  const [first = "", second = "", third = ""] = monitorIds;
  await report("success");
  await report("error", [first]);
  await expect.poll(() => sentenceOf(service)).toBe("1 failing, of 3 monitors at 1 location");
  saidBefore = stores[0]?.state.states.notActive() ?? null;
  await report("success", [first]);
  clock.suspend(limits.pictureShownFor);
  await expect.poll(() => sentenceOf(service)).toBe("1 recovering, of 3 monitors at 1 location");
  const both = "1 failing, 1 recovering, of 3 monitors at 1 location";
  await report("error", [second]);
  await expect.poll(() => sentenceOf(service)).toBe(both);
  const before = read.length;
  await report("error", [third]);
  await expect.poll(() => sentenceOf(service)).toBe(both.replace("1 failing", "2 failing"));
  expect(read.slice(before).filter((ids) => ids.includes(Number(first)))).toEqual([]);
});

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("say the same at once, whichever of them judges", async () => {
    const [one, other] = await twoReplicas(server, "local");
    const { report } = await watched(one, 2);
    await report("success");
    for (const replica of [one, other])
      await expect.poll(() => sentenceOf(replica)).toBe("2 monitors at 1 location, all passing");
    await report("error");
    for (const replica of [one, other])
      await expect.poll(() => sentenceOf(replica)).toBe("2 failing, of 2 monitors at 1 location");
    for (const replica of [one, other]) await expect.poll(() => openAt(replica)).toBe("2");
  });
});
