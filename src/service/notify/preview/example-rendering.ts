import { statusFailed } from "#check/failure";
import { noAccounts } from "#service/notify/accounts";
import type { Configurations, Provider } from "#service/notify/channel";
import type { NoticeOf } from "#service/notify/event";
import type { ServiceName } from "#service/notify/event-facts";
import type { Rendering } from "#service/notify/provider";
import { rulesOf } from "#service/notify/provider-table";
import { after, type EpochMillis, type Millis, millis } from "#base/units";

/** For whom and when an example is made. */
export interface Example {
  readonly service: ServiceName;
  readonly at: EpochMillis;
  /** The IANA name of the zone that times are written in. */
  readonly timeZone: string;
  /** How often it is repeated; null: never. */
  readonly remindsAfter: Millis | null;
}

/** What a provider would be sent if a monitor named "shop" failed. Its configuration and accounts are made up. */
export const exampleRendering = (provider: Provider, of: Example): Rendering =>
  rulesOf(provider).render(
    { id: "example", notice: exampleNotice(of), reference: null, timeZone: of.timeZone },
    { configuration: configurations[provider], accounts, now: of.at },
  );

function exampleNotice({ service, at, remindsAfter }: Example): NoticeOf<"monitor.error"> {
  const startedAt = after(at, millis(-5_000));
  const address = service.url ?? "https://picket.example.com/";
  return {
    ...example,
    at,
    remindsAfter,
    service: { ...service, url: address },
    incident: {
      id: "17",
      number: 17,
      key: "picket-monitor-4",
      startedAt,
      downSince: startedAt,
      asOf: at,
      url: new URL("/incidents/17", address).href,
      acknowledgeUrl: new URL("/ack/example", address).href,
      acknowledged: false,
    },
    monitor: { ...shop, url: new URL("/monitors/4", address).href },
    result: { ...result, startedAt },
    lastGoodAt: after(startedAt, millis(-30_000)),
  };
}

const shop = {
  id: "4",
  name: "shop",
  kind: "http",
  target: "https://shop.internal/health",
  labels: { team: "shop" },
  description: "Runbook: https://wiki.internal/shop",
} as const;

const result = {
  latency: millis(31),
  threshold: millis(800),
  statusCode: 503,
  attempts: 3,
  failure: {
    code: "unexpected_status",
    phase: "assertion",
    message: statusFailed(503),
  },
} as const;

const example = {
  type: "monitor.error",
  late: null,
  urgency: "critical",
  locations: [
    { id: "1", name: "office", status: "error" },
    { id: "2", name: "lab", status: "active" },
  ],
  cause: null,
  occasion: { why: "opened" },
  certificate: null,
} as const;

const url = { webhookUrl: "https://webhook.example.com/" };
const phone = { phoneNumber: "+491701234567" };
const configurations: Configurations = {
  discord: url,
  email: { email: "ops@example.com" },
  google_chat: url,
  grafana_oncall: url,
  ntfy: { topic: "example", serverUrl: "https://ntfy.example.com/", token: "" },
  pagerduty: { integrationKey: "example" },
  opsgenie: { apiKey: "example", region: "eu" },
  slack: url,
  sms: phone,
  telegram: { chatId: "1" },
  webhook: { endpoint: "https://webhook.example.com/", headers: [], signingSecrets: [] },
  whatsapp: phone,
  ms_teams: url,
};

const twilio = {
  accountSid: "example",
  user: "example",
  password: "example",
  baseUrl: "https://twilio.example.com",
};
const accounts = {
  ...noAccounts,
  smtp: {
    host: "mail.example.com",
    port: 587,
    tls: "starttls",
    login: null,
    dkim: null,
    isGiven: false,
    from: "picket@example.com",
  },
  telegram: { token: "example", baseUrl: "https://telegram.example.com" },
  sms: { ...twilio, from: { by: "number", number: "+15550001111" } },
  whatsapp: { ...twilio, by: "twilio", number: "+15550001111", contentSid: "example" },
} as const;
