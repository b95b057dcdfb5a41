import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { Code, ConnectError } from "@connectrpc/connect";
import { beforeAll, describe, expect, test } from "vitest";
import {
  HTTPMethod,
  NumberComparator,
  Periodicity,
  RecordComparator,
  Region,
  StringComparator,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { tcpDefaults } from "#check/definition";
import { runFolder } from "../support/run-folder.ts";
import { runningService, type RunningService } from "../support/running-service.ts";

async function withKey(): Promise<{ service: RunningService; key: string }> {
  const service = await runningService();
  return { service, key: (await service.admin.createApiKey({ name: "test", scope: "write" })).key };
}

/** What a call fails with. */
async function refusal(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(
    () => expect.fail("the call was not refused"),
    (error: unknown) => ConnectError.from(error),
  );
}

const definition = {
  ...tcpDefaults,
  name: "db",
  uri: "db.test:5432",
  periodicity: "1m",
  active: true,
};
const minute = Periodicity.PERIODICITY_1M;
/** Of a newer contract. */
const unknownPeriod: number = 77;
const http = {
  name: "shop",
  url: "https://shop.test/health",
  periodicity: Periodicity.PERIODICITY_30S,
};

describe("a monitor", () => {
  test("takes the specification's defaults for what is left out", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const { monitor } = await service.monitors(key).createHTTPMonitor({ monitor: http });
    expect(monitor).toMatchObject({
      ...http,
      method: HTTPMethod.HTTP_METHOD_GET,
      body: "",
      timeout: 45_000n,
      retry: 3n,
      followRedirects: true,
      active: false,
      public: false,
      description: "",
      status: 0,
      id: "1",
    });
    expect(monitor?.degradedAt).toBeUndefined();
    expect(Date.parse(monitor?.createdAt ?? "")).not.toBeNaN();
  });

  test("keeps every argument through create, get, list and update, in each of its kinds", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const monitors = service.monitors(key);
    const full = {
      ...http,
      method: HTTPMethod.HTTP_METHOD_POST,
      body: "{}",
      timeout: 1000n,
      degradedAt: 500n,
      retry: 0n,
      followRedirects: false,
      active: true,
      public: true,
      description: "the shop",
      regions: [Region.FLY_AMS, Region.RAILWAY_US_WEST2],
      headers: [{ key: "X-A", value: "1" }],
      statusCodeAssertions: [{ target: 200n, comparator: NumberComparator.EQUAL }],
      bodyAssertions: [{ target: "ok", comparator: StringComparator.CONTAINS }],
      headerAssertions: [
        { key: "content-type", target: "json", comparator: StringComparator.CONTAINS },
      ],
      openTelemetry: {
        endpoint: "https://otel.test/v1/metrics",
        headers: [{ key: "authorization", value: "x" }],
      },
    };
    const created = await monitors.createHTTPMonitor({ monitor: full });
    const id = created.monitor?.id ?? "";
    const got = await monitors.getMonitor({ id });
    expect(got.monitor?.config.value).toMatchObject(full);
    await monitors.createTCPMonitor({
      monitor: { name: "db", uri: "db.test:5432", periodicity: minute },
    });
    const record = { record: "MX", target: "mail.test", comparator: RecordComparator.CONTAINS };
    await monitors.createDNSMonitor({
      monitor: { name: "mail", uri: "a.test", periodicity: minute, recordAssertions: [record] },
    });
    const list = await monitors.listMonitors({});
    expect([
      list.httpMonitors.length,
      list.tcpMonitors.length,
      list.dnsMonitors.length,
      list.totalSize,
    ]).toEqual([1, 1, 1, 3]);
    expect(list.dnsMonitors[0]?.recordAssertions).toMatchObject([record]);
    const updated = await monitors.updateHTTPMonitor({ id, monitor: { name: "new" } });
    expect(updated.monitor).toMatchObject({ ...full, name: "new" });
    expect(await monitors.deleteMonitor({ id })).toMatchObject({ success: true });
    expect((await refusal(monitors.getMonitor({ id }))).code).toBe(Code.NotFound);
  });

  const long = (length: number): string => "x".repeat(length);
  const repeat = <T>(length: number, value: T): readonly T[] => Array.from({ length }, () => value);
  const header = { key: "a", value: "b" };
  const violations: Record<string, [object, string]> = {
    "no name": [{ name: "" }, "name is required"],
    "a long name": [{ name: long(257) }, "name is longer than 256"],
    "a long url": [{ url: `https://a.test/${long(2048)}` }, "url is longer than 2048"],
    "a url of another scheme": [{ url: "ftp://a.test" }, "url must begin with http"],
    "a url that is none": [{ url: "https://" }, "url is not a valid URL"],
    "no periodicity": [{ periodicity: 0 }, "periodicity is required"],
    "a periodicity of the wire only": [
      { periodicity: Periodicity.PERIODICITY_10S },
      "periodicity must be one of 30s",
    ],
    "a method that Picket has not": [
      { method: HTTPMethod.HTTP_METHOD_TRACE },
      "method must be one of GET",
    ],
    "an unknown method": [{ method: 77 }, "method must be one of GET"],
    "a long timeout": [{ timeout: 120_001n }, "timeout must be in 0 to 120000"],
    "a negative timeout": [{ timeout: -1n }, "timeout must be in 0 to 120000"],
    "too many retries": [{ retry: 11n }, "retry must be in 0 to 10"],
    "a negative threshold": [{ degradedAt: -1n }, "degraded_at must not be below 0"],
    "a long description": [{ description: long(1025) }, "description is longer than 1024"],
    "an unknown region": [
      { regions: [Region.FLY_AMS, 77] },
      'regions[1] "region 77" is not a region',
    ],
    "the region 0": [{ regions: [0] }, 'regions[0] "unspecified" is not a region'],
    "too many headers": [{ headers: repeat(21, header) }, "headers has 21 entries, more than 20"],
    "a header with a line break": [
      { headers: [{ key: "a", value: "b\r\nc: d" }] },
      "headers[0].value holds a line break",
    ],
    "a header without a name": [
      { headers: [header, { key: "", value: "b" }] },
      "headers[1].key is required",
    ],
    "a framing header": [
      { headers: [{ key: "Transfer-Encoding", value: "chunked" }] },
      "headers[0].key Transfer-Encoding is set by Picket",
    ],
    "a status outside its range": [
      { statusCodeAssertions: [{ target: 99n, comparator: NumberComparator.EQUAL }] },
      "status_code_assertions[0].target must be in 100 to 599",
    ],
    "a status without a comparator": [
      { statusCodeAssertions: [{ target: 200n }] },
      "status_code_assertions[0].comparator must be one of eq",
    ],
    "too many assertions": [
      { bodyAssertions: repeat(11, { target: "a", comparator: StringComparator.EQUAL }) },
      "body_assertions has 11 entries, more than 10",
    ],
    "an unknown body comparator": [
      { bodyAssertions: [{ target: "a", comparator: 77 }] },
      "body_assertions[0].comparator must be one of contains",
    ],
    "metrics headers that go nowhere": [
      { openTelemetry: { endpoint: "", headers: [header] } },
      "open_telemetry.endpoint ",
    ],
    "a header assertion without key": [
      { headerAssertions: [{ key: "", target: "a", comparator: StringComparator.EQUAL }] },
      "header_assertions[0].key is not a valid header name",
    ],
  };
  describe("with", () => {
    let service: RunningService;
    let key: string;
    // One for all: what is refused leaves nothing behind, which each of them looks for.
    beforeAll(async () => {
      const database = path.join(
        mkdtempSync(path.join(runFolder(), "refusals-")),
        "service.sqlite",
      );
      service = await runningService({ database });
      ({ key } = await service.admin.createApiKey({ name: "test", scope: "write" }));
      return () => service[Symbol.asyncDispose]();
    });
    test.each(Object.entries(violations))(
      "%s is refused by the name of its field",
      async (_name, [wrong, sentence]) => {
        const monitors = service.monitors(key);
        const error = await refusal(monitors.createHTTPMonitor({ monitor: { ...http, ...wrong } }));
        expect(error.code).toBe(Code.InvalidArgument);
        expect(error.rawMessage).toContain(sentence);
        expect((await monitors.listMonitors({})).totalSize).toBe(0);
      },
    );
  });

  test("has only the first hundred of its mistakes named", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const monitor = { ...http, headers: repeat(149, { key: "", value: "b" }) };
    const error = await refusal(
      service
        .monitors(key)
        .createHTTPMonitor({ monitor: { ...monitor, headers: [...monitor.headers] } }),
    );
    expect(error.rawMessage).toMatch(/; and 50 more$/);
    expect(error.rawMessage.length).toBeLessThan(15_000);
  });

  test("of TCP and DNS is refused by its own fields, all at once", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const tcp = await refusal(
      service
        .monitors(key)
        .createTCPMonitor({ monitor: { name: "", uri: "host:99999", periodicity: unknownPeriod } }),
    );
    expect(tcp.rawMessage).toMatch(/name is required; periodicity must be .*; uri has port 99999/);
    const assertion = { record: "SRV", target: "a", comparator: 77 };
    const dns = await refusal(
      service.monitors(key).createDNSMonitor({
        monitor: { name: "a", uri: "a..b", periodicity: minute, recordAssertions: [assertion] },
      }),
    );
    expect(dns.rawMessage).toMatch(
      /uri has an empty label.*record_assertions\[0\]\.record must be one of A.*record_assertions\[0\]\.comparator/,
    );
    expect((await refusal(service.monitors(key).createTCPMonitor({}))).rawMessage).toBe(
      "monitor is required",
    );
  });

  test("is listed in JSON with every collection and flag, the empty and the false ones too", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    await service.admin.createMonitor({ ...definition, active: false }, "management");
    const headers = { "x-service-key": key };
    const answer = await service.post("/monitor.v1.MonitorService/ListMonitors", {}, headers);
    expect(await answer.json()).toMatchObject({
      httpMonitors: [],
      tcpMonitors: [{ name: "db", active: false, public: false, description: "", regions: [] }],
      dnsMonitors: [],
      totalSize: 1,
    });
  });

  test("is listed by page: 50 unless asked, at most 100", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    for (let n = 0; n < 60; n += 1)
      await service.admin.createMonitor({ ...definition, name: `m${n}` }, "management");
    const monitors = service.monitors(key);
    expect((await monitors.listMonitors({})).tcpMonitors).toHaveLength(50);
    expect(
      (await monitors.listMonitors({ limit: 100, offset: 55 })).tcpMonitors.map(({ name }) => name),
    ).toEqual(["m55", "m56", "m57", "m58", "m59"]);
    const summaries = await monitors.summarizeResults({ limit: 100, offset: 55 });
    expect(summaries.monitors.map(({ name }) => name)).toEqual(["m55", "m56", "m57", "m58", "m59"]);
    expect(summaries.totalSize).toBe(60);
    expect((await refusal(monitors.listMonitors({ limit: 101 }))).rawMessage).toBe(
      "limit must be in 1 to 100, not 101",
    );
    expect((await refusal(monitors.listMonitors({ limit: 0 }))).rawMessage).toBe(
      "limit must be in 1 to 100, not 0",
    );
    expect((await refusal(monitors.listMonitors({ offset: -1 }))).rawMessage).toBe(
      "offset must not be below 0",
    );
  });
});

describe("an API key", () => {
  test("is needed, and a revoked one no longer opens anything", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    expect((await service.post("/monitor.v1.MonitorService/ListMonitors", {})).status).toBe(401);
    expect((await refusal(service.monitors("pkt_key_wrong").listMonitors({}))).code).toBe(
      Code.Unauthenticated,
    );
    const [stored] = await service.admin.listApiKeys();
    await service.admin.revokeApiKey(stored?.id ?? "");
    expect((await refusal(service.monitors(key).listMonitors({}))).code).toBe(Code.Unauthenticated);
  });

  test("with scope read may look at everything and change nothing", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const read = (await service.admin.createApiKey({ name: "reader", scope: "read" })).key;
    const { id } = await service.admin.createMonitor(definition, "management");
    const location = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [id],
      metadata: {},
    });
    const monitors = service.monitors(read);
    const locations = service.locations(read);
    await monitors.listMonitors({});
    await monitors.getMonitor({ id });
    await monitors.getMonitorStatus({ id });
    await monitors.getMonitorSummary({ id });
    await monitors.listResults({ monitorId: id });
    await monitors.summarizeResults({});
    await locations.listPrivateLocations({});
    await locations.getPrivateLocation({ id: location.id });
    const monitor = { name: "a", uri: "a:1", periodicity: minute };
    const mutations = [
      monitors.createHTTPMonitor({ monitor: http }),
      monitors.createTCPMonitor({ monitor }),
      monitors.createDNSMonitor({ monitor }),
      monitors.updateHTTPMonitor({ id, monitor: http }),
      monitors.updateTCPMonitor({ id, monitor }),
      monitors.updateDNSMonitor({ id, monitor }),
      monitors.deleteMonitor({ id }),
      locations.createPrivateLocation({ name: "x" }),
      locations.updatePrivateLocation({ id: location.id }),
      locations.deletePrivateLocation({ id: location.id }),
      locations.rotatePrivateLocationToken({ id: location.id }),
      locations.checkNow({ privateLocationId: location.id, monitorId: id }),
      monitors.triggerMonitor({ id }),
    ];
    for (const mutation of mutations)
      expect((await refusal(mutation)).code).toBe(Code.PermissionDenied);
    const answer = await service.post(
      "/monitor.v1.MonitorService/DeleteMonitor",
      { id },
      { "x-service-key": read },
    );
    expect(answer.status).toBe(403);
    expect((await service.monitors(key).listMonitors({})).totalSize).toBe(1);
  });

  test("learns who it is by whoami", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const whoami = (headers: Record<string, string>, method = "GET"): Promise<Response> =>
      fetch(`${service.url}/v1/whoami`, { headers, method });
    const answer = await whoami({ "x-service-key": key });
    expect(await answer.json()).toEqual({
      name: "Picket",
      slug: "picket",
      plan: "self-hosted",
      actor: {
        type: "apiKey",
        keyId: (await service.admin.listApiKeys())[0]?.id,
        scopes: ["write"],
      },
    });
    const read = (await service.admin.createApiKey({ name: "reader", scope: "read" })).key;
    expect(await (await whoami({ "x-service-key": read })).json()).toMatchObject({
      actor: { scopes: ["read"] },
    });
    expect((await whoami({})).status).toBe(401);
    expect((await whoami({ "x-service-key": key }, "POST")).status).toBe(405);
    expect((await fetch(`${service.url}/nothing`)).status).toBe(404);
  });
});

describe("a private location", () => {
  test("shows its token to keys that may write, and in no list", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const locations = service.locations(key);
    const { privateLocation } = await locations.createPrivateLocation({
      name: "office",
      metadata: { site: "north" },
    });
    const id = privateLocation?.id ?? "";
    const token = privateLocation?.token ?? "";
    expect(token).toMatch(/^pkt_loc_[\w-]{43}$/);
    expect(privateLocation).toMatchObject({
      name: "office",
      metadata: { site: "north" },
      monitorIds: [],
    });
    expect((await locations.getPrivateLocation({ id })).privateLocation?.token).toBe(token);
    const read = (await service.admin.createApiKey({ name: "reader", scope: "read" })).key;
    const seen = await service.locations(read).getPrivateLocation({ id });
    expect(seen.privateLocation).toMatchObject({ name: "office", token: "" });
    const headers = { "x-service-key": key };
    const list = "/private_location.v1.PrivateLocationService/ListPrivateLocations";
    expect(await (await service.post(list, {}, headers)).text()).not.toContain("pkt_loc_");
    const rotated = await locations.rotatePrivateLocationToken({ id });
    expect((await locations.getPrivateLocation({ id })).privateLocation?.token).toBe(rotated.token);
  });

  test("shows no token under another key file than the lost one, and works anyway", async () => {
    const { service, key } = await withKey();
    const { id, token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [],
      metadata: {},
    });
    const { database, clock } = service;
    await service[Symbol.asyncDispose]();
    expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
    expect(readFileSync(database).includes(token)).toBe(false);
    rmSync(`${database}.key`);
    await expect(runningService({ database, clock })).rejects.toThrow(
      `the key file ${database}.key is missing`,
    );
    writeFileSync(`${database}.key`, randomBytes(32).toString("base64"), { mode: 0o600 });
    await using again = await runningService({ database, clock });
    const { privateLocation } = await again.locations(key).getPrivateLocation({ id });
    expect(privateLocation).toMatchObject({ name: "office", token: "" });
    await again.agent(token).monitors({});
  });

  test("keeps what an update leaves out, and clears what it empties", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const locations = service.locations(key);
    const { id: monitorId } = await service.admin.createMonitor(definition, "management");
    const { privateLocation } = await locations.createPrivateLocation({
      name: "office",
      monitorIds: [monitorId],
      metadata: { a: "b" },
    });
    const id = privateLocation?.id ?? "";
    const renamed = await locations.updatePrivateLocation({ id, name: "home" });
    expect(renamed.privateLocation).toMatchObject({
      name: "home",
      monitorIds: [monitorId],
      metadata: { a: "b" },
    });
    const cleared = await locations.updatePrivateLocation({
      id,
      updateMonitorIds: true,
      updateMetadata: true,
    });
    expect(cleared.privateLocation).toMatchObject({ name: "home", monitorIds: [], metadata: {} });
    await locations.deletePrivateLocation({ id });
    expect((await refusal(locations.getPrivateLocation({ id }))).code).toBe(Code.NotFound);
  });

  test("may be given a new token ten times within the overlaps, and at once without one always", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const { id } = await service.admin.createPrivateLocation({
      name: "a",
      monitorIds: [],
      metadata: {},
    });
    const rotate = (overlapSeconds: bigint): Promise<{ token: string }> =>
      service.locations(key).rotatePrivateLocationToken({ id, overlapSeconds });
    for (let n = 0; n < 9; n += 1) await rotate(3600n);
    expect((await refusal(rotate(3600n))).code).toBe(Code.ResourceExhausted);
    const { token } = await rotate(0n);
    await service.agent(token).monitors({});
    await rotate(3600n);
  });

  test("is refused by the field: no name, or a monitor that does not exist", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const locations = service.locations(key);
    const create = (wanted: object): Promise<ConnectError> =>
      refusal(locations.createPrivateLocation({ name: "a", ...wanted }));
    expect((await create({ name: "" })).rawMessage).toBe("name is required");
    const missing = await create({ monitorIds: ["99"] });
    expect([missing.code, missing.rawMessage]).toEqual([Code.NotFound, "there is no monitor 99"]);
    expect((await create({ monitorIds: [""] })).code).toBe(Code.InvalidArgument);
    expect((await create({ metadata: { ["k".repeat(65)]: "v" } })).rawMessage).toContain(
      "metadata has a label whose name does not have 1 to 64 characters",
    );
  });

  test("gets a new token while the old one works for the overlap", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const { id, token } = await service.admin.createPrivateLocation({
      name: "office",
      monitorIds: [],
      metadata: {},
    });
    const rotated = await service
      .locations(key)
      .rotatePrivateLocationToken({ id, overlapSeconds: 60n });
    await service.agent(token).monitors({});
    await service.agent(rotated.token).monitors({});
    const clock = service.clock;
    if (!("suspend" in clock) || typeof clock.suspend !== "function")
      throw new Error("not a fake clock");
    clock.suspend(61_000);
    expect((await refusal(service.agent(token).monitors({}))).code).toBe(Code.Unauthenticated);
    await service.agent(rotated.token).monitors({});
    expect(
      (
        await refusal(
          service.locations(key).rotatePrivateLocationToken({ id, overlapSeconds: 604_801n }),
        )
      ).rawMessage,
    ).toMatch(/^overlap_seconds must be in 0 to 604800/);
  });
});

describe("a request that is not a call", () => {
  const path = "/monitor.v1.MonitorService/ListMonitors";
  test("as no JSON, another type or far too large is refused, and the service lives on", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const headers = { "x-service-key": key };
    const status = async (body: unknown, more: Record<string, string> = {}): Promise<number> =>
      (await service.post(path, body, { ...headers, ...more })).status;
    expect(await status("{nonsense")).toBe(400);
    expect(await status("<a/>", { "content-type": "text/xml" })).toBe(415);
    expect(await status("\0\0", { "content-type": "application/grpc" })).toBe(415);
    expect(await status("\xff\xff", { "content-type": "application/proto" })).toBe(400);
    expect(await status("no gzip", { "content-encoding": "gzip" })).toBe(400);
    expect(await status(`{"limit":${" ".repeat(41 * 1024 * 1024)}1}`)).toBe(400);
    expect((await fetch(`${service.url}${path}`)).status).toBe(415);
    expect(await status({})).toBe(200);
  });

  test.each([
    ["{", "openstatus.monitor.v1.CreateHTTPMonitorRequest"],
    ['{"monitor": {"headers": "a"}}', "openstatus.monitor.v1.HTTPMonitor.headers"],
    ['{"monitor": {"timeout": "soon"}}', "openstatus.monitor.v1.HTTPMonitor.timeout"],
    [
      `{"monitor": {"headers": "${"long ".repeat(1_000)}"}}`,
      "openstatus.monitor.v1.HTTPMonitor.headers",
    ],
  ])("is told if it cannot be read, and none of it is quoted: %.40s", async (body, where) => {
    const { service, key } = await withKey();
    await using _running = service;
    const answer = await service.post("/monitor.v1.MonitorService/CreateHTTPMonitor", body, {
      "x-service-key": key,
      "accept-encoding": "gzip",
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      code: "invalid_argument",
      message: `the body is not a message of this call: ${where} cannot be read`,
    });
  });
  test("unpacks to more than a request may have is refused", async () => {
    const { service, key } = await withKey();
    await using _running = service;
    const answer = await fetch(`${service.url}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-encoding": "gzip",
        "x-service-key": key,
      },
      body: gzipSync(Buffer.alloc(200 * 1024 * 1024, " "), { level: 1 }),
    });
    expect(answer.status).toBe(400);
  });

  test("from a stranger is refused before its body is looked at", async () => {
    const { service } = await withKey();
    await using _running = service;
    for (const call of [path, "/private_location.v1.PrivateLocationService/Monitors"]) {
      const answer = await service.post(call, "{nonsense");
      expect([answer.status, await answer.json()]).toMatchObject([
        401,
        { code: "unauthenticated" },
      ]);
    }
  });

  test("to a path that is not there is answered in JSON, of a service that is there too", async () => {
    const { service } = await withKey();
    await using _running = service;
    for (const nowhere of ["/nowhere", "/v1/keys", "/monitor.v1.MonitorService/Explode"]) {
      const answer = await service.post(nowhere, {});
      expect([answer.status, await answer.json()]).toMatchObject([404, { code: "not_found" }]);
    }
    const health = await fetch(`${service.url}/healthz?x=1`);
    expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  });
});
