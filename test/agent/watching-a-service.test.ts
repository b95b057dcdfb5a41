import { randomUUID } from "node:crypto";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { Agent } from "#agent/agent";
import { systemClock } from "#base/clock";
import { tcpDefaults } from "#check/definition";
import { connectControlPlane, type ConnectOptions } from "#transport/connect-control-plane";
import { memorySpool } from "#agent/spool/memory-spool";
import { websocketWatch } from "#transport/websocket-watch";
import { hours, mebibytes, millis } from "#base/units";
import { assigning, bytes, controlPlaneServer } from "../servers/control-plane-server.ts";
import { closedPort } from "../servers/scripted.ts";
import { runningService, temporaryFolder } from "../support/running-service.ts";
import { memoryLog, TwinProber } from "../support/twins.ts";
import { wayWith } from "../support/service-way.ts";
import { checkerWith } from "../support/checking.ts";

/** Agents and a service on real sockets and the real clock; only the probes are twins. */

function startAgent(
  baseUrl: string,
  token: string,
  pollInterval = millis(3_600_000),
): { readonly agent: Agent; readonly log: ReturnType<typeof memoryLog> } {
  const log = memoryLog();
  const instance = {
    id: randomUUID(),
    version: "1",
    hostname: "h",
    node: "",
    labels: {},
    placement: "everywhere" as const,
  };
  const options: ConnectOptions = {
    baseUrl,
    token: () => token,
    tokenHeader: "x-service-token",
    instance,
    way: wayWith({ clock: systemClock }),
    clock: systemClock,
  };
  const agent = new Agent({
    checker: checkerWith(new TwinProber(), systemClock, log, 10),
    controlPlane: connectControlPlane(options),
    watch: websocketWatch(options),
    spool: memorySpool(systemClock, { bytesMax: mebibytes(1), ageMax: hours(24) }),
    clock: systemClock,
    log,
    serviceUrl: baseUrl,
    pollInterval,
    heartbeatInterval: millis(300_000),
    drainTimeout: millis(500),
  });
  const stop = new AbortController();
  const ended = agent.run(stop.signal, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return { agent, log };
}

const definition = {
  ...tcpDefaults,
  name: "db",
  uri: "db.test:5432",
  periodicity: "1h",
  active: true,
};

test("several agents of a location take each change, also after the service was started again", async () => {
  const database = path.join(temporaryFolder(), "service.sqlite");
  const port = await closedPort();
  const start = (): ReturnType<typeof runningService> =>
    runningService({ clock: systemClock, database, port });
  const first = await start();
  const { id } = await first.admin.createMonitor(definition, "management");
  const { token } = await first.admin.createPrivateLocation({
    name: "office",
    monitorIds: [id],
    metadata: {},
  });
  const agents = [startAgent(first.url, token), startAgent(first.url, token)];
  const states = (): readonly string[] => agents.map(({ agent }) => agent.status.watch);
  const revisions = (): ReadonlySet<string | null> =>
    new Set(agents.map(({ agent }) => agent.status.revision));
  await expect.poll(states).toEqual(["connected", "connected"]);
  const [before] = revisions();
  await first.admin.updateMonitor(id, { ...definition, name: "changed" }, "management");
  await expect.poll(() => [revisions().size, revisions().has(before ?? "")]).toEqual([1, false]);

  await first[Symbol.asyncDispose]();
  await expect.poll(states).toEqual(["connecting", "connecting"]);
  await using second = await start();
  // Sent away, they come back after a pause of up to five seconds, and with growing ones until the service is there.
  await expect.poll(states).toEqual(["connected", "connected"]);
  const [between] = revisions();
  await second.admin.updateMonitor(id, { ...definition, name: "again" }, "management");
  await expect.poll(() => [revisions().size, revisions().has(between ?? "")]).toEqual([1, false]);
  const told = agents.flatMap(({ log }) => log.said).filter(({ level }) => level !== "debug");
  expect(told.filter(({ message }) => /push/.test(message))).toEqual([]);
});

test("an agent whose token is revoked is let go, and gets no more changes", async () => {
  await using service = await runningService({ clock: systemClock });
  const { id, token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const { agent, log } = startAgent(service.url, token);
  await expect.poll(() => agent.status.watch).toBe("connected");
  await service.admin.renewToken(id);
  const reasons = (): readonly unknown[] =>
    log.said
      .filter(({ message }) => message === "the push channel ended")
      .map(({ fields }) => fields["error.type"]);
  // It goes on trying: on a busy machine it may have been refused again by now.
  await expect.poll(() => reasons().slice(0, 2)).toEqual(["unavailable", "unauthenticated"]);
  expect(agent.status.watch).toBe("connecting");
  expect(JSON.stringify(log.said)).not.toContain(token);
});

test("a service of the plain wire is polled as usual", async () => {
  await using server = await controlPlaneServer({ Monitors: assigning, IngestTCP: bytes("") });
  const { agent, log } = startAgent(server.url, "pkt_loc_token", millis(1_000));
  const pulls = (): number => server.heard.filter((call) => call.startsWith("Monitors")).length;
  await expect.poll(pulls).toBeGreaterThanOrEqual(3);
  expect(agent.status).toMatchObject({ watch: "unsupported", link: "up", monitors: 1 });
  expect(server.heard.filter((call) => call.startsWith("Watch"))).toHaveLength(1);
  const told = log.said.filter(({ level, message }) => level !== "debug" && /push/.test(message));
  expect(told.map(({ level, message }) => `${level}: ${message}`)).toEqual([
    "info: the service pushes no changes: they arrive with the next poll",
  ]);
});
