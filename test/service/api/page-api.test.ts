import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { FakeClock } from "../../support/fake-clock.ts";
import { bytesOf, type JsonObject, knownValue, valueOf } from "../../support/field-table.ts";
import { pageTables } from "../../support/page-tables.ts";
import { runningService, type RunningService } from "../../support/running-service.ts";
import { mailingBy } from "../status-site/status-scene.ts";

/*
 * Every call of status pages and their reports as the public contract's own tools make it: bytes and answers come from
 * tables of numbers written by hand.
 */

interface Scene extends AsyncDisposable {
  readonly service: RunningService;
  readonly write: string;
  readonly read: string;
}

const began = Date.UTC(2026, 0, 1);
const now = new Date(began).toISOString();

/** Monitor 1, and no page. */
async function scene(): Promise<Scene> {
  // No mail server is there: what is asked for waits.
  const service = await runningService({ clock: new FakeClock(began), ...mailingBy({ port: 9 }) });
  const keyOf = async (scope: "read" | "write"): Promise<string> =>
    (await service.admin.createApiKey({ name: scope, scope })).key;
  const [write, read] = [await keyOf("write"), await keyOf("read")];
  const url = "https://shop.test/";
  const shop = { ...httpDefaults, name: "shop", url, periodicity: "30s", active: true };
  await service.admin.createMonitor(shop, "management");
  return { service, write, read, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

type Codec = "json" | "proto";

function asked(
  { service }: Scene,
  name: string,
  ask: JsonObject,
  { key, codec = "json" }: { readonly key: string | null; readonly codec?: Codec },
): Promise<Response> {
  const call = pageTables[name];
  if (call === undefined) throw new Error(`no table has ${name}`);
  return fetch(`${service.url}/rpc/${call.service}/${name}`, {
    method: "POST",
    headers: {
      "content-type": `application/${codec}`,
      ...(key === null ? {} : { "x-openstatus-key": key }),
    },
    body: codec === "proto" ? bytesOf(call.request, ask) : JSON.stringify(ask),
  });
}

async function readAnswer(name: string, answer: Response): Promise<JsonObject> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect([name, answer.status, answer.status === 200 ? "" : bytes.toString()]).toEqual([
    name,
    200,
    "",
  ]);
  const table = pageTables[name]?.response ?? {};
  return answer.headers.get("content-type") === "application/proto"
    ? valueOf(table, bytes)
    : knownValue(table, JSON.parse(bytes.toString()));
}

async function refusal(answer: Response): Promise<readonly unknown[]> {
  await answer.text();
  return [answer.status, answer.headers.get("error-reason")];
}

const times = { createdAt: now, updatedAt: now };
const acme: JsonObject = {
  ...times,
  id: "1",
  title: "Acme",
  description: "",
  slug: "acme",
  customDomain: "status.acme.example",
  published: true,
  accessType: "PAGE_ACCESS_TYPE_PUBLIC",
  theme: "PAGE_THEME_DARK",
  homepageUrl: "https://acme.example/",
  contactUrl: "mailto:help@acme.example",
  icon: "https://acme.example/i.png",
  defaultLocale: "LOCALE_DE",
  locales: ["LOCALE_EN", "LOCALE_DE"],
  password: "secret",
  authEmailDomains: ["acme.example"],
  allowIndex: false,
  allowedIpRanges: "10.0.0.0/8,192.0.2.7,2001:db8::/32",
  customTheme: { light: { "--success": "#117733" }, dark: {} },
};
const { id: _id, createdAt: _created, updatedAt: _updated, published: _published, ...given } = acme;
const web: JsonObject = {
  ...times,
  id: "1",
  pageId: "1",
  name: "shop",
  description: "",
  type: "PAGE_COMPONENT_TYPE_MONITOR",
  monitorId: "1",
  order: 0,
  groupId: "1",
  groupOrder: 0,
};
const desk: JsonObject = {
  ...times,
  id: "2",
  pageId: "1",
  name: "Desk",
  description: "People",
  type: "PAGE_COMPONENT_TYPE_STATIC",
  monitorId: "",
  order: 7,
  groupId: "",
  groupOrder: 0,
};
const group: JsonObject = { ...times, id: "1", pageId: "1", name: "Web", defaultOpen: true };
const firstUpdate: JsonObject = {
  id: "1",
  status: "STATUS_REPORT_STATUS_INVESTIGATING",
  date: "2025-12-31T23:00:00.000Z",
  message: "We look.",
  createdAt: now,
  componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" }],
};
const secondUpdate: JsonObject = {
  id: "2",
  status: "STATUS_REPORT_STATUS_RESOLVED",
  date: now,
  message: "Over.",
  createdAt: now,
  componentImpacts: [{ pageComponentId: "2", impact: "PAGE_COMPONENT_IMPACT_OPERATIONAL" }],
};
const report: JsonObject = {
  ...times,
  id: "1",
  status: "STATUS_REPORT_STATUS_INVESTIGATING",
  title: "Cards",
  pageComponentIds: ["1"],
  updates: [firstUpdate],
};
const resolved: JsonObject = {
  ...report,
  status: "STATUS_REPORT_STATUS_RESOLVED",
  pageComponentIds: ["1", "2"],
  updates: [secondUpdate, firstUpdate],
};
const { updates: _updates, ...resolvedSummary } = resolved;

const componentStatuses = [
  { componentId: "1", status: "OVERALL_STATUS_UNKNOWN" },
  { componentId: "2", status: "OVERALL_STATUS_OPERATIONAL" },
];
const ann: JsonObject = {
  ...times,
  id: "1",
  pageId: "1",
  email: "ann@reader.test",
  acceptedAt: "",
  unsubscribedAt: "",
  source: "SUBSCRIBER_SOURCE_SELF_SIGNUP",
  channelType: "email",
  componentIds: [],
  failingSince: "",
  trouble: "",
};
const ops: JsonObject = {
  ...ann,
  id: "2",
  email: "Ops@reader.test",
  name: "Ops",
  acceptedAt: now,
  source: "SUBSCRIBER_SOURCE_VENDOR",
  componentIds: ["1"],
};
const chat: JsonObject = {
  ...ann,
  id: "3",
  email: "",
  acceptedAt: now,
  source: "SUBSCRIBER_SOURCE_VENDOR",
  channelType: "webhook",
  webhookUrl: "https://hooks.slack.com/services/T/B/x",
};
const noChecks: JsonObject = { count: "0", ok: "0", degraded: "0", error: "0" };

const story: readonly (readonly [name: string, ask: JsonObject, answer: JsonObject])[] = [
  ["CreateStatusPage", given, { statusPage: acme }],
  ["GetStatusPage", { id: "1" }, { statusPage: acme }],
  [
    "UpdateStatusPage",
    { id: "1", title: "Acme Inc", locales: [], authEmailDomains: [] },
    { statusPage: { ...acme, title: "Acme Inc" } },
  ],
  [
    "UpdateStatusPage",
    { id: "1", title: "Acme", updateMask: "locales,authEmailDomains,homepageUrl" },
    { statusPage: { ...acme, locales: [], authEmailDomains: [], homepageUrl: "" } },
  ],
  [
    "ListStatusPages",
    { limit: 1 },
    {
      statusPages: [
        {
          ...times,
          id: "1",
          title: "Acme",
          slug: "acme",
          published: true,
          customDomain: "status.acme.example",
        },
      ],
      totalSize: 1,
    },
  ],
  ["CreateComponentGroup", { pageId: "1", name: "Web", defaultOpen: true }, { group }],
  ["AddMonitorComponent", { pageId: "1", monitorId: "1", groupId: "1" }, { component: web }],
  [
    "AddStaticComponent",
    { pageId: "1", name: "Desk", description: "People", order: 7 },
    { component: desk },
  ],
  ["GetPageComponent", { id: "2" }, { component: desk }],
  [
    "UpdateComponent",
    { id: "2", name: "Help", groupId: "1", groupOrder: 3 },
    { component: { ...desk, name: "Help", groupId: "1", groupOrder: 3 } },
  ],
  ["UpdateComponent", { id: "2", name: "Desk", groupId: "", groupOrder: 0 }, { component: desk }],
  [
    "UpdateComponentGroup",
    { id: "1", name: "Net", defaultOpen: false },
    { group: { ...group, name: "Net", defaultOpen: false } },
  ],
  [
    "CreateStatusReport",
    {
      title: "Cards",
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "We look.",
      date: "2026-01-01T00:00:00+01:00",
      pageId: "1",
      pageComponentIds: [],
      notify: false,
      componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" }],
    },
    { statusReport: report },
  ],
  [
    "AddStatusReportUpdate",
    {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "Over.",
      componentImpacts: [{ pageComponentId: "2", impact: "PAGE_COMPONENT_IMPACT_OPERATIONAL" }],
    },
    { statusReport: resolved },
  ],
  ["GetStatusReport", { id: "1" }, { statusReport: resolved }],
  [
    "ListStatusReports",
    { limit: 5, statuses: ["STATUS_REPORT_STATUS_RESOLVED"] },
    { statusReports: [resolvedSummary], totalSize: 1 },
  ],
  [
    "ListStatusReports",
    { statuses: ["STATUS_REPORT_STATUS_IDENTIFIED"] },
    { statusReports: [], totalSize: 0 },
  ],
  [
    "GetStatusPageContent",
    { id: "1" },
    {
      statusPage: { ...acme, locales: [], authEmailDomains: [], homepageUrl: "" },
      components: [web, desk],
      groups: [{ ...group, name: "Net", defaultOpen: false }],
      statusReports: [resolved],
      maintenances: [],
    },
  ],
  [
    "GetOverallStatus",
    { slug: "acme" },
    { overallStatus: "OVERALL_STATUS_UNKNOWN", componentStatuses },
  ],
  [
    "GetStatusPageOverview",
    { id: "1" },
    {
      statusPage: { ...acme, locales: [], authEmailDomains: [], homepageUrl: "" },
      configuration: {
        metricType: "PAGE_METRIC_TYPE_REQUESTS",
        barType: "PAGE_BAR_TYPE_ABSOLUTE",
        showUptime: true,
        themeKey: "default",
        days: 90,
      },
      components: [web, desk],
      groups: [{ ...group, name: "Net", defaultOpen: false }],
      statusReports: [resolved],
      maintenances: [],
      overallStatus: "OVERALL_STATUS_UNKNOWN",
      componentStatuses,
    },
  ],
  [
    "GetPageComponentDailySummary",
    { id: "1", componentIds: ["1"], days: 2 },
    {
      components: [
        {
          componentId: "1",
          type: "PAGE_COMPONENT_TYPE_MONITOR",
          monitorId: "1",
          name: "shop",
          buckets: [
            {
              ...noChecks,
              day: "2025-12-31T00:00:00.000Z",
              status: "COMPONENT_DAY_STATUS_DOWN",
              impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE",
            },
            { ...noChecks, day: now, status: "COMPONENT_DAY_STATUS_EMPTY" },
          ],
          events: [
            {
              id: "1",
              name: "Cards",
              type: "COMPONENT_EVENT_TYPE_REPORT",
              status: "COMPONENT_EVENT_STATUS_OPERATIONAL",
              from: "2025-12-31T23:00:00.000Z",
              to: now,
            },
          ],
        },
      ],
    },
  ],
  ["SubscribeToPage", { pageId: "1", email: "ann@reader.test" }, { subscriber: ann }],
  [
    "CreatePageSubscription",
    {
      pageId: "1",
      name: "Ops",
      componentIds: ["1"],
      emailChannel: { email: "Ops@reader.test" },
    },
    { subscriber: ops },
  ],
  [
    "CreatePageSubscription",
    { pageId: "1", webhookChannel: { webhookUrl: "https://hooks.slack.com/services/T/B/x" } },
    { subscriber: chat },
  ],
  ["UnsubscribeFromPage", { pageId: "1", email: "ops@READER.test" }, { success: true }],
  ["UnsubscribeFromPage", { pageId: "1", id: "3" }, { success: true }],
  ["ListSubscribers", { pageId: "1", limit: 5 }, { subscribers: [ann], totalSize: 1 }],
  [
    "ListSubscribers",
    { pageId: "1", offset: 1, includeUnsubscribed: true },
    {
      subscribers: [
        { ...ops, unsubscribedAt: now },
        { ...chat, unsubscribedAt: now },
      ],
      totalSize: 3,
    },
  ],
  [
    "UpdateStatusReport",
    { id: "1", title: "Paying", pageComponentIds: [], updatePageComponentIds: true },
    { statusReport: { ...resolved, title: "Paying", pageComponentIds: [] } },
  ],
  ["DeleteStatusReport", { id: "1" }, { success: true }],
  ["RemoveComponent", { id: "2" }, { success: true }],
  ["DeleteComponentGroup", { id: "1" }, { success: true }],
  ["DeleteStatusPage", { id: "1" }, { success: true }],
];

const names = Object.keys(pageTables);

describe.each(["json", "proto"] as const)("in %s", (codec) => {
  test("every call is answered in the public shape", async () => {
    await using here = await scene();
    for (const [name, ask, answer] of story) {
      const got = await readAnswer(name, await asked(here, name, ask, { key: here.write, codec }));
      expect(got, name).toEqual(answer);
    }
  });

  test("what is wrong is refused with its reason", async () => {
    await using here = await scene();
    const { key, base } = { key: here.write, base: { title: "A", slug: "a" } };
    await readAnswer("CreateStatusPage", await asked(here, "CreateStatusPage", given, { key }));
    const addDesk = { pageId: "1", name: "Desk" };
    await readAnswer(
      "AddStaticComponent",
      await asked(here, "AddStaticComponent", addDesk, { key }),
    );
    const missing = new Map([
      ["StatusPage", "STATUS_PAGE_NOT_FOUND"],
      ["ComponentGroup", "COMPONENT_GROUP_NOT_FOUND"],
      ["Component", "PAGE_COMPONENT_NOT_FOUND"],
      ["StatusReport", "STATUS_REPORT_NOT_FOUND"],
    ]);
    const update = { title: "t", status: "STATUS_REPORT_STATUS_RESOLVED", message: "m", date: now };
    const wrong: readonly (readonly [string, JsonObject, number, string])[] = [
      ...["GetStatusPage", "UpdateStatusPage", "DeleteStatusPage", "GetPageComponent"]
        .concat("UpdateComponent", "RemoveComponent", "UpdateComponentGroup")
        .concat("DeleteComponentGroup", "GetStatusReport", "UpdateStatusReport")
        .concat("DeleteStatusReport", "GetStatusPageContent")
        .map((name) => {
          const [, reason = ""] = [...missing].find(([noun]) => name.includes(noun)) ?? [];
          return [name, { id: "99" }, 404, reason] as const;
        }),
      ["CreateStatusPage", { ...base, slug: "acme" }, 409, "SLUG_ALREADY_EXISTS"],
      [
        "CreateStatusPage",
        { ...base, customDomain: "status.acme.example" },
        409,
        "CUSTOM_DOMAIN_ALREADY_EXISTS",
      ],
      ["CreateStatusPage", { slug: "a" }, 400, "INVALID_ARGUMENT"],
      ["CreateStatusPage", { ...base, slug: "A" }, 400, "INVALID_ARGUMENT"],
      ["CreateStatusPage", { ...base, slug: "a--b" }, 400, "INVALID_ARGUMENT"],
      ["CreateStatusPage", { ...base, homepageUrl: "javascript:1" }, 400, "INVALID_ARGUMENT"],
      ["CreateStatusPage", { ...base, icon: "http://a.test/i" }, 400, "INVALID_ICON_URL"],
      ["CreateStatusPage", { ...base, customDomain: "www.a.test" }, 400, "INVALID_CUSTOM_DOMAIN"],
      ["CreateStatusPage", { ...base, allowedIpRanges: "10.0.0.0/33" }, 400, "INVALID_ARGUMENT"],
      [
        "CreateStatusPage",
        { ...base, accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password: "  " },
        400,
        "PASSWORD_REQUIRED",
      ],
      [
        "CreateStatusPage",
        { ...base, accessType: "PAGE_ACCESS_TYPE_AUTHENTICATED" },
        400,
        "AUTH_EMAIL_DOMAINS_REQUIRED",
      ],
      [
        "CreateStatusPage",
        { ...base, accessType: "PAGE_ACCESS_TYPE_IP_RESTRICTED" },
        400,
        "INVALID_ARGUMENT",
      ],
      [
        "CreateStatusPage",
        { ...base, defaultLocale: "LOCALE_KO", locales: ["LOCALE_EN"] },
        400,
        "INVALID_ARGUMENT",
      ],
      ["UpdateStatusPage", { id: "1", updateMask: "nothing" }, 400, "INVALID_ARGUMENT"],
      ["ListStatusPages", { limit: 0 }, 400, "INVALID_ARGUMENT"],
      ["AddMonitorComponent", { pageId: "1", monitorId: "9" }, 404, "MONITOR_NOT_FOUND"],
      ["AddMonitorComponent", { pageId: "9", monitorId: "1" }, 404, "STATUS_PAGE_NOT_FOUND"],
      ["AddStaticComponent", { pageId: "1" }, 400, "INVALID_ARGUMENT"],
      ["AddStaticComponent", { ...addDesk, groupId: "9" }, 404, "COMPONENT_GROUP_NOT_FOUND"],
      ["CreateStatusReport", { ...update, pageId: "9" }, 404, "STATUS_PAGE_NOT_FOUND"],
      ["CreateStatusReport", { ...update, pageId: "1", date: "now" }, 400, "INVALID_ARGUMENT"],
      ["CreateStatusReport", { ...update, pageId: "1", message: "" }, 400, "INVALID_ARGUMENT"],
      [
        "CreateStatusReport",
        { ...update, pageId: "1", pageComponentIds: ["9"] },
        404,
        "PAGE_COMPONENT_NOT_FOUND",
      ],
      ["AddStatusReportUpdate", { statusReportId: "9" }, 404, "STATUS_REPORT_NOT_FOUND"],
      ["GetStatusPageContent", {}, 400, "IDENTIFIER_REQUIRED"],
      ["SubscribeToPage", { pageId: "9", email: "a@b.test" }, 404, "STATUS_PAGE_NOT_FOUND"],
      ["SubscribeToPage", { pageId: "1", email: "a b" }, 400, "INVALID_ARGUMENT"],
      ["CreatePageSubscription", { pageId: "1" }, 400, "INVALID_ARGUMENT"],
      ["UnsubscribeFromPage", { pageId: "1" }, 400, "IDENTIFIER_REQUIRED"],
      ["UnsubscribeFromPage", { pageId: "1", id: "9" }, 404, "SUBSCRIBER_NOT_FOUND"],
      ["GetOverallStatus", { slug: "none" }, 404, "STATUS_PAGE_NOT_FOUND"],
      ["GetPageComponentDailySummary", { id: "1", days: 91 }, 400, "INVALID_ARGUMENT"],
    ];
    for (const [name, ask, status, reason] of wrong) {
      const row = `${name} ${JSON.stringify(ask)}`;
      expect(await refusal(await asked(here, name, ask, { key, codec })), row).toEqual([
        status,
        reason,
      ]);
    }
  });
});

test("every call wants a key, every write one that may write; a public page by its slug wants none", async () => {
  await using here = await scene();
  expect(new Set(story.map(([name]) => name))).toEqual(new Set(names));
  for (const name of names) {
    const stranger = await refusal(await asked(here, name, {}, { key: null }));
    expect(stranger, name).toEqual([401, "API_KEY_REQUIRED"]);
    if (pageTables[name]?.reads === true) continue;
    const reader = await refusal(await asked(here, name, {}, { key: here.read }));
    expect(reader, name).toEqual([403, "WRITE_SCOPE_REQUIRED"]);
  }
  const make = async (ask: JsonObject): Promise<void> => {
    await readAnswer(
      "CreateStatusPage",
      await asked(here, "CreateStatusPage", ask, { key: here.write }),
    );
  };
  const bySlug = (slug: string): Promise<Response> =>
    asked(here, "GetStatusPageContent", { slug }, { key: null });
  await make({ title: "Open", slug: "open" });
  await make({ title: "Draft", slug: "draft", published: false });
  const access = "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED";
  await make({ title: "Closed", slug: "closed", accessType: access, password: "secret" });
  const open = await readAnswer("GetStatusPageContent", await bySlug("Open"));
  expect(open).toMatchObject({ statusPage: { title: "Open", password: "" } });
  for (const name of ["GetStatusPageContent", "GetOverallStatus", "GetPageComponentDailySummary"]) {
    const ask = async (slug: string, key: string | null) =>
      refusal(await asked(here, name, { slug }, { key }));
    expect(await ask("draft", here.read)).toEqual([404, "STATUS_PAGE_NOT_PUBLISHED"]);
    // A stranger does not learn that there is one.
    expect(await ask("draft", null)).toEqual(await ask("none", null));
  }
  expect(await refusal(await bySlug("closed"))).toEqual([403, "STATUS_PAGE_ACCESS_DENIED"]);
  expect(await refusal(await bySlug("none"))).toEqual([404, "STATUS_PAGE_NOT_FOUND"]);
  const seen = await asked(here, "GetStatusPage", { id: "3" }, { key: here.read });
  expect(await readAnswer("GetStatusPage", seen)).toMatchObject({ statusPage: { password: "" } });
});
