import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { CountedStore } from "../../support/counted-store.ts";
import { runningService } from "../../support/running-service.ts";

test("a location with more labels than are let pass today can be renamed, and is refused when it is given as many again", async () => {
  await using service = await runningService();
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const { id } = await admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`label${n}`, "x"]));
  using file = new DatabaseSync(path.resolve(service.database), { timeout: 10_000 });
  file.prepare("UPDATE locations SET metadata = ? WHERE id = ?").run(JSON.stringify(metadata), id);
  await admin.updatePrivateLocation(id, { name: "home" });
  const { privateLocation } = await service.locations(key).getPrivateLocation({ id });
  expect(privateLocation).toMatchObject({ name: "home", metadata });
  await expect(admin.updatePrivateLocation(id, { metadata })).rejects.toThrow(
    "metadata has 21 labels, more than 20",
  );
});

test("however many monitors a location gets, the store is asked for them together", async () => {
  const store = new CountedStore();
  await using service = await runningService({ opensStore: store.open });
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const made = Array.from({ length: 9 }, (_, n) => {
    const definition = { ...tcpDefaults, name: `m${n}`, uri: "m.test:1", periodicity: "30s" };
    return admin.createMonitor({ ...definition, active: true } as const, "management");
  });
  const monitorIds = (await Promise.all(made)).map((one) => one.id);
  const location = { name: "office", monitorIds: [], metadata: {} };
  const { id } = await admin.createPrivateLocation(location);
  const [each, together] = [store.count("monitors.get"), store.count("monitors.among")];
  await admin.updatePrivateLocation(id, { monitorIds });
  expect(store.count("monitors.get")).toBe(each);
  expect(store.count("monitors.among")).toBeGreaterThan(together);
  const { privateLocation } = await service.locations(key).getPrivateLocation({ id });
  expect(privateLocation?.monitorIds).toEqual(monitorIds);
  const unknown = admin.updatePrivateLocation(id, { monitorIds: [...monitorIds, "99"] });
  await expect(unknown).rejects.toThrow("99");
});

test("the token of an agent's call is looked up once", async () => {
  const store = new CountedStore();
  await using service = await runningService({ opensStore: store.open });
  const location = { name: "office", monitorIds: [], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(location);
  const agent = service.agent(token);
  await agent.monitors({});
  await agent.heartbeat({ instanceId: "a" });
  await agent.ingestBatch({});
  expect(store.count("locations.ofToken")).toBe(3);
});
