import { renameSync } from "node:fs";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { runningService } from "../support/running-service.ts";

const monitorCall = "/openstatus.monitor.v1.MonitorService";
const locationCall = "/openstatus.private_location.v1.PrivateLocationService";
const keyCall = "/picket.v1.ApiKeyService";
const agentCall = "/private_location.v1.PrivateLocationService";

test("each refusal has its reason in a header, calls and whoami alike", async () => {
  await using service = await runningService();
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const target = { ...tcpDefaults, name: "db", uri: "db:1", periodicity: "1m" };
  const off = await admin.createMonitor({ ...target, active: false }, "management");
  const write = { "x-service-key": key };
  const cases: readonly (readonly [
    path: string,
    body: unknown,
    headers: Record<string, string>,
    expected: readonly [status: number, reason: string],
  ])[] = [
    [`${monitorCall}/ListMonitors`, {}, {}, [401, "API_KEY_REQUIRED"]],
    [`${monitorCall}/ListMonitors`, {}, { "x-service-key": "x" }, [401, "API_KEY_INVALID"]],
    [`${agentCall}/Monitors`, {}, {}, [401, "TOKEN_REQUIRED"]],
    [`${agentCall}/Monitors`, {}, { "x-service-token": "x" }, [401, "TOKEN_INVALID"]],
    [`${locationCall}/GetPrivateLocation`, { id: "9" }, write, [404, "PRIVATE_LOCATION_NOT_FOUND"]],
    [
      `${locationCall}/CreatePrivateLocation`,
      { name: "a", monitorIds: [""] },
      write,
      [400, "INVALID_MONITOR_ID"],
    ],
    [
      `${locationCall}/CreatePrivateLocation`,
      { name: "a", monitorIds: ["9"] },
      write,
      [404, "MONITOR_NOT_FOUND"],
    ],
    [`${keyCall}/RevokeApiKey`, { id: "9" }, write, [404, "API_KEY_NOT_FOUND"]],
    [`${monitorCall}/TriggerMonitor`, { id: off.id }, write, [400, "FAILED_PRECONDITION"]],
    [`${monitorCall}/ListResults`, {}, write, [400, "MONITOR_ID_REQUIRED"]],
    [`${monitorCall}/ListMonitors`, { limit: 101 }, write, [400, "INVALID_ARGUMENT"]],
  ];
  for (const [path, body, headers, expected] of cases) {
    const answer = await service.post(path, body, headers);
    expect([answer.status, answer.headers.get("error-reason")], path).toEqual(expected);
    expect(answer.headers.get("error-domain"), path).toBe("picket");
  }
  const asked = await fetch(`${service.url}/v1/whoami`);
  expect([asked.status, asked.headers.get("error-reason")]).toEqual([401, "API_KEY_REQUIRED"]);
  const { token } = await admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  renameSync(service.database, `${service.database}.away`);
  const beat = { instanceId: "a" };
  const out = await service.post(`${agentCall}/Heartbeat`, beat, { "x-service-token": token });
  expect([out.status, out.headers.get("error-reason"), out.headers.get("retry-after")]).toEqual([
    503,
    "UNAVAILABLE",
    "1",
  ]);
  renameSync(`${service.database}.away`, service.database);
});
