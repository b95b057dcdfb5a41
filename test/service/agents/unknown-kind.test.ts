import { expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { MonitorService, Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationService } from "#contract/private_location/v1/private_location_pb";
import { operatorScene } from "../../support/operator-scene.ts";
import { serviceClient } from "../../support/service-client.ts";

/** Monitors of a kind that the agents of their location do not know: nothing is checked, and the service says why. */

test("a monitor that its location's only agent does not know is shown as not checked, until the agent is upgraded", async () => {
  const { service, get } = await operatorScene({ days: 0 });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const monitors = serviceClient(MonitorService, service.url, "x-service-key", key);
  const common = { periodicity: Periodicity.PERIODICITY_1M, active: true };
  const { monitor } = await monitors.createICMPMonitor({
    monitor: { name: "Switch", uri: "10.0.0.1", ...common },
  });
  const { monitor: port } = await monitors.createTCPMonitor({
    monitor: { name: "Port", uri: "10.0.0.1:22", ...common },
  });
  const [ping = "", tcp = ""] = [monitor?.id, port?.id];
  const { token } = await service.admin.createPrivateLocation({
    name: "cellar",
    monitorIds: [ping, tcp],
    metadata: {},
  });
  const agent = serviceClient(PrivateLocationService, service.url, "x-service-token", token);
  const seen = async (id: string): Promise<readonly string[]> => {
    const { locations } = await monitors.getMonitorStatus({ id });
    const page = await (await get(`/monitors/${id}`)).text();
    return [
      ...locations.map(({ notMeasuredBecause }) => notMeasuredBecause),
      /not checked: [^<]*/.exec(page)?.[0].trim() ?? "",
    ];
  };
  // Other agents send no heartbeat, and say nothing of what they know.
  expect(await seen(ping)).toEqual(["", ""]);
  const beat = { instanceId: "a", hostname: "office-1", agentVersion: "0.1.0" };
  await agent.heartbeat(beat);
  const why = "not checked: the agent office-1 (0.1.0) does not know Ping monitors: upgrade it";
  expect(await seen(ping)).toEqual([why, why]);
  expect(await seen(tcp)).toEqual(["", ""]);
  await agent.heartbeat({ ...beat, agentVersion: "0.2.0", kinds: [...kinds, "smoke signals"] });
  expect(await seen(ping)).toEqual(["", ""]);
});
