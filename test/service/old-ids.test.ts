import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { Receipt } from "#contract/private_location/v1/private_location_pb";
import { hashCredential } from "#service/edge/credential";
import { databaseBefore } from "../support/database-before.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { openStoreHere } from "../support/open-store-here.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";

test("a service on a database of before understands the ids that agents and tools have from it, and shows its history", async () => {
  const database = path.join(temporaryFolder(), "service.sqlite");
  const clock = new FakeClock();
  const begin = clock.wall() - 3_600_000;
  const made = { monitors: 3, results: 300, begin };
  const { monitors, location } = databaseBefore(database, made);
  const [token, key] = ["pkt_loc_before", "pkt_key_before"];
  {
    using old = new DatabaseSync(database);
    old.prepare("UPDATE location_tokens SET hash = ?").run(hashCredential(token));
    old
      .prepare("UPDATE api_keys SET hash = ?, scope = 'write' WHERE id = 'key-1'")
      .run(hashCredential(key));
  }
  await using service = await runningService({ database, clock });
  const uuid = monitors[0] ?? "";
  const calls = service.monitors(key);
  const { httpMonitors } = await calls.listMonitors({});
  expect(httpMonitors.map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect((await calls.getMonitor({ id: uuid })).monitor).toEqual(
    (await calls.getMonitor({ id: "1" })).monitor,
  );
  expect(await calls.getMonitorSummary({ id: uuid })).toMatchObject({
    totalSuccessful: 90n,
    totalFailed: 10n,
  });
  const shown = await service.locations(key).getPrivateLocation({ id: location });
  expect(shown.privateLocation).toMatchObject({ id: "1", name: "office" });
  const listed = await calls.listResults({ monitorId: uuid, privateLocationId: location });
  expect(listed.results).toHaveLength(100);
  // An agent that was away reports by the id that it had the monitor by; what the service has already is known.
  const result = (slot: number) => ({
    case: "http" as const,
    value: {
      monitorId: uuid,
      timestamp: BigInt(slot),
      cronTimestamp: BigInt(slot),
      requestStatus: "success",
    },
  });
  const results = [begin, clock.wall()].map((slot) => ({ result: result(slot) }));
  const { receipts } = await service.agent(token).ingestBatch({ instanceId: "a", results });
  expect(receipts.map(({ receipt }) => receipt)).toEqual([Receipt.DUPLICATE, Receipt.ACCEPTED]);
  expect((await calls.listResults({ monitorId: "1", limit: 500 })).results).toHaveLength(101);
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  await store.configuration.own("monitor", 1, "files", "");
  await store.configuration.own("location", 1, "files", "");
  expect(
    (await calls.updateHTTPMonitor({ id: uuid, monitor: { name: "new" } })).monitor,
  ).toMatchObject({ id: "1", name: "new" });
  await service.locations(key).updatePrivateLocation({ id: location, name: "cellar" });
  // Whoever owns them by files learns of a change by hand, by whatever id it is made.
  const { touches } = await store.configuration.estate();
  expect(touches.map(({ kind, id, deed }) => [kind, id, deed])).toEqual([
    ["location", 1, "changed"],
    ["monitor", 1, "changed"],
  ]);
  await service.locations(key).deletePrivateLocation({ id: location });
  await calls.deleteMonitor({ id: uuid });
  await expect(calls.getMonitor({ id: uuid })).rejects.toThrow("there is no monitor");
});
