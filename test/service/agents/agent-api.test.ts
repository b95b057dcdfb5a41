import { gzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, test } from "vitest";
import { Placement, Receipt } from "#contract/private_location/v1/private_location_pb";
import { PrivateLocationStatus } from "#contract/openstatus/private_location/v1/private_location_pb";
import { Periodicity } from "#contract/openstatus/monitor/v1/monitor_pb";
import { httpDefaults } from "#check/definition";
import { leaseRenewedEvery } from "#limits/service-limits";
import { FakeClock } from "../../support/fake-clock.ts";
import { systemClock } from "#base/clock";
import { runningService, type RunningService } from "../../support/running-service.ts";

interface Scene {
  readonly service: RunningService;
  readonly clock: FakeClock;
  readonly key: string;
  readonly monitorId: string;
  readonly locationId: string;
  readonly token: string;
}

async function scene(): Promise<Scene> {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  };
  const { id: monitorId } = await service.admin.createMonitor(definition, "management");
  const { id: locationId, token } = await service.admin.createPrivateLocation({
    name: "office",
    monitorIds: [monitorId],
    metadata: { site: "north" },
  });
  return { service, clock, key, monitorId, locationId, token };
}

async function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.fail("the call was not refused"),
    (error: unknown) => ConnectError.from(error),
  );
}

/** The service forgets in a thread, under a lease that lapses while the machine is asleep: time passes until it has. */
async function inTime(
  clock: FakeClock,
  look: () => Promise<unknown>,
  seen: unknown,
): Promise<void> {
  const later = async (): Promise<unknown> => {
    await clock.advance(leaseRenewedEvery);
    return look();
  };
  await expect.poll(later).toEqual(seen);
}

/** Slots are counted in milliseconds from the instant at which the tests' clocks begin: an older view says nothing. */
const beginning = Date.UTC(2026, 0, 1);
const ingest = (
  monitorId: string,
  slot: number,
  requestStatus = "success",
): Record<string, unknown> & {
  monitorId: string;
  latency: bigint;
  timestamp: bigint;
  cronTimestamp: bigint;
  requestStatus: string;
} => ({
  id: `result-${slot}`,
  monitorId,
  latency: 12n,
  timestamp: BigInt(beginning + slot + 1),
  cronTimestamp: BigInt(beginning + slot),
  requestStatus,
});

describe("an assignment", () => {
  test("holds the active monitors of the location, and costs nothing when it has not changed", async () => {
    const { service, token, monitorId } = await scene();
    await using _running = service;
    const agent = service.agent(token);
    const first = await agent.monitors({});
    expect(first.httpMonitors).toMatchObject([
      {
        id: monitorId,
        url: "https://shop.test/",
        periodicity: "30s",
        method: "GET",
        timeout: 45_000n,
        retry: 3n,
        followRedirects: true,
      },
    ]);
    expect(first.region).toBe("office");
    const again = await agent.monitors({ knownRevision: first.revision });
    expect(again).toMatchObject({ unchanged: true, httpMonitors: [] });
  });

  test("has a new revision when a monitor changes, comes or goes, and leaves inactive ones out", async () => {
    const { service, key, token, monitorId, locationId } = await scene();
    await using _running = service;
    const agent = service.agent(token);
    const seen = new Set<string>();
    const pull = async () => {
      const response = await agent.monitors({});
      seen.add(response.revision);
      return response;
    };
    await pull();
    const monitor = {
      name: "shop",
      url: "https://shop.test/",
      periodicity: Periodicity.PERIODICITY_30S,
    };
    await service
      .monitors(key)
      .updateHTTPMonitor({ id: monitorId, monitor: { ...monitor, active: false } });
    expect((await pull()).httpMonitors).toEqual([]);
    await service
      .monitors(key)
      .updateHTTPMonitor({ id: monitorId, monitor: { ...monitor, active: true } });
    expect((await pull()).httpMonitors).toHaveLength(1);
    await service
      .locations(key)
      .updatePrivateLocation({ id: locationId, monitorIds: [], updateMonitorIds: true });
    expect((await pull()).httpMonitors).toEqual([]);
    await service
      .locations(key)
      .updatePrivateLocation({ id: locationId, monitorIds: [monitorId], updateMonitorIds: true });
    await pull();
    await service.monitors(key).deleteMonitor({ id: monitorId });
    expect((await pull()).httpMonitors).toEqual([]);
    expect(seen.size).toBe(6);
  });

  test("is for who has the token", async () => {
    const { service } = await scene();
    await using _running = service;
    expect((await refusal(service.agent("wrong").monitors({}))).code).toBe(Code.Unauthenticated);
    const answer = await service.post("/private_location.v1.PrivateLocationService/Monitors", {});
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: "unauthenticated" });
  });
});

describe("a result", () => {
  test("is checked in the order of the wire: token, monitorId, latency, timestamp, then the look-up", async () => {
    const { service, token, monitorId } = await scene();
    await using _running = service;
    const good = ingest(monitorId, 1000);
    const wrong = (more: object, secret = token): Promise<ConnectError> =>
      refusal(service.agent(secret).ingestHTTP({ ...good, ...more }));
    expect((await wrong({ monitorId: "" }, "wrong")).code).toBe(Code.Unauthenticated);
    expect((await wrong({ monitorId: "", latency: -1n })).rawMessage).toBe("monitorId is required");
    expect((await wrong({ latency: -1n, timestamp: 0n })).rawMessage).toMatch(
      /^latency must be at least 0/,
    );
    expect((await wrong({ timestamp: 0n, requestStatus: "odd" })).rawMessage).toMatch(
      /^timestamp must be at least 1/,
    );
    expect((await wrong({ requestStatus: "odd", monitorId: "unknown" })).rawMessage).toMatch(
      /^requestStatus must be/,
    );
    expect((await wrong({ monitorId: "unknown" })).code).toBe(Code.NotFound);
    await service.agent(token).ingestHTTP(good);
  });

  test("of a ping that passed may say active, as the existing service's own agent does", async () => {
    await using service = await runningService({ clock: systemClock });
    const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
    const { monitor } = await service.monitors(key).createICMPMonitor({
      monitor: { name: "gateway", uri: "10.0.0.1", periodicity: 1, active: true },
    });
    const monitorId = monitor?.id ?? "";
    const office = { name: "office", monitorIds: [monitorId], metadata: {} };
    const { token } = await service.admin.createPrivateLocation(office);
    const now = BigInt(systemClock.wall());
    await service.agent(token).ingestICMP({
      monitorId,
      latency: 12n,
      packetsSent: 3n,
      packetsReceived: 3n,
      timestamp: now,
      cronTimestamp: now,
      requestStatus: "active",
      timing: '{"rtts":[12,12,12]}',
    });
    const { results } = await service.monitors(key).listResults({ monitorId });
    expect(results).toMatchObject([{ kind: "icmp", status: "success", latency: 12n }]);
  });

  test("with a number that could never be shown is refused by its field", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const good = ingest(monitorId, 1000);
    const year10000 = BigInt(Date.UTC(10_000, 0, 1));
    const wrong: readonly [object, string][] = [
      [{ timestamp: year10000 }, "timestamp must be at most"],
      [{ cronTimestamp: year10000 }, "cronTimestamp must be at most"],
      [{ cronTimestamp: -1n }, "cronTimestamp must be at least 0"],
      [{ latency: 2n ** 62n }, "latency must be at most"],
      [{ statusCode: 1000n }, "statusCode must be at most 999"],
      [{ id: "x".repeat(257) }, "id is longer than 256 characters"],
      [{ body: "x".repeat(1_100_000) }, "the result has 1100"],
    ];
    for (const [more, sentence] of wrong) {
      const error = await refusal(service.agent(token).ingestHTTP({ ...good, ...more }));
      expect([error.code, error.rawMessage]).toEqual([
        Code.InvalidArgument,
        expect.stringContaining(sentence),
      ]);
    }
    await service.agent(token).ingestHTTP({ ...good, message: "x".repeat(5000) });
    const { results } = await service.monitors(key).listResults({ monitorId });
    expect(results.map(({ message }) => message.length)).toEqual([4096]);
  });

  test("sent as compressed JSON, as another client would, is stored", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const slot = Date.UTC(2025, 11, 31);
    const times = { timestamp: String(slot + 1_000), cronTimestamp: String(slot) };
    const json = { id: "a", monitorId, latency: 5, ...times };
    const answer = await fetch(
      `${service.url}/private_location.v1.PrivateLocationService/IngestTCP`,
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-encoding": "gzip",
          "x-service-token": token,
        },
        body: gzipSync(JSON.stringify({ ...json, requestStatus: "success", unknownField: 1 })),
      },
    );
    expect([answer.status, await answer.json()]).toEqual([200, {}]);
    const { results } = await service.monitors(key).listResults({ monitorId });
    expect(results).toMatchObject([{ latency: 5n, slot: "2025-12-31T00:00:00.000Z" }]);
  });

  test("of each kind is stored once, and a second of the same slot changes nothing", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const agent = service.agent(token);
    await agent.ingestHTTP(ingest(monitorId, 1000, "error"));
    await agent.ingestHTTP(ingest(monitorId, 1000, "success"));
    await agent.ingestTCP(ingest(monitorId, 2000));
    await agent.ingestDNS(ingest(monitorId, 3000));
    const { results } = await service.monitors(key).listResults({ monitorId });
    expect(results.map(({ status, slot }) => [status, Date.parse(slot) - beginning])).toEqual([
      ["error", 1000],
      ["success", 2000],
      ["success", 3000],
    ]);
    const rest = await service
      .monitors(key)
      .listResults({ monitorId, after: results[1]?.sequence ?? 0n, limit: 1 });
    expect(rest.results).toEqual(results.slice(2));
    const newestFirst = await service.monitors(key).listResults({ monitorId, newestFirst: true });
    expect(newestFirst.results).toEqual(results.toReversed());
    const older = await service
      .monitors(key)
      .listResults({ monitorId, newestFirst: true, after: results[1]?.sequence ?? 0n });
    expect(older.results).toEqual(results.slice(0, 1));
    const summary = await service.monitors(key).summarizeResults({});
    expect(summary.monitors).toMatchObject([
      { monitorId, name: "shop", kind: "http", total: 3n, success: 2n, degraded: 0n, error: 1n },
    ]);
  });

  test("in a batch is accepted, known already, or rejected for itself", async () => {
    const { service, token, monitorId } = await scene();
    await using _running = service;
    const batch = (value: ReturnType<typeof ingest>) => ({
      result: { case: "http" as const, value },
    });
    const { receipts } = await service.agent(token).ingestBatch({
      instanceId: "i",
      results: [
        batch(ingest(monitorId, 1)),
        batch(ingest(monitorId, 1)),
        batch(ingest("unknown", 2)),
        batch({ ...ingest(monitorId, 3), latency: -5n }),
        { result: { case: undefined } },
        batch(ingest(monitorId, 4)),
      ],
    });
    expect(receipts.map(({ receipt }) => receipt)).toEqual([
      Receipt.ACCEPTED,
      Receipt.DUPLICATE,
      Receipt.REJECTED,
      Receipt.REJECTED,
      Receipt.REJECTED,
      Receipt.ACCEPTED,
    ]);
    const unassigned = receipts.map((receipt) => receipt.unassigned);
    expect(unassigned).toEqual([false, false, true, false, false, false]);
    expect(receipts.map(({ reason }) => reason)).toMatchObject([
      "",
      "",
      expect.stringMatching(/not assigned/),
      expect.stringMatching(/^latency/),
      "result is empty",
      "",
    ]);
    const many = Array.from({ length: 501 }, (_, n) => batch(ingest(monitorId, n + 10)));
    expect((await refusal(service.agent(token).ingestBatch({ results: many }))).code).toBe(
      Code.InvalidArgument,
    );
  });

  test("keeps how long each phase and its own work took, in microseconds, and how many attempts there were", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const phases = { dnsNs: 1_500_000n, waitNs: 40_000_499n };
    await service.agent(token).ingestBatch({
      results: [
        {
          result: { case: "http" as const, value: ingest(monitorId, 1) },
          detail: { phases, ownNs: 812_600n, attempts: [{}, {}] },
        },
      ],
    });
    const [result] = (await service.monitors(key).listResults({ monitorId })).results;
    expect(result).toMatchObject({ attempts: 2, phases: { dnsUs: 1500n, waitUs: 40_000n } });
    expect(result?.ownUs).toBe(813n);
    expect(result?.phases?.tlsUs).toBeUndefined();
  });

  test("moves the monitor's status only when its slot is strictly newer", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const status = (): Promise<string> => service.statusOf(key, monitorId);
    const agent = service.agent(token);
    expect(await status()).toBe("unknown");
    await agent.ingestHTTP(ingest(monitorId, 2000, "error"));
    expect(await status()).toBe("error");
    await agent.ingestHTTP(ingest(monitorId, 1000, "success"));
    expect(await status()).toBe("error");
    await agent.ingestHTTP(ingest(monitorId, 3000, "degraded"));
    expect(await status()).toBe("degraded");
    await agent.ingestHTTP(ingest(monitorId, 4000, "success"));
    expect(await status()).toBe("active");
  });

  test("that blames configuration, policy or the agent is kept, but is not the target's downtime", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const phases = ["config", "policy", "agent"];
    const { receipts } = await service.agent(token).ingestBatch({
      results: phases.map((phase, n) => ({
        result: { case: "http" as const, value: ingest(monitorId, n + 1, "error") },
        detail: { failure: { code: "invalid_url", phase, message: "x" } },
      })),
    });
    expect(receipts).toHaveLength(3);
    const { monitors } = await service.monitors(key).summarizeResults({});
    expect(monitors).toMatchObject([{ status: "unknown", error: 3n }]);
    const { results } = await service.monitors(key).listResults({ monitorId });
    expect(results.map(({ failurePhase }) => failurePhase)).toEqual(phases);
  });

  test("makes the worst of several locations the monitor's status", async () => {
    const { service, key, token, monitorId } = await scene();
    await using _running = service;
    const other = await service.admin.createPrivateLocation({
      name: "home",
      monitorIds: [monitorId],
      metadata: {},
    });
    await service.agent(token).ingestHTTP(ingest(monitorId, 1, "success"));
    await service.agent(other.token).ingestHTTP(ingest(monitorId, 1, "degraded"));
    expect(await service.statusOf(key, monitorId)).toBe("degraded");
  });
});

describe("liveness", () => {
  const beat = { instanceId: "a", hostname: "host", agentVersion: "1", resultsWaiting: 3n };
  test("goes from unknown to active with a heartbeat, to error 90 s after the last, and back", async () => {
    const { service, key, clock, token, locationId } = await scene();
    await using _running = service;
    const look = async () =>
      (await service.locations(key).getPrivateLocation({ id: locationId })).privateLocation;
    expect(await look()).toMatchObject({ status: PrivateLocationStatus.UNSPECIFIED });
    expect((await look())?.lastSeenAt).toBe("");
    const answer = await service.agent(token).heartbeat(beat);
    expect(answer).toMatchObject({
      serverTime: BigInt(clock.wall()),
      locationId,
      locationName: "office",
      locationMetadata: { site: "north" },
      instanceIndex: 0,
      instanceCount: 1,
      nextHeartbeatMs: 30_000n,
    });
    expect(await look()).toMatchObject({
      status: PrivateLocationStatus.ACTIVE,
      lastSeenAt: new Date(clock.wall()).toISOString(),
    });
    clock.suspend(90_000);
    expect((await look())?.status).toBe(PrivateLocationStatus.ACTIVE);
    clock.suspend(1);
    expect((await look())?.status).toBe(PrivateLocationStatus.ERROR);
    await service.agent(token).heartbeat(beat);
    expect((await look())?.status).toBe(PrivateLocationStatus.ACTIVE);
  });
  test("is shown by an accepted result too, but not by the pull of an agent that sends heartbeats", async () => {
    const { service, key, token, locationId, monitorId } = await scene();
    await using _running = service;
    const status = async () =>
      (await service.locations(key).getPrivateLocation({ id: locationId })).privateLocation?.status;
    await service.agent(token).monitors({ instanceId: "a", placement: Placement.SHARE });
    expect(await status()).toBe(PrivateLocationStatus.UNSPECIFIED);
    await service.agent(token).ingestHTTP(ingest(monitorId, 1));
    expect(await status()).toBe(PrivateLocationStatus.ACTIVE);
  });
  test("is not shown by a batch of which nothing is accepted", async () => {
    const { service, key, token, locationId, monitorId } = await scene();
    await using _running = service;
    const status = async () =>
      (await service.locations(key).getPrivateLocation({ id: locationId })).privateLocation?.status;
    const batch = (id: string) => ({
      results: [{ result: { case: "http" as const, value: ingest(id, 1) } }],
    });
    await service.agent(token).ingestBatch(batch("unknown"));
    await service.agent(token).ingestBatch({});
    expect(await status()).toBe(PrivateLocationStatus.UNSPECIFIED);
    await service.agent(token).ingestBatch(batch(monitorId));
    expect(await status()).toBe(PrivateLocationStatus.ACTIVE);
  });
  test("with counts that no agent can have is shown anyway", async () => {
    const { service, key, token, locationId } = await scene();
    await using _running = service;
    const odd = {
      ...beat,
      resultsWaiting: 2n ** 63n - 1n,
      missedSlots: -5n,
      resultsGivenUp: 7n,
      resultsRejected: -1n,
    };
    await service.agent(token).heartbeat(odd);
    const { privateLocation } = await service.locations(key).getPrivateLocation({ id: locationId });
    expect(privateLocation?.instances).toMatchObject([
      {
        resultsWaiting: BigInt(Number.MAX_SAFE_INTEGER),
        missedSlots: 0n,
        resultsGivenUp: 7n,
        resultsRejected: 0n,
      },
    ]);
  });
  test("lists the agents of a location apart, live ones first, and forgets them after a day", async () => {
    const { service, key, clock, token, locationId } = await scene();
    await using _running = service;
    const agent = service.agent(token);
    await agent.heartbeat({ ...beat, instanceId: "a" });
    clock.suspend(91_000);
    const second = await agent.heartbeat({ ...beat, instanceId: "b" });
    expect(second).toMatchObject({ instanceIndex: 0, instanceCount: 1 });
    const look = async () =>
      (
        await service.locations(key).getPrivateLocation({ id: locationId })
      ).privateLocation?.instances.map(({ id, live }) => [id, live]);
    expect(await look()).toEqual([
      ["b", true],
      ["a", false],
    ]);
    clock.suspend(24 * 3_600_000);
    await agent.heartbeat({ ...beat, instanceId: "b" });
    await clock.advance(6 * 60_000);
    await inTime(clock, look, [["b", false]]);
    expect((await refusal(agent.heartbeat({}))).rawMessage).toMatch(/^instance_id must have/);
  });
});

describe("the database", () => {
  test("keeps everything across a restart, and no secret in the clear", async () => {
    const { service, key, token, monitorId, locationId, clock } = await scene();
    await service.agent(token).ingestHTTP(ingest(monitorId, 1000, "degraded"));
    await service[Symbol.asyncDispose]();
    const { readFileSync } = await import("node:fs");
    const bytes = readFileSync(service.database);
    expect([bytes.includes(token), bytes.includes(key)]).toEqual([false, false]);
    await using again = await runningService({ clock, database: service.database });
    expect((await again.agent(token).monitors({})).httpMonitors).toHaveLength(1);
    expect(await again.statusOf(key, monitorId)).toBe("degraded");
    expect(
      (await again.locations(key).getPrivateLocation({ id: locationId })).privateLocation?.status,
    ).toBe(PrivateLocationStatus.ACTIVE);
  });
  test("forgets answers after three days, and results after two weeks", async () => {
    const { service, key, clock, token, monitorId } = await scene();
    await using _running = service;
    const message = "nothing listens there";
    await service.agent(token).ingestHTTP({ ...ingest(monitorId, 1000, "error"), message });
    const messages = async (): Promise<readonly string[]> => {
      const { results } = await service.monitors(key).listResults({ monitorId });
      return results.map((one) => one.message);
    };
    expect(await messages()).toEqual([message]);
    const pass = async (days: number, minutes: number): Promise<void> => {
      clock.suspend(days * 24 * 3_600_000);
      await clock.advance(minutes * 60_000 + 1);
    };
    // Details are forgotten with the eight hours that they are packed with.
    await pass(3.5, 5);
    await inTime(clock, messages, [""]);
    // They are forgotten with the hour that they are packed with.
    await pass(10.5, 60);
    await inTime(clock, messages, []);
  });
});
