import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { IncidentService } from "#contract/picket/v1/incident_pb";
import { CountedStore } from "../../support/counted-store.ts";
import { runningService } from "../../support/running-service.ts";

test("however many monitors a silence names, the store is asked for them together", async () => {
  const store = new CountedStore();
  await using service = await runningService({ opensStore: store.open });
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const monitorIds: string[] = [];
  for (let number = 1; number <= 9; number += 1) {
    const target = { name: `m${number}`, uri: "m.test:1", periodicity: "30s", active: true };
    const { id } = await admin.createMonitor({ ...tcpDefaults, ...target } as const, "management");
    monitorIds.push(id);
  }
  const incidents = createClient(
    IncidentService,
    createConnectTransport({ baseUrl: service.url, httpVersion: "1.1" }),
  );
  const until = "2100-01-01T00:00:00Z";
  const silenced = (ids: readonly string[]) =>
    incidents.createSilence({ monitorIds: [...ids], until }, { headers: { "x-service-key": key } });
  const [each, together] = [store.count("monitors.get"), store.count("monitors.among")];
  const { silence } = await silenced(monitorIds);
  expect(silence?.monitorIds).toEqual(monitorIds);
  expect(store.count("monitors.get")).toBe(each);
  expect(store.count("monitors.among")).toBe(together + 1);
  await expect(silenced([...monitorIds, "99", "98"])).rejects.toThrow("99");
});
