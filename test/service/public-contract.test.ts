import { create, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import {
  HTTPMethod,
  ICMPMonitorSchema,
  MonitorService,
  MonitorStatus,
  NumberComparator,
  Periodicity,
  Region,
  TimeRange,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import {
  CheckResponse_ServingStatus,
  HealthService,
} from "#contract/openstatus/health/v1/health_pb";
import { ApiKeyService } from "#contract/picket/v1/api_key_pb";
import { httpDefaults } from "#check/definition";
import { monitorId } from "#service/store/ids";
import { FakeClock } from "../support/fake-clock.ts";
import { openStoreHere } from "../support/open-store-here.ts";
import { runningService, type RunningService } from "../support/running-service.ts";

/** The public contract as its own tools speak it: by raw requests, and by a client generated from the same tables. */

interface Scene extends AsyncDisposable {
  readonly service: RunningService;
  readonly clock: FakeClock;
  readonly write: string;
  readonly read: string;
}

async function scene(): Promise<Scene> {
  const clock = new FakeClock();
  const service = await runningService({ clock });
  const keyOf = async (scope: "read" | "write"): Promise<string> =>
    (await service.admin.createApiKey({ name: scope, scope })).key;
  return {
    service,
    clock,
    write: await keyOf("write"),
    read: await keyOf("read"),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const clientFor = (
  service: RunningService,
  key: string,
  { binary, get = false }: { readonly binary: boolean; readonly get?: boolean },
) =>
  createConnectTransport({
    baseUrl: `${service.url}/rpc`,
    httpVersion: "1.1",
    useBinaryFormat: binary,
    useHttpGet: get,
    interceptors: [
      (next) => (request) => {
        request.header.set("x-openstatus-key", key);
        return next(request);
      },
    ],
  });

const definition = {
  ...httpDefaults,
  name: "shop",
  url: "https://shop.test/",
  periodicity: "30s",
  active: true,
  headers: [{ key: "Authorization", value: "planted" }],
  otel: { endpoint: "https://otel.test/v1/metrics", headers: [{ key: "k", value: "planted" }] },
};

/** What a refused call says: status, code and the headers of its reason. */
async function refused(answer: Response): Promise<readonly unknown[]> {
  const body: Record<string, unknown> = JSON.parse(await answer.text());
  return [answer.status, body["code"], answer.headers.get("error-reason")];
}

describe("a call", () => {
  test("of an agent is for tokens, and a management call of the same service's name for keys", async () => {
    await using at = await scene();
    const { service, write } = at;
    const { token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [],
      metadata: {},
    });
    const of = (method: string): string => `/private_location.v1.PrivateLocationService/${method}`;
    expect((await service.post(of("Monitors"), {}, { "x-service-key": write })).status).toBe(401);
    expect((await service.post(of("Monitors"), {}, { "openstatus-token": token })).status).toBe(
      200,
    );
    const list = of("ListPrivateLocations");
    expect((await service.post(list, {}, { "x-service-token": token })).status).toBe(401);
    expect((await service.post(list, {}, { "x-service-key": write })).status).toBe(200);
  });

  test("that writes cannot be made by GET", async () => {
    await using at = await scene();
    const { service, write } = at;
    const path = "/rpc/openstatus.monitor.v1.MonitorService/DeleteMonitor";
    const message = encodeURIComponent(JSON.stringify({ id: "1" }));
    const answer = await fetch(
      `${service.url}${path}?connect=v1&encoding=json&message=${message}`,
      {
        headers: { "x-service-key": write },
      },
    );
    expect(answer.status).toBe(405);
  });

  test("names the fields that it passed over", async () => {
    await using at = await scene();
    const { service, write } = at;
    const call = "/rpc/openstatus.monitor.v1.MonitorService/CreateHTTPMonitor";
    const monitor = {
      nme: "shop",
      url: "https://a.test",
      headers: [{ key: "a", vale: "b" }],
      ö: 1,
    };
    const answer = await service.post(call, { monitor, more: 1 }, { "x-service-key": write });
    expect(await refused(answer)).toEqual([400, "invalid_argument", "INVALID_ARGUMENT"]);
    expect(answer.headers.get("error-field")).toBe("name");
    expect(answer.headers.get("picket-ignored-fields")).toBe(
      "monitor.nme, monitor.headers[0].vale, monitor.?, more",
    );
    const list = "/monitor.v1.MonitorService/ListMonitors";
    const fine = await service.post(list, { limit: 5 }, { "x-service-key": write });
    expect(fine.headers.get("picket-ignored-fields")).toBeNull();
    const query = `?connect=v1&encoding=json&message=${encodeURIComponent('{"limt":1}')}`;
    const got = await fetch(`${service.url}${list}${query}`, {
      headers: { "x-service-key": write },
    });
    expect(got.headers.get("picket-ignored-fields")).toBe("limt");
  });

  test("names the fields of a binary request that it passed over by their numbers", async () => {
    await using at = await scene();
    const { service, write } = at;
    // No version gives this number to anything.
    const more = new BinaryWriter().tag(4_711, WireType.Varint).uint32(1).finish();
    const ask = { name: "a", uri: "10.0.0.1", periodicity: Periodicity.PERIODICITY_1M };
    const monitor = toBinary(ICMPMonitorSchema, create(ICMPMonitorSchema, ask));
    const body = new BinaryWriter()
      .tag(1, WireType.LengthDelimited)
      .bytes(Buffer.concat([monitor, more]))
      .finish();
    const path = "/rpc/openstatus.monitor.v1.MonitorService/CreateICMPMonitor";
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/proto", "x-service-key": write },
      body: Buffer.concat([body, more]),
    });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("picket-ignored-fields")).toBe("field 4711, monitor.field 4711");
  });

  test.each([
    [
      "MonitorService/CreateHTTPMonitor",
      { monitor: { periodicity: "PERIODICITY_2M" } },
      "monitor.periodicity must be one of PERIODICITY_30S, ",
    ],
    [
      "MonitorService/CreateHTTPMonitor",
      { monitor: { regions: ["REGION_FLY_AMS", "x"] } },
      "monitor.regions[1] must be one of REGION_FLY_AMS, ",
    ],
    [
      "MonitorService/GetMonitorSummary",
      { id: "1", timeRange: "TIME_RANGE_2D" },
      "time_range must be one of TIME_RANGE_1D, ",
    ],
  ])(
    "with a word that its enum does not have is refused by the field: %s %o",
    async (call, ask, message) => {
      await using at = await scene();
      const answer = await at.service.post(`/rpc/openstatus.monitor.v1.${call}`, ask, {
        "x-service-key": at.write,
      });
      expect([answer.status, Object(await answer.json()).message]).toEqual([
        400,
        expect.stringMatching(new RegExp(`^${RegExp.escape(message)}`)),
      ]);
      expect(answer.headers.get("error-field")).toBe(message.split(" ")[0]);
    },
  );
});

describe.each([{ binary: false }, { binary: true }])("a generated client, %o", (format) => {
  test("manages monitors: creates, merges, clears by the mask, reads, deletes", async () => {
    await using at = await scene();
    const { service, write } = at;
    const monitors = createClient(MonitorService, clientFor(service, write, format));
    const wanted = {
      name: "shop",
      url: "https://shop.test/",
      periodicity: Periodicity.PERIODICITY_30S,
      method: HTTPMethod.HTTP_METHOD_HEAD,
      retry: 0n,
      degradedAt: 500n,
      active: true,
      description: "d",
      regions: [Region.FLY_AMS],
      headers: [{ key: "a", value: "b" }],
      statusCodeAssertions: [{ target: 200n, comparator: NumberComparator.EQUAL }],
      // Read-only, so passed over.
      id: "77",
      status: MonitorStatus.ERROR,
    };
    const created = await monitors.createHTTPMonitor({ monitor: wanted });
    const id = created.monitor?.id ?? "";
    expect(created.monitor).toMatchObject({
      ...wanted,
      id: "1",
      status: MonitorStatus.UNSPECIFIED,
    });
    const kept = { ...wanted, id: "1", status: MonitorStatus.UNSPECIFIED };
    // Absent: keeps, the empty lists too. An absent monitor changes nothing.
    const merged = await monitors.updateHTTPMonitor({ id, monitor: { name: "new" } });
    expect(merged.monitor).toMatchObject({ ...kept, name: "new" });
    expect((await monitors.updateHTTPMonitor({ id })).monitor).toMatchObject({ name: "new" });
    const cleared = await monitors.updateHTTPMonitor({
      id,
      monitor: { name: "new", retry: 5n },
      updateMask: {
        paths: ["headers", "status_code_assertions", "regions", "degraded_at", "method", "active"],
      },
    });
    expect(cleared.monitor).toMatchObject({
      name: "new",
      headers: [],
      statusCodeAssertions: [],
      regions: [],
      method: HTTPMethod.HTTP_METHOD_GET,
      active: false,
      retry: 5n,
      description: "d",
    });
    expect(cleared.monitor?.degradedAt).toBeUndefined();
    const tcp = { name: "db", uri: "db:1", periodicity: Periodicity.PERIODICITY_1H };
    const dns = { name: "mx", uri: "a.test", periodicity: Periodicity.PERIODICITY_10M };
    const second = (await monitors.createTCPMonitor({ monitor: tcp })).monitor?.id ?? "";
    const third = (await monitors.createDNSMonitor({ monitor: dns })).monitor?.id ?? "";
    expect([second, third]).toEqual(["2", "3"]);
    const renamed = await monitors.updateTCPMonitor({ id: second, monitor: { name: "d" } });
    expect(renamed.monitor).toMatchObject({ ...tcp, name: "d" });
    const again = await monitors.updateDNSMonitor({ id: third, monitor: { uri: "b.test" } });
    expect(again.monitor).toMatchObject({ ...dns, uri: "b.test" });
    expect((await monitors.getMonitor({ id })).monitor?.config).toMatchObject({
      case: "http",
      value: { name: "new" },
    });
    expect(await monitors.deleteMonitor({ id })).toMatchObject({ success: true });
    expect(await monitors.listMonitors({ limit: 1, offset: 1 })).toMatchObject({
      dnsMonitors: [{ id: "3" }],
      tcpMonitors: [],
      totalSize: 2,
    });
  });

  test("gets the reason of each refusal", async () => {
    await using at = await scene();
    const { service, write, read } = at;
    const monitors = createClient(MonitorService, clientFor(service, write, format));
    const reading = createClient(MonitorService, clientFor(service, read, format));
    const { id } = await service.admin.createMonitor(definition, "management");
    const monitor = { name: "a", uri: "a:1", periodicity: Periodicity.PERIODICITY_1M };
    const because = async (call: Promise<unknown>): Promise<readonly unknown[]> => {
      const error = await call.then(
        () => expect.fail("the call was not refused"),
        (thrown: unknown) => ConnectError.from(thrown),
      );
      const facts = [...error.metadata].filter(
        ([name]) => name.startsWith("error-") && !/^error-(domain|reason)$/.test(name),
      );
      return [error.code, error.metadata.get("error-reason"), ...facts.map(([, fact]) => fact)];
    };
    expect(await because(monitors.getMonitor({ id: "99" }))).toEqual([
      Code.NotFound,
      "MONITOR_NOT_FOUND",
      "99",
    ]);
    expect(await because(monitors.getMonitor({}))).toEqual([
      Code.InvalidArgument,
      "MONITOR_ID_REQUIRED",
    ]);
    for (const call of [
      () => monitors.deleteMonitor({ id: "99" }),
      () => monitors.triggerMonitor({ id: "99" }),
    ])
      expect((await because(call())).slice(0, 2)).toEqual([Code.NotFound, "MONITOR_NOT_FOUND"]);
    expect(await because(monitors.createTCPMonitor({}))).toEqual([
      Code.InvalidArgument,
      "MONITOR_REQUIRED",
    ]);
    expect(await because(monitors.updateTCPMonitor({ id, monitor }))).toEqual([
      Code.InvalidArgument,
      "MONITOR_TYPE_MISMATCH",
      "http",
      "tcp",
      "1",
    ]);
    expect(
      await because(
        monitors.updateHTTPMonitor({ id, monitor: {}, updateMask: { paths: ["nme"] } }),
      ),
    ).toEqual([Code.InvalidArgument, "INVALID_ARGUMENT", "update_mask"]);
    expect(
      await because(monitors.createTCPMonitor({ monitor: { ...monitor, retry: 11n } })),
    ).toEqual([Code.InvalidArgument, "INVALID_ARGUMENT", "retry"]);
    for (const call of [
      () => reading.createTCPMonitor({ monitor }),
      () => reading.updateHTTPMonitor({ id }),
      () => reading.deleteMonitor({ id }),
      () => reading.triggerMonitor({ id }),
    ])
      expect(await because(call())).toEqual([Code.PermissionDenied, "WRITE_SCOPE_REQUIRED"]);
    expect(await because(monitors.getMonitorHTTPResponseLog({ id, logId: "1-1" }))).toEqual([
      Code.NotFound,
      "RESPONSE_LOG_NOT_FOUND",
      "1-1",
    ]);
    expect((await because(monitors.triggerMonitor({ id })))[0]).toBe(Code.FailedPrecondition);
  });

  test("reads by GET, and with a read key no secret", async () => {
    await using at = await scene();
    const { service, write, read } = at;
    const { id } = await service.admin.createMonitor(definition, "management");
    const get = { ...format, get: true };
    const shown = async (key: string): Promise<string> => {
      const client = createClient(MonitorService, clientFor(service, key, get));
      const { httpMonitors } = await client.listMonitors({});
      const { monitor } = await client.getMonitor({ id });
      return JSON.stringify([httpMonitors[0]?.headers, monitor?.config.value?.openTelemetry]);
    };
    expect(await shown(write)).toContain("planted");
    expect(await shown(read)).not.toContain("planted");
    expect(await shown(read)).toContain("Authorization");
  });

  test("asks for health without a key, and for keys with one", async () => {
    await using at = await scene();
    const { service, write, read } = at;
    const health = createClient(HealthService, clientFor(service, "", format));
    expect(await health.check({})).toMatchObject({ status: CheckResponse_ServingStatus.SERVING });
    const reading = createClient(ApiKeyService, clientFor(service, read, format));
    const writing = createClient(ApiKeyService, clientFor(service, write, format));
    const { apiKey } = await reading.getApiKey({});
    expect(apiKey).toMatchObject({ id: "2", name: "read", scopes: ["read"] });
    expect((await writing.getApiKey({ id: "2" })).apiKey).toMatchObject({ name: "read" });
    const forbidden = (call: Promise<unknown>): Promise<unknown> =>
      expect(call).rejects.toMatchObject({ code: Code.PermissionDenied });
    await forbidden(reading.getApiKey({ id: "1" }));
    await forbidden(reading.revokeApiKey({ id: "1" }));
    expect(await reading.revokeApiKey({ id: "2" })).toMatchObject({ success: true });
    await expect(reading.getApiKey({})).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(writing.revokeApiKey({ id: "2" })).rejects.toMatchObject({ code: Code.NotFound });
  });
});

describe("what a monitor's locations saw", () => {
  async function reported() {
    const at = await scene();
    const { service, clock } = at;
    const { id } = await service.admin.createMonitor(definition, "management");
    const wanted = { name: "office", monitorIds: [id], metadata: {} };
    const { token } = await service.admin.createPrivateLocation(wanted);
    const agent = service.agent(token);
    const report = async (requestStatus: string, latency: bigint, more = {}): Promise<void> => {
      await clock.advance(1_000);
      const now = BigInt(clock.wall());
      const value = { monitorId: id, requestStatus, latency, timestamp: now, cronTimestamp: now };
      const result = { case: "http" as const, value: { ...value, ...more } };
      await agent.ingestBatch({ instanceId: "a", results: [{ result }] });
    };
    return { ...at, id, report, agent, monitors: service.monitors(at.read) };
  }

  test("is its status, by location and since when", async () => {
    await using at = await reported();
    const { monitors, id, report, clock, service } = at;
    expect(await monitors.getMonitorStatus({ id })).toMatchObject({
      id,
      status: MonitorStatus.UNSPECIFIED,
      regions: [{ region: Region.UNSPECIFIED, status: MonitorStatus.UNSPECIFIED, name: "office" }],
      locations: [{ name: "office", status: MonitorStatus.UNSPECIFIED, since: "", stale: false }],
    });
    await report("success", 10n);
    // A change is dated by the result that made it, where the judge has seen what was before it.
    await using store = await openStoreHere({
      database: service.database,
      use: "command",
      onProgress: () => {},
    });
    const stored = () => store.state.states.of([monitorId(Number(id))]);
    await expect.poll(stored).toMatchObject([{ status: "active" }]);
    await report("error", 10n);
    const since = new Date(clock.wall()).toISOString();
    await report("error", 10n);
    expect(await monitors.getMonitorStatus({ id })).toMatchObject({
      status: MonitorStatus.ERROR,
      since,
      regions: [{ status: MonitorStatus.ERROR, privateLocationId: "1" }],
      locations: [
        {
          privateLocationId: "1",
          status: MonitorStatus.ERROR,
          since,
          lastCheckedAt: new Date(clock.wall()).toISOString(),
          stale: false,
        },
      ],
    });
    await clock.advance(95_000);
    expect(await monitors.getMonitorStatus({ id })).toMatchObject({
      status: MonitorStatus.UNSPECIFIED,
      regions: [{ status: MonitorStatus.UNSPECIFIED }],
      locations: [{ status: MonitorStatus.ERROR, stale: true }],
    });
  });

  test("is by region if a location is named by one, in its status and in its summary", async () => {
    await using at = await scene();
    const { service, clock } = at;
    const { id } = await service.admin.createMonitor(definition, "management");
    const monitors = service.monitors(at.read);
    const report = async (
      name: string,
      metadata: Record<string, string>,
      requestStatus: string,
    ): Promise<void> => {
      const wanted = { name, monitorIds: [id], metadata };
      const { token } = await service.admin.createPrivateLocation(wanted);
      await clock.advance(1_000);
      const now = BigInt(clock.wall());
      const value = {
        monitorId: id,
        requestStatus,
        latency: 10n,
        timestamp: now,
        cronTimestamp: now,
      };
      const result = { case: "http" as const, value };
      await service.agent(token).ingestBatch({ instanceId: name, results: [{ result }] });
    };
    await report("office", {}, "success");
    await report("ams", {}, "degraded");
    await report("shed", { region: "hostb-par" }, "error");
    expect((await monitors.getMonitorStatus({ id })).regions).toMatchObject([
      { region: Region.UNSPECIFIED, status: MonitorStatus.ACTIVE, name: "office" },
      { region: Region.FLY_AMS, status: MonitorStatus.DEGRADED, privateLocationId: "2" },
      { region: Region.KOYEB_PAR, status: MonitorStatus.ERROR, privateLocationId: "3" },
    ]);
    const counted = async (...regions: Region[]) => {
      const seen = await monitors.getMonitorSummary({ id, regions });
      return [seen.totalSuccessful, seen.totalDegraded, seen.totalFailed].map(Number);
    };
    expect(await counted()).toEqual([1, 1, 1]);
    expect(await counted(Region.FLY_AMS)).toEqual([0, 1, 0]);
    expect(await counted(Region.UNSPECIFIED, Region.KOYEB_PAR)).toEqual([1, 0, 1]);
    expect(await counted(Region.FLY_SYD)).toEqual([0, 0, 0]);
    const { lastPingAt } = await monitors.getMonitorSummary({ id, regions: [Region.FLY_AMS] });
    expect(lastPingAt).toBe(new Date(clock.wall() - 1_000).toISOString());
  });

  test("is a summary of counts and latencies", async () => {
    await using at = await reported();
    const { monitors, id, report, clock } = at;
    expect(await monitors.getMonitorSummary({ id })).toMatchObject({ lastPingAt: "", p50: 0n });
    for (let n = 1; n <= 9; n += 1) await report(n > 7 ? "degraded" : "success", BigInt(n * 10));
    await report("error", 5_000n);
    const summary = await monitors.getMonitorSummary({ id });
    expect(summary).toMatchObject({
      lastPingAt: new Date(clock.wall()).toISOString(),
      totalSuccessful: 7n,
      totalDegraded: 2n,
      totalFailed: 1n,
      timeRange: TimeRange.TIME_RANGE_1D,
    });
    const quantiles = [summary.p50, summary.p75, summary.p99].map(Number);
    for (const [index, exact] of [50, 70, 90].entries()) {
      const said = quantiles[index]! / exact;
      expect(Math.abs(said - 1), String(exact)).toBeLessThan(0.075);
    }
    clock.suspend(25 * 3_600_000);
    const week = await monitors.getMonitorSummary({ id, timeRange: TimeRange.TIME_RANGE_7D });
    expect([week.totalFailed, (await monitors.getMonitorSummary({ id })).totalFailed]).toEqual([
      1n,
      0n,
    ]);
  });

  test("is a list of responses, newest first, and each one with its answer", async () => {
    await using at = await reported();
    const { monitors, id, report, agent, clock } = at;
    await report("success", 5n, { statusCode: 200n });
    const headers = JSON.stringify({
      "Content-Type": "text/html",
      "Set-Cookie": "planted",
      Location: "https://a.test/?token=planted",
    });
    const timing = JSON.stringify({
      dnsStart: 1,
      dnsDone: 3,
      firstByteStart: 5,
      firstByteDone: 12,
    });
    const more = { statusCode: 500n, headers, timing, url: "https://shop.test/", message: "no" };
    await report("error", 12n, more);
    const page = await monitors.listMonitorHTTPResponseLogs({ id, limit: 1 });
    expect(page).toMatchObject({
      logs: [
        { latency: 12, statusCode: 500, requestStatus: 2, trigger: 1, privateLocationId: "1" },
      ],
      pagination: { limit: 1, offset: 0, hasMore: true, nextOffset: 1 },
    });
    expect(page.logs[0]?.timing).toMatchObject({ dns: 2, ttfb: 7, tls: 0 });
    const last = await monitors.listMonitorHTTPResponseLogs({ id, offset: 1 });
    expect(last).toMatchObject({ logs: [{ statusCode: 200 }], pagination: { hasMore: false } });
    const { log } = await monitors.getMonitorHTTPResponseLog({ id, logId: page.logs[0]?.id ?? "" });
    expect(log).toMatchObject({ url: "https://shop.test/", error: true, message: "no" });
    expect(log?.headers["Content-Type"]).toBe("text/html");
    expect(JSON.stringify(log?.headers)).not.toContain("planted");
    // A slot that the location could not see has no log, and is said beside them.
    const cause = {
      scope: "gateway",
      subject: "10.0.0.1",
      certainty: "proven",
      since: BigInt(clock.wall()),
      causeId: "c1",
      sentence: "the gateway does not answer",
      affected: 1n,
    };
    await clock.advance(30_000);
    const [from, to] = [BigInt(clock.wall()), BigInt(clock.wall())];
    const missed = [{ monitorId: id, from, to, count: 1n, reason: "vantage", cause }];
    await agent.ingestBatch({ instanceId: "a", missed });
    const { notMeasured } = await monitors.listMonitorHTTPResponseLogs({ id });
    expect(notMeasured).toMatchObject([
      { privateLocationId: "1", from, to, slots: 1, because: "the gateway does not answer" },
    ]);
    const second = await monitors.listMonitorHTTPResponseLogs({ id, offset: 1 });
    expect(second.notMeasured).toEqual([]);
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { offset: -1 }, { fromTimestamp: 1n }])
      await expect(monitors.listMonitorHTTPResponseLogs({ id, ...wrong })).rejects.toMatchObject({
        code: Code.InvalidArgument,
      });
  });
});

test("whoami answers with and without a slash at its end, and says apiKey", async () => {
  await using at = await scene();
  const { service, read } = at;
  for (const path of ["/v1/whoami", "/v1/whoami/"]) {
    const answer = await fetch(`${service.url}${path}`, { headers: { "x-openstatus-key": read } });
    expect(await answer.json()).toMatchObject({
      actor: { type: "apiKey", keyId: "2", scopes: ["read"] },
    });
  }
});
