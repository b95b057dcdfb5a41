import type { Notice, NoticeOf, NoticeType } from "#service/notify/event";
import type { IncidentFacts, MonitorFacts } from "#service/notify/event-facts";
import { noAccounts, type Accounts } from "#service/notify/accounts";
import type { Provider, Configurations } from "#service/notify/channel";
import type { Delivery, Rendering } from "#service/notify/provider";
import { rulesOf } from "#service/notify/provider-table";
import { epochMillis, minutes, millis, type EpochMillis } from "#base/units";

/* One notice of each type, about the shop at the office, on the 22nd of November 2026. */

export const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-11-22T${time}Z`));

const incident: IncidentFacts = {
  id: "17",
  number: 17,
  key: "picket-i1-monitor-4",
  startedAt: at("14:02:10"),
  downSince: at("14:02:10"),
  url: "https://picket.test/incidents/17",
  acknowledgeUrl: "https://picket.test/ack/abc",
  acknowledged: false,
  asOf: at("14:02:15"),
};

export const shop: MonitorFacts = {
  id: "4",
  name: "shop",
  kind: "http",
  target: "https://shop.internal/health",
  labels: { team: "shop" },
  description: "Runbook: https://wiki.internal/shop",
  url: "https://picket.test/monitors/4",
};

const said = {
  at: at("14:02:15"),
  service: { name: "Picket", url: "https://picket.test/" },
  late: null,
} as const;

const ofShop = {
  ...said,
  incident,
  monitor: shop,
  urgency: "critical",
  locations: [
    { id: "1", name: "office", status: "error" },
    { id: "2", name: "lab", status: "active" },
    { id: "3", name: "attic", status: "unknown" },
  ],
  result: {
    startedAt: at("14:02:10"),
    latency: millis(31),
    threshold: millis(800),
    statusCode: 503,
    attempts: 3,
    failure: {
      code: "unexpected_status",
      phase: "receive",
      message: "the status code is 503, which does not count as success",
    },
  },
  lastGoodAt: at("14:01:40"),
  certificate: null,
  cause: null,
} as const;

const slow = {
  ...ofShop,
  urgency: "warning",
  result: { ...ofShop.result, statusCode: 200, latency: millis(1240), attempts: 1, failure: null },
} as const;

const office = {
  ...said,
  incident: { ...incident, id: "18", number: 18, key: "picket-i1-location-1" },
  location: {
    id: "1",
    name: "office",
    labels: { site: "berlin" },
    url: "https://picket.test/locations/1",
    monitorCount: 14,
    monitorNames: ["shop", "mail"],
  },
  urgency: "error",
} as const;

const maintenance = {
  ...said,
  maintenance: {
    id: "3",
    title: "Database upgrade",
    message: "The shop is read-only.",
    from: at("22:00:00"),
    to: at("23:30:00"),
    monitorNames: ["shop"],
    monitorCount: 1,
    url: null,
  },
} as const;

const shopDown: NoticeOf<"monitor.error"> = {
  ...ofShop,
  type: "monitor.error",
  occasion: { why: "opened" },
  remindsAfter: minutes(240),
};

export const notices: { readonly [T in NoticeType]: NoticeOf<T> } = {
  "monitor.error": shopDown,
  "monitor.degraded": {
    ...slow,
    type: "monitor.degraded",
    occasion: { why: "opened" },
    remindsAfter: null,
  },
  "monitor.recovered": {
    ...ofShop,
    type: "monitor.recovered",
    at: at("14:06:20"),
    endedAt: at("14:06:20"),
    was: "error",
    lasted: {
      inTrouble: millis(250_000),
      slow: millis(0),
      unknown: millis(0),
      failedChecks: 8,
      slowChecks: 0,
    },
    announced: true,
  },
  "monitor.closed": {
    ...ofShop,
    type: "monitor.closed",
    at: at("14:06:20"),
    endedAt: at("14:06:20"),
    was: "error",
    lasted: {
      inTrouble: millis(250_000),
      slow: millis(0),
      unknown: millis(0),
      failedChecks: 8,
      slowChecks: 0,
    },
    because: "deactivated",
  },
  "monitor.reminder": {
    ...ofShop,
    type: "monitor.reminder",
    at: at("18:02:10"),
    status: "error",
    remindsAfter: minutes(240),
  },
  "monitor.flapping": {
    ...ofShop,
    type: "monitor.flapping",
    status: "error",
    times: { down: 3, slow: 0 },
    downFor: millis(90_000),
    quietFor: minutes(30),
  },
  "monitor.settled": {
    ...ofShop,
    type: "monitor.settled",
    at: at("15:10:00"),
    status: "active",
    times: { down: 5, slow: 0 },
    unknown: millis(0),
    downFor: minutes(22),
    wellSince: at("14:40:00"),
  },
  "location.offline": {
    ...office,
    type: "location.offline",
    lastHeardAt: at("14:00:45"),
    stoppedAsAsked: false,
  },
  "location.online": {
    ...office,
    type: "location.online",
    at: at("14:31:00"),
    endedAt: at("14:31:00"),
    offlineFor: minutes(30),
    replayed: 812,
    missed: 3,
    down: [{ id: "8", monitor: "wiki", from: at("13:46:00"), isSeen: true }],
    wereDown: [
      {
        id: "7",
        monitor: "shop",
        from: at("14:02:10"),
        to: at("14:20:10"),
        downFor: minutes(18),
      },
    ],
    announced: true,
  },
  "location.trouble": {
    ...office,
    type: "location.trouble",
    urgency: "warning",
    trouble: "clock-off",
    message: "The clock of its agent is 93 s ahead: set it by NTP.",
  },
  "location.well": {
    ...office,
    type: "location.well",
    trouble: "clock-off",
    at: at("14:31:00"),
    endedAt: at("14:31:00"),
  },
  "location.closed": {
    ...office,
    type: "location.closed",
    at: at("14:31:00"),
    endedAt: at("14:31:00"),
    because: "deleted",
  },
  "maintenance.started": { ...maintenance, type: "maintenance.started", at: at("22:00:00") },
  "maintenance.changed": {
    ...maintenance,
    type: "maintenance.changed",
    at: at("22:40:00"),
    before: { from: at("22:00:00"), to: at("23:00:00") },
  },
  "maintenance.ended": {
    ...maintenance,
    type: "maintenance.ended",
    isCancelled: false,
    at: at("23:30:00"),
  },
  "channel.failing": {
    ...said,
    type: "channel.failing",
    channel: {
      id: "2",
      name: "ops",
      provider: "Slack",
      url: "https://picket.test/channels/2",
    },
    itsIncident: { number: 31, url: "https://picket.test/incidents/31" },
    since: at("14:02:12"),
    message: "Slack does not know this address any more (404).",
  },
  digest: {
    ...said,
    type: "digest",
    key: "digest-9",
    because: "same-cause",
    acknowledgeUrl: "https://picket.test/acknowledge/17-28.1795356130000.7.signature",
    waiting: 2,
    open: 2,
    cause: {
      key: "office-dns",
      location: { id: "1", name: "office" },
      failure: {
        code: "dns_timeout",
        phase: "dns",
        message: "no usable answer came from any name server in time",
      },
      failing: 12,
      of: 14,
    },
    entries: [
      { saying: shopDown, name: "shop", since: at("14:02:10"), url: null },
      { saying: shopDown, name: "mail", since: at("14:02:12"), url: null },
    ],
    count: 12,
    asOf: at("14:02:40"),
    url: "https://picket.test/",
  },
  "page.news": {
    ...said,
    type: "page.news",
    title: "Investigating: Cards fail · Acme",
    tone: "slow",
    facts: [{ name: "Affected", value: "Shop" }],
    lines: ["22 Nov 2026, 14:02 UTC"],
    text: "We look.",
    links: [{ label: "Open the page", url: "https://status.test/events/report/1" }],
    thread: "page-report-1",
    body: {
      version: "1",
      type: "status_report",
      data: {},
      subscription: { manage_url: "", unsubscribe_url: "" },
    },
  },
  test: { ...said, type: "test", channel: "ops" },
};

/** It was slow and is down now. */
export const worsened: NoticeOf<"monitor.error"> = {
  ...notices["monitor.error"],
  occasion: { why: "changed", from: "degraded" },
};

export const delivery = (notice: Notice, reference: string | null = null): Delivery => ({
  id: "dlv_5.17.1",
  notice,
  reference,
  timeZone: "UTC",
});

/** A channel of each provider, at addresses that no one has. */
export const configurations: Configurations = {
  discord: { webhookUrl: "https://discord.test/api/webhooks/1/secret?thread_id=7" },
  email: { email: "ops@example.test" },
  google_chat: { webhookUrl: "https://chat.test/v1/spaces/A/messages?key=k&token=secret" },
  grafana_oncall: { webhookUrl: "https://oncall.test/integrations/v1/formatted_webhook/secret/" },
  ntfy: { topic: "ops", serverUrl: "https://ntfy.test/", token: "tk_secret" },
  pagerduty: { integrationKey: "0123456789abcdef0123456789abcdef" },
  opsgenie: { apiKey: "secret-api-key", region: "eu" },
  slack: { webhookUrl: "https://slack.test/services/T/B/secret" },
  sms: { phoneNumber: "+49 170 123-4567" },
  telegram: { chatId: "-1001" },
  webhook: {
    endpoint: "https://hook.test/in?token=secret",
    headers: [{ key: "Authorization", value: "Bearer secret" }],
    signingSecrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
  },
  whatsapp: { phoneNumber: "+49 170 123-4567" },
  ms_teams: { webhookUrl: "https://teams.test/workflows/secret" },
};

const twilio = {
  accountSid: "AC1",
  user: "AC1",
  password: "secret-token",
  baseUrl: "https://twilio.test",
};

export const accounts: Accounts = {
  ...noAccounts,
  smtp: {
    host: "mail.test",
    port: 587,
    tls: "starttls",
    login: null,
    dkim: null,
    isGiven: false,
    from: "Picket <picket@example.test>",
  },
  telegram: { token: "123:secret", baseUrl: "https://telegram.test" },
  sms: { ...twilio, from: { by: "number", number: "+15550001111" } },
  whatsapp: { ...twilio, by: "twilio", number: "+15550001111", contentSid: "HX1" },
};

/** What a provider makes of a notice. */
export const rendered = (
  provider: Provider,
  notice: Notice,
  { reference = null, with: some = accounts }: { reference?: string | null; with?: Accounts } = {},
): Rendering =>
  rulesOf(provider).render(delivery(notice, reference), {
    configuration: configurations[provider],
    accounts: some,
    now: notice.at,
  });

/** Its requests, with bodies read as JSON. */
export function requestsOf(
  provider: Provider,
  notice: Notice,
  options: { reference?: string | null; with?: Accounts } = {},
): readonly {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}[] {
  const made = rendered(provider, notice, options);
  if (made.is !== "requests") return [];
  return made.requests.map(({ method, url, headers, body }) => ({
    method,
    url,
    headers,
    json: body === "" ? null : JSON.parse(body),
  }));
}
