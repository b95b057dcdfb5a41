import { describe, expect, test } from "vitest";
import { HealthService } from "#contract/openstatus/health/v1/health_pb";
import { MonitorService } from "#contract/openstatus/monitor/v1/monitor_pb";
import { PrivateLocationService } from "#contract/openstatus/private_location/v1/private_location_pb";
import { ApiKeyService } from "#contract/picket/v1/api_key_pb";
import { httpDefaults } from "#check/definition";
import { answering, connected } from "../support/agent-channel.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { bytesOf, type JsonObject, knownValue, valueOf } from "../support/field-table.ts";
import { type PublicCall, publicCalls, type PublicCallName } from "../support/public-tables.ts";
import { runningService, type RunningService } from "../support/running-service.ts";

/*
 * Every call of the public contract as its own tools make it, against a running service: the requests' bytes and what is
 * read from the answers' come from tables of numbers written by hand, and from nothing that was generated for us.
 */

interface Scene extends AsyncDisposable {
  readonly service: RunningService;
  readonly write: string;
  readonly read: string;
}

const began = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => new Date(began + seconds * 1000).toISOString();
const ms = (seconds: number): string => String(began + seconds * 1000);

/** Monitor 1 and location 1, whose connected agent stored a failure at second 1; it is second 2. Keys 1 and 2. */
async function scene(): Promise<Scene> {
  const clock = new FakeClock(began);
  const service = await runningService({ clock });
  const keyOf = async (scope: "read" | "write"): Promise<string> =>
    (await service.admin.createApiKey({ name: scope, scope })).key;
  const [write, read] = [await keyOf("write"), await keyOf("read")];
  const url = "https://seen.test/";
  const definition = { ...httpDefaults, name: "seen", url, periodicity: "30s", active: true };
  await service.admin.createMonitor(definition, "management");
  const office = { name: "office", monitorIds: ["1"], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  answering(await connected(service, token), "a", clock, "http");
  await clock.advance(1_000);
  const now = BigInt(clock.wall());
  const seen = { monitorId: "1", requestStatus: "error", latency: 12n, timestamp: now, url };
  const timing = { dnsStart: 1, dnsDone: 3, firstByteStart: 5, firstByteDone: 12 };
  const value = {
    ...seen,
    cronTimestamp: now,
    statusCode: 500n,
    message: "no",
    timing: JSON.stringify(timing),
    headers: JSON.stringify({ "Content-Type": "text/html" }),
  };
  const result = { case: "http" as const, value };
  await service.agent(token).ingestBatch({ instanceId: "a", results: [{ result }] });
  await clock.advance(1_000);
  return { service, write, read, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** How a tool calls: below which base, under which of a service's names, with its key in which header. */
interface Way {
  readonly base: "" | "/rpc";
  readonly named: "openstatus." | "";
  readonly header: string;
  readonly codec: Codec;
}
type Codec = "json" | "proto";

/** Each of these is read by a separate part, so every pair of them is enough. */
const ways: readonly Way[] = [
  { codec: "json", header: "x-service-key", base: "", named: "openstatus." },
  { codec: "json", header: "x-openstatus-key", base: "/rpc", named: "" },
  { codec: "json", header: "x-openstatus-key", base: "/rpc", named: "openstatus." },
  { codec: "proto", header: "x-service-key", base: "/rpc", named: "openstatus." },
  { codec: "proto", header: "x-openstatus-key", base: "", named: "openstatus." },
  { codec: "proto", header: "x-service-key", base: "", named: "" },
];

const pathOf = (name: PublicCallName, { base, named }: Pick<Way, "base" | "named">): string => {
  const { service } = publicCalls[name];
  return `${base}/${service.replace(/^openstatus\./, named)}/${name}`;
};

const body = ({ request }: PublicCall, codec: Codec, ask: JsonObject): Buffer =>
  codec === "proto" ? bytesOf(request, ask) : Buffer.from(JSON.stringify(ask));

function posted(
  { service }: Scene,
  name: PublicCallName,
  ask: JsonObject,
  way: Way,
  key: string | null,
): Promise<Response> {
  return fetch(`${service.url}${pathOf(name, way)}`, {
    method: "POST",
    headers: { "content-type": `application/${way.codec}`, ...keyHeader(way, key) },
    body: body(publicCalls[name], way.codec, ask),
  });
}

function got(
  { service }: Scene,
  name: PublicCallName,
  ask: JsonObject,
  way: Way,
  key: string | null,
): Promise<Response> {
  const bytes = body(publicCalls[name], way.codec, ask);
  const message =
    way.codec === "proto"
      ? `base64=1&message=${bytes.toString("base64url")}`
      : `message=${encodeURIComponent(bytes.toString())}`;
  const query = `connect=v1&encoding=${way.codec}&${message}`;
  return fetch(`${service.url}${pathOf(name, way)}?${query}`, { headers: keyHeader(way, key) });
}

const keyHeader = ({ header }: Way, key: string | null): Record<string, string> =>
  key === null ? {} : { [header]: key };

/** What the call's own tool reads from its answer. */
async function readAnswer(name: PublicCallName, answer: Response): Promise<JsonObject> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([name, answer.status, answer.status === 200 || bytes.toString()]).toEqual([
    name,
    200,
    true,
  ]);
  const { response } = publicCalls[name];
  if (answer.headers.get("content-type") === "application/proto") return valueOf(response, bytes);
  return knownValue(response, JSON.parse(bytes.toString()));
}

/** A call, what it is asked, and every field of the public contract in its answer. */
type Step = readonly [name: PublicCallName, ask: JsonObject, answer: JsonObject];

const facts = (id: string): JsonObject => ({
  id,
  status: "MONITOR_STATUS_UNSPECIFIED",
  privateLocationIds: [],
});
const shop: JsonObject = {
  name: "shop",
  url: "https://shop.test/?a=ü",
  periodicity: "PERIODICITY_10M",
  method: "HTTP_METHOD_PATCH",
  body: "{}",
  timeout: "120000",
  degradedAt: "500",
  retry: "0",
  followRedirects: false,
  headers: [
    { key: "Authorization", value: "Bearer t" },
    { key: "a", value: "" },
  ],
  statusCodeAssertions: [
    { target: "200", comparator: "NUMBER_COMPARATOR_GREATER_THAN_OR_EQUAL" },
    { target: "300", comparator: "NUMBER_COMPARATOR_LESS_THAN" },
  ],
  bodyAssertions: [
    { target: "ok", comparator: "STRING_COMPARATOR_CONTAINS" },
    { target: "", comparator: "STRING_COMPARATOR_NOT_EMPTY" },
  ],
  headerAssertions: [
    { target: "html", comparator: "STRING_COMPARATOR_NOT_CONTAINS", key: "Content-Type" },
  ],
  description: "Runbook",
  active: false,
  public: true,
  regions: ["REGION_FLY_AMS", "REGION_KOYEB_WAS", "REGION_RAILWAY_ASIA_SOUTHEAST1"],
  openTelemetry: { endpoint: "https://otel.test/", headers: [{ key: "k", value: "v" }] },
};
const db: JsonObject = {
  name: "db",
  uri: "db.test:5432",
  periodicity: "PERIODICITY_30S",
  timeout: "1000",
  degradedAt: "7",
  retry: "10",
  description: "d",
  active: true,
  public: true,
  regions: ["REGION_FLY_YYZ"],
  openTelemetry: { endpoint: "https://otel.test/", headers: [] },
};
const mx: JsonObject = {
  name: "mx",
  uri: "shop.test",
  periodicity: "PERIODICITY_1H",
  timeout: "2000",
  degradedAt: "8",
  retry: "1",
  recordAssertions: [
    { record: "MX", comparator: "RECORD_COMPARATOR_NOT_CONTAINS", target: "a" },
    { record: "TXT", comparator: "RECORD_COMPARATOR_EQUAL", target: "b" },
  ],
  description: "e",
  active: false,
  public: false,
  regions: ["REGION_FLY_ARN"],
  openTelemetry: { endpoint: "https://otel.test/", headers: [{ key: "l", value: "w" }] },
};
const gateway: JsonObject = {
  ...db,
  name: "gateway",
  uri: "10.0.0.1",
};
const orders: JsonObject = {
  ...db,
  name: "orders",
  uri: "[fd00::7]:50051",
  service: "shop.v1.Orders",
  tlsMode: "GRPC_TLS_MODE_TLS_INSECURE",
  metadata: [{ key: "authorization", value: "Bearer t" }],
};
const failure: JsonObject = {
  id: `1-${ms(1)}`,
  latency: 12,
  statusCode: 500,
  monitorId: "1",
  requestStatus: "HTTP_RESPONSE_LOG_REQUEST_STATUS_ERROR",
  region: "REGION_UNSPECIFIED",
  cronTimestamp: ms(1),
  trigger: "HTTP_RESPONSE_LOG_TRIGGER_CRON",
  timestamp: ms(1),
  timing: { dns: 2, connect: 0, tls: 0, ttfb: 7, transfer: 0 },
};
const triggered: JsonObject = {
  id: `1-${ms(2)}`,
  latency: 3,
  monitorId: "1",
  requestStatus: "HTTP_RESPONSE_LOG_REQUEST_STATUS_SUCCESS",
  region: "REGION_UNSPECIFIED",
  cronTimestamp: ms(2),
  trigger: "HTTP_RESPONSE_LOG_TRIGGER_API",
  timestamp: ms(2),
};
const clearedFields: JsonObject = {
  method: "HTTP_METHOD_GET",
  headers: [],
  statusCodeAssertions: [],
  bodyAssertions: [],
  headerAssertions: [],
  description: "",
  regions: [],
};
const { degradedAt: _degradedAt, openTelemetry: _openTelemetry, ...shopWithout } = shop;
const cleared: JsonObject = { ...shopWithout, ...facts("2"), ...clearedFields, retry: "5" };
const made = { createdAt: at(2), updatedAt: at(2) };
const home: JsonObject = {
  ...made,
  id: "2",
  name: "home",
  monitorIds: ["2", "3"],
  lastSeenAt: "",
  metadata: { site: "berlin", floor: "" },
  status: "PRIVATE_LOCATION_STATUS_UNSPECIFIED",
};
const writtenToken: unknown = expect.stringMatching(/^pkt_loc_/);
const withToken = (location: JsonObject): JsonObject => ({
  privateLocation: Object.assign({ ...location }, { token: writtenToken }),
});
const done = { success: true };

const story: readonly Step[] = [
  ["Check", { service: "any" }, { status: "SERVING_STATUS_SERVING" }],
  [
    "CreateHTTPMonitor",
    { monitor: { ...shop, id: "77", status: "MONITOR_STATUS_ERROR", privateLocationIds: ["1"] } },
    { monitor: { ...shop, ...facts("2") } },
  ],
  ["CreateTCPMonitor", { monitor: db }, { monitor: { ...db, ...facts("3") } }],
  ["CreateDNSMonitor", { monitor: mx }, { monitor: { ...mx, ...facts("4") } }],
  [
    "UpdateHTTPMonitor",
    { id: "2", monitor: { name: "new", headers: [] } },
    { monitor: { ...shop, ...facts("2"), name: "new" } },
  ],
  ["UpdateHTTPMonitor", { id: "2" }, { monitor: { ...shop, ...facts("2"), name: "new" } }],
  [
    "UpdateHTTPMonitor",
    {
      id: "2",
      monitor: { name: "shop", retry: "5" },
      updateMask:
        "method,headers,statusCodeAssertions,bodyAssertions,headerAssertions,description,regions,degradedAt,openTelemetry",
    },
    { monitor: cleared },
  ],
  [
    "UpdateTCPMonitor",
    { id: "3", monitor: { active: false } },
    { monitor: { ...db, ...facts("3"), active: false } },
  ],
  [
    "UpdateDNSMonitor",
    { id: "4", monitor: { retry: "0" }, updateMask: "recordAssertions" },
    { monitor: { ...mx, ...facts("4"), retry: "0", recordAssertions: [] } },
  ],
  ["CreateICMPMonitor", { monitor: gateway }, { monitor: { ...gateway, ...facts("5") } }],
  [
    "UpdateICMPMonitor",
    { id: "5", monitor: { active: false } },
    { monitor: { ...gateway, ...facts("5"), active: false } },
  ],
  ["DeleteMonitor", { id: "5" }, done],
  ["CreateGRPCMonitor", { monitor: orders }, { monitor: { ...orders, ...facts("6") } }],
  [
    "UpdateGRPCMonitor",
    { id: "6", monitor: { tlsMode: "GRPC_TLS_MODE_PLAINTEXT" }, updateMask: "service,metadata" },
    {
      monitor: {
        ...orders,
        ...facts("6"),
        tlsMode: "GRPC_TLS_MODE_PLAINTEXT",
        service: "",
        metadata: [],
      },
    },
  ],
  ["DeleteMonitor", { id: "6" }, done],
  [
    "ListMonitors",
    { limit: 2, offset: 1 },
    {
      httpMonitors: [cleared],
      tcpMonitors: [{ ...db, ...facts("3"), active: false }],
      dnsMonitors: [],
      icmpMonitors: [],
      grpcMonitors: [],
      totalSize: 4,
    },
  ],
  ["GetMonitor", { id: "2" }, { monitor: { http: cleared } }],
  ["GetMonitor", { id: "3" }, { monitor: { tcp: { ...db, ...facts("3"), active: false } } }],
  [
    "GetMonitor",
    { id: "4" },
    { monitor: { dns: { ...mx, ...facts("4"), retry: "0", recordAssertions: [] } } },
  ],
  ["DeleteMonitor", { id: "4" }, done],
  [
    "GetMonitorStatus",
    { id: "1" },
    {
      id: "1",
      regions: [{ region: "REGION_UNSPECIFIED", status: "MONITOR_STATUS_ERROR" }],
      locations: [
        {
          privateLocationId: "1",
          name: "office",
          status: "MONITOR_STATUS_ERROR",
          since: at(1),
          lastCheckedAt: at(1),
          stale: false,
        },
      ],
    },
  ],
  ["TriggerMonitor", { id: "1" }, done],
  [
    "GetMonitorSummary",
    { id: "1", timeRange: "TIME_RANGE_7D" },
    {
      id: "1",
      lastPingAt: at(2),
      totalSuccessful: "1",
      totalDegraded: "0",
      totalFailed: "1",
      p50: "3",
      p75: "3",
      p90: "3",
      p95: "3",
      p99: "3",
      timeRange: "TIME_RANGE_7D",
      regions: [],
    },
  ],
  [
    "ListMonitorHTTPResponseLogs",
    { id: "1", fromTimestamp: ms(0), toTimestamp: ms(9), limit: 1 },
    { logs: [triggered], pagination: { limit: 1, offset: 0, hasMore: true, nextOffset: 1 } },
  ],
  [
    "ListMonitorHTTPResponseLogs",
    { id: "1", offset: 1 },
    { logs: [failure], pagination: { limit: 25, offset: 1, hasMore: false } },
  ],
  [
    "GetMonitorHTTPResponseLog",
    { id: "1", logId: `1-${ms(1)}` },
    {
      log: {
        log: failure,
        url: "https://seen.test/",
        error: true,
        message: "no",
        headers: { "Content-Type": "text/html" },
      },
    },
  ],
  [
    "CreatePrivateLocation",
    { name: "home", monitorIds: ["2", "3"], metadata: { site: "berlin", floor: "" } },
    withToken(home),
  ],
  ["GetPrivateLocation", { id: "2" }, withToken(home)],
  [
    "UpdatePrivateLocation",
    { id: "2", name: "cellar", monitorIds: ["3"], metadata: { a: "b" } },
    withToken({ ...home, name: "cellar" }),
  ],
  [
    "UpdatePrivateLocation",
    { id: "2", monitorIds: [], updateMonitorIds: true, metadata: { a: "b" }, updateMetadata: true },
    withToken({ ...home, name: "cellar", monitorIds: [], metadata: { a: "b" } }),
  ],
  [
    "ListPrivateLocations",
    { limit: 100, offset: 1 },
    {
      privateLocations: [
        {
          ...made,
          id: "2",
          name: "cellar",
          monitorCount: 0,
          lastSeenAt: "",
          status: "PRIVATE_LOCATION_STATUS_UNSPECIFIED",
          metadata: { a: "b" },
        },
      ],
      totalSize: 2,
    },
  ],
  ["DeletePrivateLocation", { id: "2" }, done],
  [
    "GetApiKey",
    {},
    {
      apiKey: {
        id: "1",
        name: "write",
        scopes: ["write"],
        createdAt: at(0),
        prefix: expect.stringMatching(/^pkt_key_.{4}$/),
        lastUsedAt: at(2),
      },
    },
  ],
  ["RevokeApiKey", { id: "2" }, done],
];

const isCall = (name: string): name is PublicCallName => name in publicCalls;
const names = Object.keys(publicCalls).filter(isCall);

test("every call has a row, but for those that only Picket has", () => {
  expect(new Set(story.map(([name]) => name))).toEqual(new Set(names));
  const services = [MonitorService, PrivateLocationService, HealthService, ApiKeyService];
  const all = services.flatMap(({ methods }) => methods.map(({ name }) => name));
  const ours = new Set([
    "ListResults",
    "SummarizeResults",
    "RotatePrivateLocationToken",
    "CheckNow",
  ]);
  expect(all.filter((name) => !ours.has(name)).toSorted()).toEqual(names.toSorted());
});

test("the tables write the bytes of protobuf", () => {
  const monitor = { name: "db", uri: "h:1", periodicity: "PERIODICITY_30S" };
  const ask = { monitor: { ...monitor, retry: "0", active: true } };
  expect(bytesOf(publicCalls.CreateTCPMonitor.request, ask).toString("hex")).toBe(
    "0a0f120264621a03683a31200138004801",
  );
});

describe("every call in the public shape", () => {
  test.each(ways)("is answered in the public shape: $codec $base/$named… $header", async (way) => {
    await using scenery = await scene();
    const { write } = scenery;
    for (const [name, ask, answer] of story) {
      const key = name === "Check" ? null : write;
      const read = await readAnswer(name, await posted(scenery, name, ask, way, key));
      expect(read, name).toEqual(answer);
      if (!publicCalls[name].reads) continue;
      const again = await readAnswer(name, await got(scenery, name, ask, way, key));
      expect(again, `${name} by GET`).toEqual(answer);
    }
  });
});

/** Status, code and reason; a refusal is JSON in both codecs. */
async function refusal(answer: Response): Promise<readonly unknown[]> {
  const said: Record<string, unknown> = JSON.parse(await answer.text());
  expect(answer.headers.get("error-domain")).toBe("picket");
  return [answer.status, said["code"], answer.headers.get("error-reason")];
}

/** What is missing, by the service whose thing it is. */
const missing: Readonly<Record<string, string>> = {
  "openstatus.monitor.v1.MonitorService": "MONITOR_NOT_FOUND",
  "openstatus.private_location.v1.PrivateLocationService": "PRIVATE_LOCATION_NOT_FOUND",
  "picket.v1.ApiKeyService": "API_KEY_NOT_FOUND",
};

describe.each(["json", "proto"] as const)("in %s", (codec) => {
  const way: Way = { base: "/rpc", named: "openstatus.", header: "x-openstatus-key", codec };

  test("every call but health wants a key, every write a key that may write, and no write is made by GET", async () => {
    await using scenery = await scene();
    const { read, write } = scenery;
    for (const name of names.filter((one) => one !== "Check")) {
      const anyone = await refusal(await posted(scenery, name, {}, way, null));
      expect(anyone, name).toEqual([401, "unauthenticated", "API_KEY_REQUIRED"]);
      if (publicCalls[name].reads) continue;
      const reader = await refusal(await posted(scenery, name, {}, way, read));
      expect(reader, name).toEqual([403, "permission_denied", "WRITE_SCOPE_REQUIRED"]);
      expect((await got(scenery, name, {}, way, write)).status, name).toBe(405);
    }
  });

  test("every call of a thing says which is missing", async () => {
    await using scenery = await scene();
    for (const name of names) {
      const { request, service } = publicCalls[name];
      if (!("id" in request)) continue;
      const said = await refusal(await posted(scenery, name, { id: "99" }, way, scenery.write));
      expect(said, name).toEqual([404, "not_found", missing[service]]);
    }
  });

  const monitor = { name: "a", uri: "a:1", periodicity: "PERIODICITY_1M" };
  const site = { name: "a", url: "https://a.test", periodicity: "PERIODICITY_1M" };
  const wrong: readonly (readonly [name: PublicCallName, ask: JsonObject, reason: string])[] = [
    ["ListMonitors", { limit: 0 }, "INVALID_ARGUMENT"],
    ["ListMonitors", { limit: 101 }, "INVALID_ARGUMENT"],
    ["ListPrivateLocations", { limit: 0 }, "INVALID_ARGUMENT"],
    ["ListMonitorHTTPResponseLogs", { id: "1", limit: 0 }, "INVALID_ARGUMENT"],
    ["ListMonitorHTTPResponseLogs", { id: "1", fromTimestamp: "1" }, "INVALID_ARGUMENT"],
    ["GetMonitor", {}, "MONITOR_ID_REQUIRED"],
    ["CreateHTTPMonitor", {}, "MONITOR_REQUIRED"],
    ["CreateTCPMonitor", {}, "MONITOR_REQUIRED"],
    ["CreateDNSMonitor", {}, "MONITOR_REQUIRED"],
    ["CreateICMPMonitor", {}, "MONITOR_REQUIRED"],
    ["CreateICMPMonitor", { monitor: { ...monitor, uri: "10.0.0.1:80" } }, "INVALID_ARGUMENT"],
    ["CreateICMPMonitor", { monitor: { ...monitor, uri: "224.0.0.1" } }, "INVALID_ARGUMENT"],
    ["CreateGRPCMonitor", {}, "MONITOR_REQUIRED"],
    ["CreateGRPCMonitor", { monitor: { ...monitor, uri: "a.test" } }, "INVALID_ARGUMENT"],
    [
      "CreateGRPCMonitor",
      { monitor: { ...monitor, service: "s".repeat(513) } },
      "INVALID_ARGUMENT",
    ],
    [
      "CreateGRPCMonitor",
      { monitor: { ...monitor, metadata: [{ key: "grpc-timeout", value: "1S" }] } },
      "INVALID_ARGUMENT",
    ],
    [
      "CreateGRPCMonitor",
      { monitor: { ...monitor, metadata: [{ key: "a-bin", value: "?" }] } },
      "INVALID_ARGUMENT",
    ],
    ["CreateTCPMonitor", { monitor: { name: "a", uri: "a:1" } }, "INVALID_ARGUMENT"],
    ["CreateTCPMonitor", { monitor: { ...monitor, retry: "11" } }, "INVALID_ARGUMENT"],
    ["CreateTCPMonitor", { monitor: { ...monitor, timeout: "120001" } }, "INVALID_ARGUMENT"],
    [
      "CreateTCPMonitor",
      { monitor: { ...monitor, regions: ["REGION_UNSPECIFIED"] } },
      "INVALID_ARGUMENT",
    ],
    [
      "CreateHTTPMonitor",
      { monitor: { ...site, method: "HTTP_METHOD_TRACE" } },
      "INVALID_ARGUMENT",
    ],
    [
      "CreateHTTPMonitor",
      { monitor: { ...site, method: "HTTP_METHOD_CONNECT" } },
      "INVALID_ARGUMENT",
    ],
    ["UpdateTCPMonitor", { id: "1", monitor }, "MONITOR_TYPE_MISMATCH"],
    ["UpdateDNSMonitor", { id: "1" }, "MONITOR_TYPE_MISMATCH"],
    ["UpdateICMPMonitor", { id: "1" }, "MONITOR_TYPE_MISMATCH"],
    ["UpdateGRPCMonitor", { id: "1" }, "MONITOR_TYPE_MISMATCH"],
    ["CreatePrivateLocation", { name: "a", monitorIds: ["a"] }, "INVALID_MONITOR_ID"],
    ["CreatePrivateLocation", {}, "INVALID_ARGUMENT"],
  ];

  test("every wrong field is refused with its reason", async () => {
    await using scenery = await scene();
    for (const [name, ask, reason] of wrong) {
      const said = await refusal(await posted(scenery, name, ask, way, scenery.write));
      const row = `${name} ${JSON.stringify(ask)}`;
      expect(said, row).toEqual([400, "invalid_argument", reason]);
    }
  });
});
