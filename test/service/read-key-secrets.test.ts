import { MethodOptions_IdempotencyLevel as Idempotency } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { HealthService } from "#contract/openstatus/health/v1/health_pb";
import { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { MonitorService } from "#contract/openstatus/monitor/v1/monitor_pb";
import { NotificationService } from "#contract/openstatus/notification/v1/notification_pb";
import { PrivateLocationService } from "#contract/openstatus/private_location/v1/private_location_pb";
import { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { StatusReportService } from "#contract/openstatus/status_report/v1/status_report_pb";
import { ApiKeyService } from "#contract/picket/v1/api_key_pb";
import { ConfigurationService } from "#contract/picket/v1/configuration_pb";
import { DeliveryService, IncidentService } from "#contract/picket/v1/incident_pb";
import { MonitorStateService } from "#contract/picket/v1/monitor_state_pb";
import { TemplateService } from "#contract/picket/v1/template_pb";
import { FakeClock } from "../support/fake-clock.ts";
import { runningService, type RunningService } from "../support/running-service.ts";

/** What a writer sends, with a word "planted-…" wherever a secret can stand. */
const openTelemetry = {
  endpoint: "https://planted-collector:planted-word@otel.test/v1?key=planted-endpoint",
  headers: [{ key: "x-key", value: "planted-otlp" }],
};
const web = {
  name: "web",
  url: "https://ann:planted-password@shop.test/pay?token=planted-query",
  periodicity: "PERIODICITY_30S",
  method: "HTTP_METHOD_POST",
  body: '{"card":"planted-body"}',
  headers: [{ key: "Authorization", value: "Bearer planted-header" }],
  headerAssertions: [
    { key: "X-Token", target: "planted-target", comparator: "STRING_COMPARATOR_EQUAL" },
  ],
  openTelemetry,
};
const database = {
  name: "db",
  uri: "db.test:5432",
  periodicity: "PERIODICITY_1M",
  openTelemetry,
};
const channels = [
  {
    name: "hook",
    provider: "NOTIFICATION_PROVIDER_WEBHOOK",
    data: {
      webhook: {
        endpoint: "https://hook.test/planted-path?key=planted-hook",
        headers: [{ key: "x-key", value: "planted-hook-header" }],
      },
    },
  },
  {
    name: "push",
    provider: "NOTIFICATION_PROVIDER_NTFY",
    data: {
      ntfy: {
        topic: "ops",
        serverUrl: "https://ann:planted-ntfy@ntfy.test/?auth=planted-auth",
        token: "tk_planted",
      },
    },
  },
];
const statusPage = {
  title: "Acme",
  slug: "acme",
  published: true,
  accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED",
  password: "planted-page",
};
const subscription = {
  pageId: "1",
  webhookChannel: {
    webhookUrl: "https://reader.test/planted-reader?key=planted-subscriber",
    headers: [{ key: "x-key", value: "planted-subscriber-header" }],
  },
};

const rpc = {
  monitor: `/rpc/${MonitorService.typeName}`,
  channel: `/rpc/${NotificationService.typeName}`,
  page: `/rpc/${StatusPageService.typeName}`,
};

interface KeyScene {
  readonly service: RunningService;
  readonly write: string;
  readonly read: string;
  /** A call by its path, which has to be answered; the text of its answer. */
  readonly call: (path: string, ask: object, key: string) => Promise<string>;
}

/** A service that has all of it, and a result of the monitor 1. */
async function planted(): Promise<KeyScene & { readonly logId: string }> {
  const clock = new FakeClock(Date.UTC(2026, 0, 1));
  const service = await runningService({ clock, publicUrl: "https://picket.test/" });
  const keyOf = async (scope: "read" | "write"): Promise<string> =>
    (await service.admin.createApiKey({ name: scope, scope })).key;
  const [write, read] = [await keyOf("write"), await keyOf("read")];
  const call: KeyScene["call"] = async (path, ask, key) => {
    const answer = await service.post(path, ask, { "x-service-key": key });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path}: ${text}`);
    return text;
  };
  await call(`${rpc.monitor}/CreateHTTPMonitor`, { monitor: web }, write);
  await call(`${rpc.monitor}/CreateTCPMonitor`, { monitor: database }, write);
  for (const channel of channels)
    await call(`${rpc.channel}/CreateNotification`, { ...channel, monitorIds: ["1"] }, write);
  await call(`${rpc.page}/CreateStatusPage`, statusPage, write);
  await call(`${rpc.page}/AddMonitorComponent`, { pageId: "1", monitorId: "1" }, write);
  await call(`${rpc.page}/CreatePageSubscription`, subscription, write);
  const office = { name: "office", monitorIds: ["1", "2"], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  const now = BigInt(clock.wall());
  await service.agent(token).ingestBatch({
    instanceId: "a",
    results: [
      {
        result: {
          case: "http",
          value: {
            monitorId: "1",
            requestStatus: "error",
            timestamp: now,
            cronTimestamp: now,
            url: web.url,
            headers: JSON.stringify({ "Set-Cookie": "planted-cookie" }),
          },
        },
        detail: {
          evaluations: [
            { kind: "header", expected: "planted-expected", received: "planted-received" },
            { kind: "body", expected: "body contains ok", received: "planted-answer" },
          ],
        },
      },
    ],
  });
  return { service, write, read, call, logId: `1-${now}` };
}

/** What each call that only reads is asked for. */
const asks = (logId: string): Readonly<Record<string, object | readonly object[]>> => ({
  Check: {},
  GetMaintenance: { id: "1" },
  ListMaintenances: {},
  ListMonitors: {},
  GetMonitor: [{ id: "1" }, { id: "2" }],
  GetMonitorStatus: { id: "1" },
  GetMonitorSummary: { id: "1" },
  ListMonitorHTTPResponseLogs: { id: "1" },
  GetMonitorHTTPResponseLog: { id: "1", logId },
  ListResults: { monitorId: "1" },
  SummarizeResults: {},
  GetNotification: [{ id: "1" }, { id: "2" }],
  ListNotifications: {},
  CheckNotificationLimit: {},
  GetPrivateLocation: { id: "1" },
  ListPrivateLocations: {},
  GetStatusPage: { id: "1" },
  ListStatusPages: {},
  GetPageComponent: { id: "1" },
  ListSubscribers: { pageId: "1" },
  GetStatusPageContent: { id: "1" },
  GetOverallStatus: { id: "1" },
  GetStatusPageOverview: { id: "1" },
  GetPageComponentDailySummary: { id: "1" },
  GetStatusReport: { id: "1" },
  ListStatusReports: { pageId: "1" },
  ListTemplates: { pageId: "1" },
  ListIncidents: {},
  GetIncident: { number: "1" },
  ListSilences: {},
  ListDeliveries: {},
  ListMonitorStates: {},
  GetApiKey: { id: "2" },
});

const reading = [
  HealthService,
  MaintenanceService,
  MonitorService,
  NotificationService,
  PrivateLocationService,
  StatusPageService,
  StatusReportService,
  IncidentService,
  DeliveryService,
  ConfigurationService,
  MonitorStateService,
  ApiKeyService,
  TemplateService,
].flatMap(({ typeName, methods }) =>
  methods
    .filter(({ idempotency }) => idempotency === Idempotency.NO_SIDE_EFFECTS)
    .map(({ name }) => ({ name, path: `/rpc/${typeName}/${name}` })),
);

/** The secrets in a text; the token of a location is one. */
const secretsIn = (text: string): readonly string[] =>
  [...text.matchAll(/planted-?[a-z-]*|pkt_loc_\w+/g)].map(([word]) => word);

describe("a key that may only read", () => {
  test("gets no secret from any call that it may make", async () => {
    const { service, read, logId } = await planted();
    await using _running = service;
    const leaks: string[] = [];
    const unanswered: string[] = [];
    for (const { name, path } of reading) {
      const ask = asks(logId)[name];
      if (ask === undefined) throw new Error(`say above what ${name} is asked for`);
      for (const one of [ask].flat()) {
        const answer = await service.post(path, one, { "x-service-key": read });
        if (answer.status !== 200) unanswered.push(name);
        for (const word of secretsIn(await answer.text())) leaks.push(`${name}: ${word}`);
      }
    }
    expect(leaks).toEqual([]);
    // There are none of these.
    expect(unanswered).toEqual(["GetMaintenance", "GetStatusReport", "GetIncident"]);
  });

  test("gets the rest as it was written: targets, names of headers, comparators", async () => {
    const { service, call, read, write } = await planted();
    await using _running = service;
    const text = await call(`${rpc.monitor}/GetMonitor`, { id: "1" }, read);
    expect(JSON.parse(text).monitor.http).toMatchObject({
      url: "https://shop.test/pay",
      body: "",
      headers: [{ key: "Authorization", value: "" }],
      headerAssertions: [{ key: "X-Token", target: "", comparator: "STRING_COMPARATOR_EQUAL" }],
      openTelemetry: {
        endpoint: "https://otel.test/v1",
        headers: [{ key: "x-key", value: "" }],
      },
    });
    const plain = { ...web, name: "plain", url: "https://Shop.test:443" };
    const made = await call(`${rpc.monitor}/CreateHTTPMonitor`, { monitor: plain }, write);
    const { id } = JSON.parse(made).monitor;
    const open = JSON.parse(await call(`${rpc.monitor}/GetMonitor`, { id }, read));
    expect(open.monitor.http.url).toBe("https://Shop.test:443");
  });
});

test("a key that may write reads back exactly what it sent", async () => {
  const { service, call, write, logId } = await planted();
  await using _running = service;
  const read = async (path: string, ask: object) => JSON.parse(await call(path, ask, write));
  expect(await read(`${rpc.monitor}/GetMonitor`, { id: "1" })).toMatchObject({
    monitor: { http: web },
  });
  expect(await read(`${rpc.monitor}/GetMonitor`, { id: "2" })).toMatchObject({
    monitor: { tcp: database },
  });
  const { httpMonitors } = await read(`${rpc.monitor}/ListMonitors`, {});
  expect(httpMonitors[0]).toMatchObject(web);
  for (const [index, { data }] of channels.entries())
    expect(await read(`${rpc.channel}/GetNotification`, { id: String(index + 1) })).toMatchObject({
      notification: { data },
    });
  expect(await read(`${rpc.page}/GetStatusPage`, { id: "1" })).toMatchObject({
    statusPage: { password: statusPage.password },
  });
  const { log } = await read(`${rpc.monitor}/GetMonitorHTTPResponseLog`, { id: "1", logId });
  expect(log.url).toBe(web.url);
  expect(secretsIn(log.assertions)).toEqual([
    "planted-expected",
    "planted-received",
    "planted-answer",
  ]);
});
