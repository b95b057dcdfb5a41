import { Code, ConnectError, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { create, type MessageInitShape, toJsonString } from "@bufbuild/protobuf";
import {
  CreateNotificationRequestSchema,
  NotificationProvider as Provider,
  NotificationDataSchema,
  NotificationSchema,
  NotificationService,
  OpsgenieRegion,
} from "#contract/openstatus/notification/v1/notification_pb";
import { httpDefaults } from "#check/definition";
import { slackTakesIt, startProvider, webhookIsGone } from "../servers/providers.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { type RunningService, runningService } from "../support/running-service.ts";

const notificationsOf = ({ url }: RunningService, key: string) => {
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set("x-service-key", key);
    return next(request);
  };
  const baseUrl = `${url}/rpc`;
  return createClient(
    NotificationService,
    createConnectTransport({ baseUrl, httpVersion: "1.1", interceptors: [authenticate] }),
  );
};

async function scene(clock = new FakeClock()) {
  const service = await runningService({ clock });
  const { key } = await service.admin.createApiKey({ name: "ci", scope: "write" });
  const { key: readKey } = await service.admin.createApiKey({ name: "look", scope: "read" });
  const definition = {
    ...httpDefaults,
    name: "shop",
    url: "https://shop.test/",
    periodicity: "30s",
    active: true,
  } as const;
  const monitor = await service.admin.createMonitor(definition, "management");
  return {
    service,
    clock,
    monitor: monitor.id,
    key,
    writes: notificationsOf(service, key),
    reads: notificationsOf(service, readKey),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

const slackAt = (webhookUrl: string) =>
  ({ data: { case: "slack", value: { webhookUrl } } }) as const;

/** The code, the reason and the sentence of a refusal. */
async function refusalOf(
  call: Promise<unknown>,
): Promise<{ readonly code: Code; readonly reason: string | null; readonly sentence: string }> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConnectError)) throw new Error("it was not refused");
  const { code, metadata, rawMessage } = error;
  return { code, reason: metadata.get("error-reason"), sentence: rawMessage };
}

test("a channel of all monitors lists those there are, and a client that does not know of it cannot end it by accident", async () => {
  await using here = await scene();
  const { writes, monitor, service } = here;
  const { notification: made } = await writes.createNotification({
    name: "ops",
    provider: Provider.SLACK,
    data: slackAt("https://hooks.slack.com/services/T/B/secret"),
    rules: { allMonitors: true },
  });
  const id = made?.id ?? "";
  expect(made).toMatchObject({ monitorIds: [monitor], rules: { allMonitors: true } });
  const second = await service.admin.createMonitor(
    { ...httpDefaults, name: "later", url: "https://later.test/", periodicity: "30s" },
    "management",
  );
  const known = (await writes.getNotification({ id })).notification?.monitorIds ?? [];
  expect(known).toEqual([monitor, second.id]);
  // It writes back what it read, and rules without the field.
  const again = { id, monitorIds: known, updateMonitorIds: true, rules: { timeZone: "UTC" } };
  expect((await writes.updateNotification(again)).notification?.rules?.allMonitors).toBe(true);
  const masked = { id, updateMask: { paths: ["rules"] } };
  expect((await writes.updateNotification(masked)).notification?.rules?.allMonitors).toBe(true);
  const lacking = { id, monitorIds: [monitor], updateMonitorIds: true };
  expect(await refusalOf(writes.updateNotification(lacking))).toEqual({
    code: Code.FailedPrecondition,
    reason: "INVALID_NOTIFICATION_DATA",
    sentence:
      "the channel is for all monitors, and monitor_ids lacks some: set rules.all_monitors to false with it",
  });
  const ended = await writes.updateNotification({ ...lacking, rules: { allMonitors: false } });
  expect(ended.notification).toMatchObject({
    monitorIds: [monitor],
    rules: { allMonitors: false },
  });
});

test("a channel is made, read, listed, changed in parts, counted and deleted", async () => {
  await using here = await scene();
  const { writes, monitor } = here;
  const { notification: made } = await writes.createNotification({
    name: "ops",
    provider: Provider.SLACK,
    data: slackAt("https://hooks.slack.com/services/T/B/secret"),
    monitorIds: [monitor],
    rules: { reminderSeconds: 14_400n, timeZone: "Europe/Berlin", labels: { team: "shop" } },
  });
  const id = made?.id ?? "";
  expect(made).toMatchObject({
    id: "1",
    name: "ops",
    provider: Provider.SLACK,
    data: slackAt("https://hooks.slack.com/services/T/B/secret"),
    monitorIds: [monitor],
    createdAt: "2026-01-01T00:00:00.000Z",
    rules: {
      events: ["error", "degraded", "recovery", "location"],
      reminderSeconds: 14_400n,
      timeZone: "Europe/Berlin",
    },
    trouble: "",
  });
  const list = await writes.listNotifications({});
  expect(list).toMatchObject({
    notifications: [{ id, name: "ops", provider: Provider.SLACK, monitorCount: 1 }],
    totalSize: 1,
  });
  expect(await writes.checkNotificationLimit({})).toMatchObject({
    limitReached: false,
    currentCount: 1,
    maxCount: 1000,
  });
  // What is left out stays; an empty list without its flag too.
  const renamed = await writes.updateNotification({ id, name: "night", monitorIds: [] });
  expect(renamed.notification).toMatchObject({ name: "night", monitorIds: [monitor] });
  const cleared = await writes.updateNotification({
    id,
    updateMask: { paths: ["monitor_ids", "rules", "name"] },
  });
  expect(cleared.notification).toMatchObject({
    name: "slack",
    monitorIds: [],
    rules: { reminderSeconds: 0n, timeZone: "UTC" },
  });
  const flagged = await writes.updateNotification({
    id,
    monitorIds: [monitor],
    updateMonitorIds: true,
  });
  expect(flagged.notification).toMatchObject({ monitorIds: [monitor] });
  expect(await writes.deleteNotification({ id })).toMatchObject({ success: true });
  expect(await refusalOf(writes.getNotification({ id }))).toEqual({
    code: Code.NotFound,
    reason: "NOTIFICATION_NOT_FOUND",
    sentence: "there is no notification 1",
  });
});

test("every provider is taken under its number, and read back as it was given", async () => {
  await using here = await scene();
  const url = "https://hooks.example.test/x?key=secret";
  const all = [
    [Provider.DISCORD, { case: "discord", value: { webhookUrl: url } }],
    [Provider.GOOGLE_CHAT, { case: "googleChat", value: { webhookUrl: url } }],
    [Provider.GRAFANA_ONCALL, { case: "grafanaOncall", value: { webhookUrl: url } }],
    [
      Provider.NTFY,
      { case: "ntfy", value: { topic: "ops", serverUrl: "https://n.test/", token: "tk_secret" } },
    ],
    [
      Provider.PAGERDUTY,
      { case: "pagerduty", value: { integrationKey: "secret7890abcdefsecret7890abcdef" } },
    ],
    [
      Provider.OPSGENIE,
      { case: "opsgenie", value: { apiKey: "secret-key-1", region: OpsgenieRegion.EU } },
    ],
    [Provider.SLACK, { case: "slack", value: { webhookUrl: url } }],
    [
      Provider.WEBHOOK,
      { case: "webhook", value: { endpoint: url, headers: [{ key: "X-A", value: "secret" }] } },
    ],
    [Provider.MS_TEAMS, { case: "msTeams", value: { webhookUrl: url } }],
  ] satisfies readonly (readonly [
    Provider,
    MessageInitShape<typeof NotificationDataSchema>["data"],
  ])[];
  for (const [provider, data] of all) {
    const { notification } = await here.writes.createNotification(
      create(CreateNotificationRequestSchema, {
        provider,
        data: create(NotificationDataSchema, { data }),
      }),
    );
    expect(notification).toMatchObject({ provider, data: { data } });
    const id = notification?.id ?? "";
    const seen = await here.reads.getNotification({ id });
    expect(
      toJsonString(NotificationSchema, create(NotificationSchema, seen.notification)),
    ).not.toContain("secret");
    expect(seen.notification?.data?.data.case).toBe(data.case);
    expect(seen.notification?.dataFingerprint).toMatch(/^[\w-]{12}$/);
    expect(seen.notification?.dataFingerprint).toBe(notification?.dataFingerprint);
  }
  const ntfy = await here.reads.getNotification({ id: "4" });
  expect(ntfy.notification?.data).toMatchObject({
    data: { value: { topic: "ops", serverUrl: "https://n.test/", token: "" } },
  });
  // Nor does the file show it.
  expect(readFileSync(here.service.database).includes("secret")).toBe(false);
  expect(readFileSync(`${here.service.database}-wal`).includes("hooks.example.test")).toBe(false);
});

test("what a channel says is refused by its field, with a reason, and no secret", async () => {
  await using here = await scene();
  const { writes, reads, monitor } = here;
  const make = (request: Parameters<typeof writes.createNotification>[0]) =>
    refusalOf(writes.createNotification(request));
  expect(await make({ provider: Provider.SLACK, data: slackAt("hooks.slack.com/secret") })).toEqual(
    {
      code: Code.InvalidArgument,
      reason: "INVALID_NOTIFICATION_DATA",
      sentence:
        "webhook_url must be an https or http URL, for example https://hooks.slack.com/services/T0/B0/x",
    },
  );
  expect(await make({ provider: Provider.DISCORD, data: slackAt("https://x.test/") })).toEqual({
    code: Code.InvalidArgument,
    reason: "INVALID_NOTIFICATION_DATA",
    sentence: "data is of slack, and provider is discord",
  });
  expect(await make({ provider: Provider.SLACK })).toMatchObject({
    code: Code.InvalidArgument,
    reason: "INVALID_NOTIFICATION_DATA",
  });
  expect(await make({ data: slackAt("https://x.test/") })).toMatchObject({
    code: Code.InvalidArgument,
    reason: "PROVIDER_NOT_SUPPORTED",
  });
  const data = slackAt("https://x.test/");
  expect(await make({ provider: Provider.SLACK, data, monitorIds: [monitor, "99"] })).toEqual({
    code: Code.NotFound,
    reason: "MONITOR_NOT_FOUND",
    sentence: "there is no monitor 99",
  });
  const rules = {
    events: ["nothing"],
    reminderSeconds: 10n,
    quietHours: [{ from: "25:00", to: "7", days: [8] }],
    timeZone: "Mars/Base",
    privateLocationIds: ["x"],
  };
  const { sentence } = await make({ provider: Provider.SLACK, data, rules });
  for (const field of [
    "events[0]",
    "reminder_seconds",
    "quiet_hours[0].from",
    "time_zone",
    "private_location_ids[0]",
  ])
    expect(sentence).toContain(`rules.${field} must be`);
  expect(
    await make({
      provider: Provider.EMAIL,
      data: { data: { case: "email", value: { email: "a@b.test" } } },
    }),
  ).toEqual({
    code: Code.FailedPrecondition,
    reason: "PROVIDER_NOT_SUPPORTED",
    sentence:
      "mail needs a server: set one in Settings → Mail, or by PICKET_SMTP_URL and PICKET_SMTP_FROM at the service",
  });
  expect(await refusalOf(writes.getNotification({}))).toMatchObject({
    code: Code.InvalidArgument,
    reason: "NOTIFICATION_ID_REQUIRED",
  });
  expect(
    await refusalOf(reads.createNotification({ provider: Provider.SLACK, data })),
  ).toMatchObject({ code: Code.PermissionDenied, reason: "WRITE_SCOPE_REQUIRED" });
  const nowhere = { privateLocationIds: ["77"] };
  expect(await make({ provider: Provider.SLACK, data, rules: nowhere })).toEqual({
    code: Code.NotFound,
    reason: "PRIVATE_LOCATION_NOT_FOUND",
    sentence: "there is no private location 77",
  });
  const { notification } = await writes.createNotification({ provider: Provider.SLACK, data });
  const id = notification?.id ?? "";
  expect(await refusalOf(writes.updateNotification({ id, rules: nowhere }))).toMatchObject({
    sentence: "there is no private location 77",
  });
  const other = { data: { case: "discord", value: { webhookUrl: "https://x.test/" } } } as const;
  expect(await refusalOf(writes.updateNotification({ id, data: other }))).toMatchObject({
    code: Code.InvalidArgument,
    reason: "INVALID_NOTIFICATION_DATA",
  });
  const mask = { paths: ["webhook_url"] };
  expect(await refusalOf(writes.updateNotification({ id, updateMask: mask }))).toMatchObject({
    code: Code.InvalidArgument,
  });
});

test("a channel whose every location was deleted says that it gets nothing", async () => {
  await using here = await scene();
  const made = [];
  for (const name of ["office", "branch"])
    made.push(
      await here.service.admin.createPrivateLocation({ name, monitorIds: [], metadata: {} }),
    );
  const [office = "", branch = ""] = made.map(({ id }) => id);
  const { notification } = await here.writes.createNotification({
    provider: Provider.SLACK,
    data: slackAt("https://hooks.slack.com/services/T/B/secret"),
    rules: { privateLocationIds: [office, branch] },
  });
  const id = notification?.id ?? "";
  const trouble = async () => (await here.writes.getNotification({ id })).notification?.trouble;
  const locations = here.service.locations(here.key);
  await locations.deletePrivateLocation({ id: office });
  expect(await trouble()).toBe("");
  await locations.deletePrivateLocation({ id: branch });
  expect(await trouble()).toMatch(/^every location that its rules name was deleted/);
});

test("a test goes out signed by the channel's secret, and says that it is one; another waits ten seconds", async () => {
  await using here = await scene();
  await using hook = await startProvider(slackTakesIt);
  const { notification } = await here.writes.createNotification({
    name: "hook",
    provider: Provider.WEBHOOK,
    data: { data: { case: "webhook", value: { endpoint: `${hook.url}/in` } } },
  });
  const data = notification?.data?.data;
  const [secret = ""] = data?.case === "webhook" ? data.value.signingSecrets : [];
  const sent = await here.writes.sendTestNotification({ notificationId: notification?.id ?? "" });
  expect(sent).toMatchObject({ success: true });
  const [asked] = hook.asked;
  expect(JSON.parse(asked?.body ?? "")).toMatchObject({
    type: "test",
    data: { channel: { name: "hook" } },
  });
  expect(secret).toMatch(/^whsec_/);
  expect(asked?.headers["webhook-signature"]).toMatch(/^v1,/);
  const again = here.writes.sendTestNotification({ notificationId: notification?.id ?? "" });
  expect(await refusalOf(again)).toMatchObject({
    code: Code.ResourceExhausted,
    reason: "RATE_LIMIT_EXCEEDED",
  });
  await here.clock.advance(10_000);
  const rotated = await here.writes.updateNotification({
    id: notification?.id ?? "",
    rotateSigningSecret: true,
  });
  const value = rotated.notification?.data?.data;
  const secrets = value?.case === "webhook" ? value.value.signingSecrets : [];
  expect(secrets).toEqual([expect.stringMatching(/^whsec_/), secret]);
  expect(rotated.notification?.dataFingerprint).toBe(notification?.dataFingerprint);
  await here.writes.sendTestNotification({ notificationId: notification?.id ?? "" });
  const last = hook.asked.at(-1);
  expect(String(last?.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  expect(
    new Webhook(secret).sign(
      String(last?.headers["webhook-id"]),
      new Date(Number(last?.headers["webhook-timestamp"]) * 1000),
      last?.body ?? "",
    ),
  ).toBe(String(last?.headers["webhook-signature"]).split(" ")[1]);
});

test("a test of data that is not kept says why it was not delivered", async () => {
  await using here = await scene();
  await using hook = await startProvider(webhookIsGone);
  const sent = await here.writes.sendTestNotification({
    provider: Provider.SLACK,
    data: slackAt(`${hook.url}/secret`),
  });
  expect(sent.success).toBe(false);
  expect(sent.errorMessage).toContain("Slack does not know this address any more (410)");
  expect(sent.errorMessage).not.toContain("secret");
});

test("the webhook's schema is served", async () => {
  await using here = await scene();
  const answer = await fetch(`${here.service.url}/schemas/webhook.json`);
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({ title: "A Picket webhook" });
});

test("the calls are answered as JSON, under each of their paths", async () => {
  await using here = await scene();
  const body = {
    provider: "NOTIFICATION_PROVIDER_NTFY",
    data: { ntfy: { topic: "ops" } },
  };
  const headers = { "x-openstatus-key": here.key };
  for (const prefix of ["/rpc/openstatus.", "/openstatus.", "/rpc/", "/"]) {
    const path = `${prefix}notification.v1.NotificationService/CreateNotification`;
    const answer = await here.service.post(path, body, headers);
    expect(await answer.json()).toMatchObject({
      notification: {
        name: "ntfy",
        data: { ntfy: { topic: "ops", serverUrl: "" } },
      },
    });
  }
});
