import { describe, expect, test } from "vitest";
import type { DescService } from "@bufbuild/protobuf";
import { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { MonitorService } from "#contract/openstatus/monitor/v1/monitor_pb";
import { NotificationService } from "#contract/openstatus/notification/v1/notification_pb";
import { PrivateLocationService } from "#contract/openstatus/private_location/v1/private_location_pb";
import { StatusPageService } from "#contract/openstatus/status_page/v1/status_page_pb";
import { StatusReportService } from "#contract/openstatus/status_report/v1/status_report_pb";
import { noAccounts } from "#service/notify/accounts";
import { runningService, type RunningService } from "../support/running-service.ts";
import {
  type Json,
  otherwiseWritten,
  type TextPath,
  textsOf,
  valueAt,
  wireName,
  withTexts,
} from "../support/sent-texts.ts";

/*
 * What was sent is what is read back, for every text of every call of the public contract that keeps one. A tool that
 * compares both, as Terraform does, sees no difference. A text that cannot stay as it is, is refused by its field.
 */

const services = [
  MonitorService,
  PrivateLocationService,
  NotificationService,
  StatusPageService,
  StatusReportService,
  MaintenanceService,
] as const satisfies readonly DescService[];

/** A call that keeps texts: what it is asked, and how that is read again. */
interface Keeping {
  readonly method: string;
  readonly ask: Json;
  /** The call that reads it, given what the first one answered. */
  readonly read: (answer: Json) => readonly [method: string, ask: Json];
  /** Where a text of the request is in that answer; null for a text that is for the call alone. */
  readonly shown: (path: TextPath, read: Json, answer: Json) => unknown;
  /** The call that takes it away again. */
  readonly remove?: (answer: Json) => readonly [method: string, ask: Json];
}

const assertion = { target: "ok", comparator: "STRING_COMPARATOR_CONTAINS" };
const monitor = {
  name: "shop",
  periodicity: "PERIODICITY_30S",
  description: "what it is",
  openTelemetry: {
    endpoint: "https://otel.test/v1/metrics",
    headers: [{ key: "x-otel", value: "secret" }],
  },
  alerting: {
    quorum: "50%",
    severity: "warning",
    dependsOn: ["1"],
    certificateDays: "14",
    objective: "99.9% over 30d",
  },
  labels: { team: "shop" },
};
const monitors: Readonly<Record<string, Json>> = {
  HTTP: {
    ...monitor,
    url: "https://shop.test/health",
    method: "HTTP_METHOD_POST",
    body: "the body",
    headers: [{ key: "x-one", value: "two" }],
    bodyAssertions: [assertion],
    headerAssertions: [{ ...assertion, key: "x-three" }],
    jsonAssertions: [{ path: "$.status", comparator: "JSON_COMPARATOR_EQUAL", target: "ok" }],
  },
  TCP: { ...monitor, uri: "shop.test:443" },
  DNS: {
    ...monitor,
    uri: "shop.test",
    recordAssertions: [{ record: "A", comparator: "RECORD_COMPARATOR_EQUAL", target: "10.0.0.1" }],
  },
  ICMP: { ...monitor, uri: "shop.test" },
  GRPC: {
    ...monitor,
    uri: "shop.test:50051",
    service: "shop.v1.Orders",
    metadata: [{ key: "x-four", value: "five" }],
  },
};
/** Of a monitor, a caller may not say these: they are passed over, as that service does. */
const readOnly = new Set(["id", "privateLocationIds", "createdAt", "updatedAt", "lastCheckedAt"]);

const idAt = (answer: Json, ...path: readonly string[]): string =>
  String(valueAt(answer, [...path, "id"]));

const monitorCalls = Object.entries(monitors).flatMap(([kind, asked]): Keeping[] => {
  const read = (answer: Json) => ["GetMonitor", { id: idAt(answer, "monitor") }] as const;
  const shown = (path: TextPath, answer: Json): unknown =>
    path[0] === "id" || readOnly.has(String(path[1]))
      ? null
      : valueAt(answer, ["monitor", kind.toLowerCase(), ...path.slice(1)]);
  return [
    {
      method: `Create${kind}Monitor`,
      ask: { monitor: asked },
      read,
      shown,
      remove: (answer) => ["DeleteMonitor", { id: idAt(answer, "monitor") }],
    },
    { method: `Update${kind}Monitor`, ask: { id: `of ${kind}`, monitor: asked }, read, shown },
  ];
});

const location = { name: "office", monitorIds: ["1"], metadata: { site: "berlin" } };
const locationCalls: readonly Keeping[] = (["Create", "Update"] as const).map((verb) => ({
  method: `${verb}PrivateLocation`,
  ask:
    verb === "Create"
      ? location
      : { ...location, id: "1", updateMonitorIds: true, updateMetadata: true },
  read: (answer) => ["GetPrivateLocation", { id: idAt(answer, "privateLocation") }],
  shown: (path, answer) =>
    path[0] === "id" ? null : valueAt(answer, ["privateLocation", ...path]),
  ...(verb === "Create"
    ? {
        remove: (answer: Json) =>
          ["DeletePrivateLocation", { id: idAt(answer, "privateLocation") }] as const,
      }
    : {}),
}));

const channels: Readonly<Record<string, Json>> = {
  discord: { webhookUrl: "https://discord.com/api/webhooks/1/secret" },
  email: { email: "ops@shop.test" },
  googleChat: { webhookUrl: "https://chat.googleapis.com/v1/spaces/a/messages?key=k&token=t" },
  grafanaOncall: { webhookUrl: "https://oncall.test/integrations/v1/formatted_webhook/t/" },
  ntfy: { topic: "shop", serverUrl: "https://ntfy.sh", token: "tk_a" },
  pagerduty: { integrationKey: "0123456789abcdef0123456789abcdef" },
  opsgenie: { apiKey: "0a1b2c3d-0a1b-0a1b-0a1b-0a1b2c3d4e5f", region: "OPSGENIE_REGION_EU" },
  slack: { webhookUrl: "https://hooks.slack.com/services/T/B/secret" },
  sms: { phoneNumber: "+491701234567" },
  telegram: { chatId: "-1001234" },
  webhook: { endpoint: "https://hook.test/in", headers: [{ key: "x-one", value: "two" }] },
  whatsapp: { phoneNumber: "+491701234567" },
  msTeams: { webhookUrl: "https://prod.logic.azure.com/workflows/a?sig=b" },
};
const rules = {
  events: ["error"],
  quietHours: [{ days: [1], from: "22:00", to: "07:00" }],
  privateLocationIds: ["1"],
  labels: { team: "shop" },
  timeZone: "Europe/Berlin",
};
const wireProvider = (provider: string): string =>
  `NOTIFICATION_PROVIDER_${provider.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;

const channelCalls = Object.entries(channels).flatMap(([provider, data]): Keeping[] => {
  const ask = { name: "ops", data: { [provider]: data }, monitorIds: ["1"], rules };
  const read = (answer: Json) => ["GetNotification", { id: idAt(answer, "notification") }] as const;
  // Signing secrets are the service's own.
  const shown = (path: TextPath, answer: Json): unknown =>
    path[0] === "id" || path.includes("signingSecrets")
      ? null
      : valueAt(answer, ["notification", ...path]);
  return [
    {
      method: "CreateNotification",
      ask: { ...ask, provider: wireProvider(provider) },
      read,
      shown,
      remove: (answer) => ["DeleteNotification", { id: idAt(answer, "notification") }],
    },
    {
      method: "UpdateNotification",
      ask: { ...ask, id: `of ${provider}`, updateMonitorIds: true },
      read,
      shown,
    },
  ];
});

const page = {
  title: "Acme",
  description: "what we do",
  slug: "acme",
  homepageUrl: "https://acme.test/home",
  contactUrl: "https://acme.test/contact",
  icon: "https://acme.test/icon.png",
  customDomain: "status.acme.test",
  timeZone: "Europe/Berlin",
  password: "secret word",
  authEmailDomains: ["acme.test"],
  allowedIpRanges: "10.0.0.0/8, 192.0.2.7",
  customTheme: { light: { "--border": "oklch(0.7 0.1 200)" }, dark: { "--border": "#ffffff" } },
  configuration: { themeKey: "default", days: 90 },
};
const pageCalls: readonly Keeping[] = (["Create", "Update"] as const).map((verb) => ({
  method: `${verb}StatusPage`,
  ask: verb === "Create" ? page : { ...page, slug: "acme-2", customDomain: "two.test", id: "2" },
  read: (answer) => ["GetStatusPage", { id: idAt(answer, "statusPage") }],
  shown: (path, answer) => (path[0] === "id" ? null : valueAt(answer, ["statusPage", ...path])),
  ...(verb === "Create"
    ? {
        remove: (answer: Json) => ["DeleteStatusPage", { id: idAt(answer, "statusPage") }] as const,
      }
    : {}),
}));

const part = { name: "Shop", description: "where people buy" };
const componentShown = (path: TextPath, answer: Json): unknown =>
  path[0] === "id" ? null : valueAt(answer, ["component", ...path]);
const readComponent = (answer: Json) =>
  ["GetPageComponent", { id: idAt(answer, "component") }] as const;
const removeComponent = (answer: Json) =>
  ["RemoveComponent", { id: idAt(answer, "component") }] as const;
const groupShown = (path: TextPath, read: Json, answer: Json): unknown =>
  path[0] === "id"
    ? null
    : valueAt(
        Array.from(Object(read)["groups"]).find((one) => Object(one).id === idAt(answer, "group")),
        path,
      );
const partCalls: readonly Keeping[] = [
  {
    method: "AddMonitorComponent",
    ask: { ...part, pageId: "1", monitorId: "1", groupId: "1" },
    read: readComponent,
    shown: componentShown,
    remove: removeComponent,
  },
  {
    method: "AddStaticComponent",
    ask: { ...part, pageId: "1", groupId: "1" },
    read: readComponent,
    shown: componentShown,
    remove: removeComponent,
  },
  {
    method: "UpdateComponent",
    ask: { ...part, id: "1", groupId: "1" },
    read: readComponent,
    shown: componentShown,
  },
  {
    method: "CreateComponentGroup",
    ask: { pageId: "1", name: "Web" },
    read: () => ["GetStatusPageContent", { id: "1" }],
    shown: groupShown,
    remove: (answer) => ["DeleteComponentGroup", { id: idAt(answer, "group") }],
  },
  {
    method: "UpdateComponentGroup",
    ask: { id: "1", name: "Web" },
    read: () => ["GetStatusPageContent", { id: "1" }],
    shown: groupShown,
  },
];

const subscriberShown = (path: TextPath, read: Json, answer: Json): unknown => {
  const all: readonly unknown[] = Array.from(Object(read)["subscribers"]);
  const own = all.find((one) => Object(one).id === idAt(answer, "subscriber"));
  const [name, inner] = path;
  if (name === "emailChannel") return valueAt(own, ["email"]);
  if (name === "webhookChannel")
    return inner === "webhookUrl"
      ? valueAt(own, ["webhookUrl"])
      : valueAt(JSON.parse(String(valueAt(own, ["channelConfig"]))), path.slice(1));
  return valueAt(own, path);
};
const readSubscribers = () => ["ListSubscribers", { pageId: "1", limit: 100 }] as const;
const removeSubscriber = (answer: Json) =>
  ["UnsubscribeFromPage", { pageId: "1", id: idAt(answer, "subscriber") }] as const;
const subscription = { pageId: "1", name: "Ann", componentIds: ["1"] };
const subscriberCalls: readonly Keeping[] = [
  { method: "SubscribeToPage", ask: { pageId: "1", email: "ann@acme.test" } },
  {
    method: "CreatePageSubscription",
    ask: { ...subscription, emailChannel: { email: "bob@acme.test" } },
  },
  {
    method: "CreatePageSubscription",
    ask: {
      ...subscription,
      webhookChannel: { webhookUrl: "https://hook.test/in", headers: [{ key: "x-a", value: "b" }] },
    },
  },
].map((one) => ({
  ...one,
  read: readSubscribers,
  shown: subscriberShown,
  remove: removeSubscriber,
}));

const update = {
  status: "STATUS_REPORT_STATUS_IDENTIFIED",
  message: "We look into it.",
  date: "2026-01-01T00:00:00.000Z",
  componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_PARTIAL_OUTAGE" }],
};
const reportShown = (path: TextPath, answer: Json): unknown => {
  const [name = ""] = path;
  if (name === "id" || name === "statusReportId") return null;
  const newest = ["statusReport", "updates", 0];
  // A report does not say its page.
  if (name === "pageId") return null;
  return ["message", "date", "componentImpacts"].includes(String(name))
    ? valueAt(answer, [...newest, ...path])
    : valueAt(answer, ["statusReport", ...path]);
};
const readReport = (answer: Json) =>
  ["GetStatusReport", { id: idAt(answer, "statusReport") }] as const;
const removeReport = (answer: Json) =>
  ["DeleteStatusReport", { id: idAt(answer, "statusReport") }] as const;
const reportCalls: readonly Keeping[] = [
  {
    method: "CreateStatusReport",
    ask: { ...update, title: "Slow", pageId: "1", pageComponentIds: ["1"] },
    read: readReport,
    shown: reportShown,
    remove: removeReport,
  },
  {
    method: "UpdateStatusReport",
    ask: { id: "1", title: "Slow", pageComponentIds: ["1"], updatePageComponentIds: true },
    read: readReport,
    shown: reportShown,
  },
  {
    method: "AddStatusReportUpdate",
    ask: { ...update, date: "2026-01-02T00:00:00.000Z", statusReportId: "1" },
    read: readReport,
    shown: reportShown,
  },
];

const work = {
  title: "Upgrade",
  message: "The shop is read-only.",
  from: "2026-12-01T22:00:00.000Z",
  to: "2026-12-01T23:30:00.000Z",
  pageComponentIds: ["1"],
  monitorIds: ["1"],
  privateLocationIds: ["1"],
  recurrence: "FREQ=WEEKLY;BYDAY=TU",
  timeZone: "Europe/Berlin",
};
const workCalls: readonly Keeping[] = (["Create", "Update"] as const).map((verb) => ({
  method: `${verb}Maintenance`,
  ask:
    verb === "Create"
      ? { ...work, pageId: "1" }
      : {
          ...work,
          id: "1",
          updatePageComponentIds: true,
          updateMonitorIds: true,
          updatePrivateLocationIds: true,
        },
  read: (answer) => ["GetMaintenance", { id: idAt(answer, "maintenance") }],
  shown: (path, answer) => (path[0] === "id" ? null : valueAt(answer, ["maintenance", ...path])),
  ...(verb === "Create"
    ? {
        remove: (answer: Json) =>
          ["DeleteMaintenance", { id: idAt(answer, "maintenance") }] as const,
      }
    : {}),
}));

/** The update is the newest of its maintenance. */
const sayingCalls: readonly Keeping[] = (
  [
    ["AddMaintenanceUpdate", { maintenanceId: "1" }],
    ["UpdateMaintenanceUpdate", { id: "1" }],
  ] as const
).map(([method, about]) => ({
  method,
  ask: { ...about, message: "It takes longer.", date: "2026-12-01T23:00:00.000Z" },
  read: () => ["GetMaintenance", { id: "1" }],
  shown: (path, answer) =>
    path[0] === "id" || path[0] === "maintenanceId"
      ? null
      : valueAt(answer, ["maintenance", "updates", 0, ...path]),
}));

const keeping: readonly Keeping[] = [
  ...monitorCalls,
  ...locationCalls,
  ...channelCalls,
  ...pageCalls,
  ...partCalls,
  ...subscriberCalls,
  ...reportCalls,
  ...workCalls,
  ...sayingCalls,
];

const twilio = {
  accountSid: "AC1",
  user: "AC1",
  password: "p",
  baseUrl: "https://twilio.test",
} as const;
const accounts = {
  ...noAccounts,
  smtp: {
    host: "127.0.0.1",
    port: 1,
    tls: "if-offered",
    login: null,
    from: "p@acme.test",
    dkim: null,
    isGiven: false,
  },
  telegram: { token: "t", baseUrl: "https://telegram.test" },
  sms: { ...twilio, from: { by: "number", number: "+491701111111" } },
  whatsapp: { ...twilio, by: "twilio", number: "+491701111111", contentSid: "HX1" },
} as const;

interface Scene extends AsyncDisposable {
  readonly call: (method: string, ask: Json) => Promise<Response>;
  readonly ids: ReadonlyMap<string, string>;
}

async function scene(): Promise<Scene> {
  const service: RunningService = await runningService({
    callsPerSecond: 10_000,
    publicUrl: "https://picket.test/",
    notifying: {
      accounts,
      proxying: { proxy: null, exceptions: [] },
      secureContext: undefined,
      httpAllowed: false,
    },
  });
  const { key } = await service.admin.createApiKey({ name: "ci", scope: "write" });
  const call = (method: string, ask: Json): Promise<Response> =>
    service.post(`/rpc/${serviceOf(method).typeName}/${method}`, ask, { "x-service-key": key });
  const made = async (method: string, ask: Json): Promise<Json> => {
    const answer = await call(method, ask);
    const body: Json = Object(await answer.json());
    if (answer.status !== 200) throw new Error(`${method}: ${JSON.stringify(body)}`);
    return body;
  };
  const ids = await furnish(made);
  return { call, ids, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** What updates change: a monitor of each kind, a channel of each provider, and one of all else. */
async function furnish(
  made: (method: string, ask: Json) => Promise<Json>,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  await made("CreateHTTPMonitor", { monitor: { ...first, url: "https://first.test" } });
  for (const [kind, asked] of Object.entries(monitors)) {
    const answer = await made(`Create${kind}Monitor`, { monitor: asked });
    ids.set(`of ${kind}`, idAt(answer, "monitor"));
  }
  await made("CreatePrivateLocation", location);
  for (const [provider, data] of Object.entries(channels)) {
    const ask = { name: "ops", provider: wireProvider(provider), data: { [provider]: data } };
    const answer = await made("CreateNotification", ask);
    ids.set(`of ${provider}`, idAt(answer, "notification"));
  }
  await made("CreateStatusPage", { title: "First", slug: "first" });
  await made("CreateStatusPage", { title: "Second", slug: "acme-2" });
  await made("CreateComponentGroup", { pageId: "1", name: "Web" });
  await made("AddStaticComponent", { pageId: "1", name: "Desk" });
  await made("CreateStatusReport", { ...update, title: "Slow", pageId: "1" });
  await made("CreateMaintenance", { ...work, pageId: "1" });
  return ids;
}
const first = { name: "first", periodicity: "PERIODICITY_30S" };

const serviceOf = (method: string): DescService => {
  const found = services.find(({ methods }) => methods.some(({ name }) => name === method));
  if (found === undefined) throw new Error(`no service has ${method}`);
  return found;
};
const inputOf = (method: string) => {
  const found = serviceOf(method).methods.find(({ name }) => name === method);
  if (found === undefined) throw new Error(`no service has ${method}`);
  return found.input;
};

/** Texts that are for a call alone: they say which object it is about. */
const naming = new Set(["slug", "email"]);

/** Instants: the same one is read back, as UTC. */
const isTime = (path: TextPath): boolean =>
  path.length === 1 && ["from", "to", "date"].includes(String(path[0]));
const isId = (path: TextPath): boolean =>
  /Ids?$|^id$|dependsOn$/.test(String(path.findLast((one) => typeof one === "string")));

const written = (path: TextPath, text: unknown): unknown =>
  isTime(path) ? new Date(String(text)).toISOString() : text;

/** The texts of a request that a refusal names: by its header, or as what one of its sentences begins with. */
function refusedIn(
  answer: Response,
  message: string,
  texts: readonly TextPath[],
): readonly TextPath[] {
  // An object that is not there is named by its id.
  if (answer.status === 404) return texts.filter(isId);
  const said = [`${answer.headers.get("error-field")} `, ...message.split("; ")];
  return texts.filter((path) => {
    const name = new RegExp(`(^|\\.)${wireName(path)}(\\[\\d+\\])?[ .:]`);
    const key = String(path.at(-1));
    // An entry of a map is named by the map.
    const map = wireName(path.slice(0, -1));
    return (
      said.some((one) => name.test(one) || one.startsWith(`${map} `)) ||
      (key.startsWith("--") && message.includes(key))
    );
  });
}

async function differences(
  { call, ids }: Scene,
  { method, ask: given, read, shown, remove }: Keeping,
  write: (text: string) => string,
): Promise<readonly string[]> {
  const ask = { ...given, id: ids.get(String(given["id"])) ?? given["id"] };
  const texts = new Map<TextPath, string>();
  for (const path of textsOf(inputOf(method), ask)) {
    const text = valueAt(ask, path);
    if (typeof text === "string") texts.set(path, write(text));
  }
  for (;;) {
    const answer = await call(method, withTexts(ask, texts));
    const said: Json = Object(await answer.json());
    if (answer.status === 200) {
      const back: Json = Object(await (await call(...read(said))).json());
      if (remove !== undefined) await call(...remove(said));
      return [...texts].flatMap(([path, text]) => {
        const got = shown(path, back, said);
        const isKept = got === null || got === written(path, text);
        return isKept
          ? []
          : [`${method} ${path.join(".")}: sent ${text}, read ${JSON.stringify(got)}`];
      });
    }
    const changed = [...texts.keys()].filter((path) => texts.get(path) !== valueAt(ask, path));
    const named = refusedIn(answer, String(said["message"]), changed);
    if (named.length === 0) return [`${method}: ${answer.status} ${String(said["message"])}`];
    for (const path of named) texts.delete(path);
  }
}

test("every text of every request is sent below, or says which object a call is about", () => {
  const untried = services.flatMap(({ methods }) =>
    methods.flatMap(({ name, input }) => {
      const own = keeping.filter(({ method }) => method === name);
      const asks = own.length === 0 ? [{}] : own.map(({ ask }) => ask);
      return asks.flatMap((ask) =>
        textsOf(input, ask)
          .filter((path) => typeof valueAt(ask, path) !== "string")
          .filter((path) => !isId(path) && !readOnly.has(String(path.at(-1))))
          .filter((path) => own.length > 0 || !naming.has(String(path[0])))
          .map((path) => `${name} ${path.join(".")}`),
      );
    }),
  );
  expect(untried.filter((one) => !ownOfService.test(one))).toEqual([]);
});
/**
 * Picket makes the secrets that sign webhooks; what is tested by a message is not kept; a signature fits one text only; and a
 * day says which date is skipped.
 */
const ownOfService =
  /signingSecrets|^SendTestNotification|\.signature$|^(Skip|Restore)MaintenanceDate date$/;

describe("a text is read back as it was sent, or refused by its field", () => {
  test.each(Object.entries(otherwiseWritten))("%s", async (_, write) => {
    await using at = await scene();
    const wrong: string[] = [];
    for (const one of keeping) wrong.push(...(await differences(at, one, write)));
    expect(wrong).toEqual([]);
  });
});
