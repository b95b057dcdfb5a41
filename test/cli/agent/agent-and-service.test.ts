import { once } from "node:events";
import { expect, test } from "vitest";
import { Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { systemClock } from "#base/clock";
import { PrivateLocationStatus } from "#contract/openstatus/private_location/v1/private_location_pb";
import { assigning, controlPlaneServer } from "../../servers/control-plane-server.ts";
import { answers, tcpPeer } from "../../servers/scripted.ts";
import { startPicket } from "../../support/running-picket.ts";
import { runningService } from "../../support/running-service.ts";
import { openProxy } from "../../servers/proxies.ts";
import { openTwoProcesses, resultsOf } from "./two-processes.ts";

test("agent and service in two processes: checks continue across a restart of either, and nothing is lost or reported", async () => {
  await using target = await tcpPeer(answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  const both = await openTwoProcesses(
    `http_monitors:
  - name: shop
    url: http://planted-user:planted-password@127.0.0.1:${target.port}/?token=planted-query
    periodicity: 30s
    active: true
    headers: [{ key: X-Secret, value: planted-header }]
`,
    { pollInterval: "1s" },
  );
  const { key, management, startTheAgent, startTheService, token } = both;
  let { service } = both;
  const results = (): Promise<number> => resultsOf(both);

  // The service goes away between the assignment and the first check, which runs all the same and is told later.
  const agent = startTheAgent();
  await agent.said(/assignment taken/);
  expect(await service.stop()).toBe(0);
  await agent.said(/"message":"checked"/);
  await agent.said(/the service cannot be reached/);
  service = startTheService();
  await service.said(/listens on/);
  await agent.said(/the service is back/);
  await expect.poll(results).toBeGreaterThanOrEqual(1);

  // A restarted agent keeps the rhythm: its next check is at the next slot.
  expect(await agent.stop()).toBe(0);
  const before = await results();
  const again = startTheAgent();
  await expect.poll(results).toBeGreaterThan(before);
  const { privateLocations } = await management.locations.listPrivateLocations({});
  expect(privateLocations).toMatchObject([
    { name: "office", status: PrivateLocationStatus.ACTIVE, monitorCount: 1 },
  ]);

  // Its own page knows the monitor, and no secret.
  const [, page = ""] = await again.said(/"url\.full":"([^"]+)"/);
  const told = await Promise.all(
    ["/", "/status"].map(async (path) => (await fetch(`${page}${path}`)).text()),
  );
  for (const text of told) {
    expect(text).toContain(`http://127.0.0.1:${target.port}/`);
    for (const secret of [token, key, "planted"]) expect(text).not.toContain(secret);
  }
  expect(await again.stop()).toBe(0);
  expect(await service.stop()).toBe(0);

  const output = [agent, again, service].map((one) => one.output()).join("\n");
  for (const secret of [token, key, "planted"]) expect(output).not.toContain(secret);
});

test("a change reaches an agent that hardly ever polls, and a check runs when it is asked for", async () => {
  await using service = await runningService({ clock: systemClock });
  await using target = await tcpPeer(() => {});
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const management = connectManagement(service.url, key, directWay());
  const periodicity = Periodicity.PERIODICITY_1H;
  const monitor = { name: "db", uri: `127.0.0.1:${target.port}`, periodicity, active: true };
  const created = await management.monitors.createTCPMonitor({ monitor });
  const monitorId = created.monitor?.id ?? "";
  const wanted = { name: "office", monitorIds: [monitorId], metadata: {} };
  const { id: privateLocationId, token } = await service.admin.createPrivateLocation(wanted);
  const agent = startPicket(["agent"], {
    PICKET_TOKEN: token,
    PICKET_INSTANCE: "agent-1",
    SERVICE_API_URL: service.url,
    PICKET_POLL_INTERVAL: "1h",
    PICKET_LOG_LEVEL: "debug",
  });
  await agent.said(/the push channel is open/);

  await management.monitors.updateTCPMonitor({ id: monitorId, monitor: { ...monitor, retry: 0n } });
  await agent.said(/"changed":1/);

  const { answers } = await management.locations.checkNow({ privateLocationId, monitorId });
  expect(answers).toMatchObject([
    {
      instanceId: "agent-1",
      error: "",
      result: { result: { value: { requestStatus: "success" } } },
    },
  ]);
  expect(await agent.stop()).toBe(0);
  expect(agent.output()).not.toContain(token);
});

test("the push channel is asked for through the same proxy as the calls", async () => {
  await using service = await controlPlaneServer({ Monitors: assigning });
  await using proxy = await openProxy();
  const agent = startPicket(["agent"], {
    PICKET_TOKEN: "pkt_loc_token",
    SERVICE_API_URL: service.url.replace("127.0.0.1", "service.test"),
    PICKET_ALLOW_HTTP: "on",
    PICKET_SERVICE_PROXY: `http://127.0.0.1:${proxy.port}`,
    // This service takes no results: the stop would wait for one that is there by then.
    PICKET_DRAIN_TIMEOUT: "100ms",
  });
  await agent.said(/the service pushes no changes/);
  expect(service.heard).toContain("Watch pkt_loc_token");
  expect(proxy.asked.join()).toMatch(/CONNECT service\.test:\d+ /);
  expect(await agent.stop()).toBe(0);
});

test("every mistake in the configuration is reported, and ends with 1", async () => {
  const agent = startPicket(["agent"], {
    PICKET_TOKEN: "",
    PICKET_POLL_INTERVAL: "often",
    PICKET_WORKERS: "none",
    PICKET_POLL_INTERVALL: "1s",
  });
  const [code]: unknown[] = await once(agent.child, "exit");
  expect(code).toBe(1);
  for (const name of [
    "PICKET_TOKEN is not set",
    "PICKET_POLL_INTERVAL must be a duration",
    "PICKET_WORKERS must be a whole number",
    "did you mean PICKET_POLL_INTERVAL?",
  ])
    expect(agent.output()).toContain(name);
});
