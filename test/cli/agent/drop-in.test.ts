import http from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { dnsServer, zone } from "../../servers/dns-server.ts";
import { ExistingService, type ExistingResult } from "../../servers/existing-service.ts";
import { closedPort, tcpPeer } from "../../servers/scripted.ts";
import { type RunningPicket, startPicket } from "../../support/running-picket.ts";
import { temporaryFolder } from "../../support/running-service.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

/** Real targets on this machine, and a service of the production wire that assigns a monitor of each kind. */
async function scene(periodicity: string) {
  let heard = 0;
  const target = http.createServer((_request, response) => {
    heard += 1;
    response.writeHead(200, { "X-Made-Up": "yes" });
    response.end("hello");
  });
  const port = await listenLocally(target);
  const peer = await tcpPeer(() => {});
  const names = await dnsServer(
    zone([{ name: "shop.test", type: "A", ttl: 60, data: "192.0.2.1" }]),
  );
  onTestFinished(async () => {
    target.closeAllConnections();
    target.close();
    await peer[Symbol.asyncDispose]();
    await names[Symbol.asyncDispose]();
  });
  const common = { periodicity, timeout: 2_000n, retry: 0n };
  const service = new ExistingService({
    token: "location-token",
    assigned: {
      region: "office",
      httpMonitors: [
        { id: "1", url: `http://127.0.0.1:${port}/?secret=1`, method: "GET", ...common },
        { id: "2", url: "http://127.0.0.1:1/", method: "GET", ...common },
      ],
      tcpMonitors: [
        { id: "3", uri: `127.0.0.1:${peer.port}`, ...common },
        { id: "4", uri: "127.0.0.1:1", ...common },
      ],
      dnsMonitors: [{ id: "5", uri: "shop.test", ...common }],
    },
  });
  const env = {
    PICKET_DNS_SERVERS: `${names.host}:${names.port}`,
    PICKET_STATE_DIR: temporaryFolder(),
  };
  return { service, env, target: { heard: () => heard } };
}

const startAgent = (url: string, env: Readonly<Record<string, string>>): RunningPicket =>
  startPicket(["agent"], {
    PICKET_TOKEN: "location-token",
    PICKET_TOKEN_HEADER: "openstatus-token",
    SERVICE_API_URL: url,
    ...env,
  });

const ids = (results: readonly ExistingResult[]): readonly string[] =>
  results.map(({ monitorId }) => monitorId).toSorted();
const oneOf = (service: ExistingService, id: string): ExistingResult => {
  const found = service.stored.find(({ monitorId }) => monitorId === id);
  return found ?? expect.fail(`no result of monitor ${id}`);
};

test("an agent runs against the existing service with a token, its header and a URL", async () => {
  const { service, env } = await scene("1h");
  await using listening = await service.listen();
  const agent = startAgent(listening.url, env);
  await expect.poll(() => ids(service.stored)).toEqual(["1", "2", "3", "4", "5"]);
  for (const result of service.stored) {
    expect(result.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(Math.abs(Date.now() - Number(result.timestamp))).toBeLessThan(60_000);
    expect(result.timestamp).toBeGreaterThanOrEqual(result.cronTimestamp);
    const failed = ["2", "4"].includes(result.monitorId);
    expect(result).toMatchObject({
      requestStatus: failed ? "error" : "success",
      error: failed ? 1n : 0n,
      message: failed ? expect.stringMatching(/^connection refused/i) : "",
    });
  }
  const answered = oneOf(service, "1");
  if (answered.$typeName !== "private_location.v1.IngestHTTPRequest") return expect.fail("kind");
  const timing: Record<string, number> = JSON.parse(answered.timing);
  expect(Object.keys(timing)).toEqual([
    "dnsStart",
    "dnsDone",
    "connectStart",
    "connectDone",
    "tlsHandshakeStart",
    "tlsHandshakeDone",
    "firstByteStart",
    "firstByteDone",
    "transferStart",
    "transferDone",
  ]);
  expect(Object.values(timing).every(Number.isInteger)).toBe(true);
  expect(timing["connectStart"]).toBeGreaterThan(0);
  expect(timing["tlsHandshakeStart"]).toBe(0);
  expect(timing["firstByteDone"]).toBe(timing["transferStart"]);
  expect(answered.statusCode).toBe(200n);
  expect(JSON.parse(answered.headers)).toMatchObject({ "X-Made-Up": "yes" });
  const refused = oneOf(service, "2");
  expect(refused).toMatchObject({ statusCode: 0n, headers: "null" });
  const connected = oneOf(service, "3");
  if (connected.$typeName !== "private_location.v1.IngestTCPRequest") return expect.fail("kind");
  expect(Object.keys(JSON.parse(connected.timing))).toEqual(["tcpStart", "tcpDone"]);
  expect(oneOf(service, "5")).toMatchObject({ records: { A: { record: ["192.0.2.1"] } } });
  expect(await agent.stop()).toBe(0);
  expect(service.passedOver).toEqual([]);
  // Each monitor once, though some were assigned twice; what the service does not have was asked for once.
  expect(ids(service.stored)).toEqual(["1", "2", "3", "4", "5"]);
  for (const call of ["IngestBatch", "Heartbeat"])
    expect(
      service.heard.filter((one) => one === call),
      call,
    ).toHaveLength(1);
  expect(service.lastSeenAt).not.toBeNull();
  expect(agent.output()).not.toContain("location-token");
});

test("a service that is killed and comes back gets everything, in order, and nothing twice", async () => {
  const { service, env, target } = await scene("10s");
  const first = await service.listen(await closedPort());
  const agent = startAgent(first.url, { ...env, PICKET_LOG_LEVEL: "debug" });
  await expect.poll(() => new Set(ids(service.stored)).size).toBe(5);
  await first[Symbol.asyncDispose]();
  // What was under way has been stored by now.
  const before = service.stored.length;
  await agent.said(/the service cannot be reached/);
  // Every monitor has a slot or two while no one listens.
  const seen = target.heard();
  await expect.poll(() => target.heard() - seen).toBeGreaterThanOrEqual(2);
  expect(service.stored).toHaveLength(before);
  await using _second = await service.listen(first.port);
  await expect.poll(() => service.stored.length - before).toBeGreaterThanOrEqual(10);
  expect(await agent.stop()).toBe(0);
  expect(service.passedOver).toEqual([]);
  // What the agent says that it checked, and what the status logic took, are the same.
  const checked = agent
    .output()
    .split("\n")
    .filter((line) => line.includes('"checked"'))
    .map((line): Readonly<Record<string, unknown>> => JSON.parse(line))
    .map(({ monitor, slot }) => `${String(monitor)}@${String(slot)}`);
  const taken = service.taken.map((one) => `${one.monitorId}@${one.cronTimestamp}`);
  expect(checked.length).toBeGreaterThanOrEqual(before + 10);
  expect(taken.toSorted()).toEqual(checked.toSorted());
});
