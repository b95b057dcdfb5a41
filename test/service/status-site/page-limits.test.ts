import { afterEach, beforeEach, expect, test } from "vitest";
import { statusScene, type StatusScene } from "./status-scene.ts";

/* The limits and the defaults of the public contract, at their last value and one past it. */

let here: StatusScene;
beforeEach(async () => {
  here = await statusScene([], { port: 9 });
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Shop" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
  await here.call("CreateStatusReport", { ...report, title: "Cards", message: "m" });
});
afterEach(() => here[Symbol.asyncDispose]());

const report = {
  pageId: "1",
  status: "STATUS_REPORT_STATUS_INVESTIGATING",
  date: "2026-11-22T12:00:00Z",
};
const letters = (count: number): string => "x".repeat(count);
const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));

/** Empty if it is taken, else why not. */
const refusal = (name: string, ask: object): Promise<string> =>
  here.call(name, ask).then(
    () => "",
    (error: unknown) => /"message":"([^"]*)"/.exec(String(error))?.[1] ?? String(error),
  );

let slugs = 0;
const page = (fields: object): object => {
  slugs += 1;
  return { title: "A", slug: `page-${slugs}`, ...fields };
};
const protectedBy = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED" };
/** 256 characters are four labels of 60 and one of 12. */
const domain = (last: number): string => `${`${letters(60)}.`.repeat(4)}${letters(last)}`;
const theme = (count: number): object => ({
  customTheme: { light: { "--radius": "1".repeat(count) }, dark: {} },
});

const limits: readonly (readonly [
  field: string,
  name: string,
  ask: (count: number) => object,
  last: number,
])[] = [
  ["title", "CreateStatusPage", (count) => page({ title: letters(count) }), 256],
  ["description", "CreateStatusPage", (count) => page({ description: letters(count) }), 1_024],
  ["slug", "CreateStatusPage", (count) => page({ slug: letters(count) }), 256],
  [
    "icon",
    "CreateStatusPage",
    (count) => page({ icon: `https://a/${letters(count - 10)}` }),
    1_024,
  ],
  [
    "custom_domain",
    "CreateStatusPage",
    (count) => page({ customDomain: domain(count - 244) }),
    256,
  ],
  [
    "password",
    "CreateStatusPage",
    (count) => page({ ...protectedBy, password: letters(count) }),
    256,
  ],
  [
    "auth_email_domains",
    "CreateStatusPage",
    (count) => page({ authEmailDomains: many(count, (index) => `a${index}.test`) }),
    100,
  ],
  [
    "allowed_ip_ranges",
    "CreateStatusPage",
    (count) => page({ allowedIpRanges: many(count, (index) => `10.0.0.${index}`).join(", ") }),
    100,
  ],
  ["custom_theme", "CreateStatusPage", (count) => page(theme(count)), 256],
  ["name", "AddStaticComponent", (count) => ({ pageId: "1", name: letters(count) }), 256],
  [
    "description",
    "AddStaticComponent",
    (count) => ({ pageId: "1", name: "d", description: letters(count) }),
    1_024,
  ],
  ["name", "UpdateComponent", (count) => ({ id: "1", name: letters(count) }), 256],
  ["name", "CreateComponentGroup", (count) => ({ pageId: "1", name: letters(count) }), 256],
  [
    "name",
    "CreatePageSubscription",
    (count) => ({ pageId: "1", name: letters(count), emailChannel: { email: "a@b.test" } }),
    255,
  ],
  [
    "webhook_channel.webhook_url",
    "CreatePageSubscription",
    (count) => ({
      pageId: "1",
      webhookChannel: { webhookUrl: `https://a.test/${letters(count - 15)}` },
    }),
    2_048,
  ],
  ["days", "GetPageComponentDailySummary", (count) => ({ id: "1", days: count }), 90],
  [
    "title",
    "CreateStatusReport",
    (count) => ({ ...report, title: letters(count), message: "m" }),
    256,
  ],
  [
    "message",
    "CreateStatusReport",
    (count) => ({ ...report, title: "t", message: letters(count) }),
    8_192,
  ],
  ["title", "UpdateStatusReport", (count) => ({ id: "1", title: letters(count) }), 256],
];

test("each field ends at its limit, and is refused by its name past it", async () => {
  const said: string[] = [];
  for (const [field, name, ask, last] of limits) {
    const past = (await refusal(name, ask(last + 1))).split(" ")[0] ?? "";
    said.push(`${name} ${field} ${await refusal(name, ask(last))}, ${past}`);
  }
  expect(said).toEqual(limits.map(([field, name]) => `${name} ${field} , ${field}`));
});

const mistakes: readonly (readonly [message: string, name: string, ask: object])[] = [
  ["days must be in 1", "GetPageComponentDailySummary", { id: "1", days: 0 }],
  ["configuration.days must be one of", "CreateStatusPage", page({ configuration: { days: 31 } })],
  [
    "configuration.theme_key must be one of default",
    "CreateStatusPage",
    page({ configuration: { themeKey: "neon" } }),
  ],
  [
    "configuration.metric_type is 9, which is not one of",
    "UpdateStatusPage",
    { id: "1", configuration: { metricType: 9 } },
  ],
  [
    "configuration.bar_type is 3, which is not one of",
    "UpdateStatusPage",
    { id: "1", configuration: { barType: 3 } },
  ],
  ["name must be 1 to 256", "AddStaticComponent", { pageId: "1", name: " " }],
  [
    "status must be one of INVESTIGATING",
    "CreateStatusReport",
    { ...report, status: 0, title: "t", message: "m" },
  ],
  [
    "date must be a time with a zone",
    "CreateStatusReport",
    { ...report, date: "", title: "t", message: "m" },
  ],
  ["channel must be email_channel or webhook_channel", "CreatePageSubscription", { pageId: "1" }],
];

test("what is not a value of a field is refused by the field's name", async () => {
  const said: string[] = [];
  for (const [message, name, ask] of mistakes)
    said.push((await refusal(name, ask)).slice(0, message.length));
  expect(said).toEqual(mistakes.map(([message]) => message));
});

test("a page of title and slug alone has the defaults of the API", async () => {
  const { statusPage } = await here.call("CreateStatusPage", { title: "Plain", slug: "plain" });
  expect(statusPage).toMatchObject({
    published: true,
    accessType: "PAGE_ACCESS_TYPE_PUBLIC",
    theme: "PAGE_THEME_SYSTEM",
    defaultLocale: "LOCALE_EN",
    locales: [],
    allowIndex: true,
    configuration: {
      metricType: "PAGE_METRIC_TYPE_REQUESTS",
      barType: "PAGE_BAR_TYPE_ABSOLUTE",
      showUptime: true,
      themeKey: "default",
      days: 90,
    },
  });
  expect(statusPage).not.toHaveProperty("customTheme");
});

test("what a configuration leaves open stays: uptime too, until it is said to be hidden", async () => {
  const { statusPage } = await here.call(
    "CreateStatusPage",
    page({ configuration: { days: 30, themeKey: "ocean" } }),
  );
  const { id } = Object(statusPage);
  const configured = async (configuration: object): Promise<object> => {
    const answer = await here.call("UpdateStatusPage", { id, configuration });
    return Object(answer["statusPage"])["configuration"];
  };
  expect(Object(statusPage)["configuration"]).toMatchObject({ showUptime: true, days: 30 });
  const hidden = { showUptime: false, days: 30, themeKey: "ocean" };
  expect(await configured({ showUptime: false })).toMatchObject(hidden);
  expect(await configured({ barType: "PAGE_BAR_TYPE_MANUAL" })).toMatchObject(hidden);
});

test("domains and host names are the same in any letters, and a language is offered once", async () => {
  const given = {
    customDomain: "Status.Acme.Example",
    authEmailDomains: ["Acme.Example", "acme.test"],
    locales: ["LOCALE_EN", "LOCALE_DE", "LOCALE_EN"],
  };
  const { statusPage } = await here.call("CreateStatusPage", page(given));
  expect(statusPage).toMatchObject({
    customDomain: "Status.Acme.Example",
    authEmailDomains: ["Acme.Example", "acme.test"],
    locales: ["LOCALE_EN", "LOCALE_DE"],
  });
  const second = page({ slug: "second", customDomain: "status.acme.EXAMPLE" });
  await expect(here.call("CreateStatusPage", second)).rejects.toThrow("status.acme.EXAMPLE");
});
