import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as alertsLimits from "#limits/alerts-limits";
import { noAccounts } from "#service/notify/accounts";
import { rulesOf } from "#service/notify/provider-table";
import { type ProviderScript, startProvider, webhookIsGone } from "../../../servers/providers.ts";
import { notices } from "../../../support/notices.ts";
import { statusScene, type StatusScene } from "../status-scene.ts";

/* Webhooks that get a status page's news, at a real receiver. */

let here: StatusScene;
beforeEach(async () => {
  // Nothing listens there: no mail is written in these tests.
  here = await statusScene([], { port: 9 });
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  for (const name of ["Shop", "Desk"]) await here.call("AddStaticComponent", { pageId: "1", name });
});
afterEach(() => here[Symbol.asyncDispose]());

const takesIt: ProviderScript = (_asked, response) => void response.end("ok");

interface Subscriber {
  readonly id: string;
  readonly channelConfig?: string;
  readonly trouble: string;
  readonly failingSince: string;
  readonly unsubscribedAt: string;
}

async function added(webhookUrl: string, more: object = {}): Promise<Subscriber> {
  const { headers, ...rest } = { headers: [], ...more };
  const ask = { pageId: "1", webhookChannel: { webhookUrl, headers }, ...rest };
  const { subscriber = { id: "" } } = await here.call("CreatePageSubscription", ask);
  return Object(subscriber);
}

async function listed(): Promise<readonly Subscriber[]> {
  const answer = await here.call("ListSubscribers", { pageId: "1", includeUnsubscribed: true });
  return Object(answer)["subscribers"];
}

const report = (title: string, more: object = {}) =>
  here.call("CreateStatusReport", {
    title,
    status: "STATUS_REPORT_STATUS_INVESTIGATING",
    message: "We **look** into it.",
    date: "2026-11-22T12:00:00Z",
    pageId: "1",
    notify: true,
    ...more,
  });

/** How many requests a receiver has had, a second later. */
const countOf = (receiver: { readonly asked: readonly unknown[] }) => async (): Promise<number> => {
  await here.clock.advance(1_000);
  return receiver.asked.length;
};

const titleOf = ({ body }: { readonly body: string }): string => {
  const { data } = JSON.parse(body);
  return (data.status_report ?? data.maintenance).title;
};

test("an operator's webhook gets what is announced, signed and in the public shape, until it leaves", async () => {
  await using receiver = await startProvider(takesIt);
  const more = { name: "Wall", headers: [{ key: "x-room", value: "7" }], componentIds: ["1"] };
  const made = await added(`${receiver.url}/in`, more);
  expect(made).toMatchObject({
    name: "Wall",
    channelType: "webhook",
    webhookUrl: `${receiver.url}/in`,
    source: "SUBSCRIBER_SOURCE_VENDOR",
    componentIds: ["1"],
  });
  await report("Desk alone", { pageComponentIds: ["2"] });
  await report("Not announced", { notify: false });
  const impact = { pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" };
  await report("Cards fail", { componentImpacts: [impact] });
  await expect.poll(countOf(receiver)).toBe(1);
  const [asked] = receiver.asked;
  const { secret } = JSON.parse(made.channelConfig ?? "{}");
  expect(asked?.headers["x-room"]).toBe("7");
  const headers = Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [
      name,
      String(asked?.headers[name]),
    ]),
  );
  // The package reads the machine's clock: the signature is checked as of its time.
  const signature = new Webhook(secret).sign(
    headers["webhook-id"] ?? "",
    new Date(Number(headers["webhook-timestamp"]) * 1000),
    asked?.body ?? "",
  );
  expect(headers["webhook-signature"]).toBe(signature);
  const own = "https://status.test/status/acme";
  expect(JSON.parse(asked?.body ?? "{}")).toEqual({
    version: "1",
    type: "status_report",
    data: {
      status_report: {
        id: 3,
        title: "Cards fail",
        update: {
          id: 3,
          status: "investigating",
          message: "We look into it.",
          message_markdown: "We **look** into it.",
          created_at: "2026-11-22T12:00:00.000Z",
        },
        page: { id: 1, name: "Acme", slug: "acme", url: own },
        components: [{ id: 1, name: "Shop", impact: "major_outage" }],
      },
    },
    subscription: {
      manage_url: expect.stringContaining(`${own}/manage/`),
      unsubscribe_url: expect.stringContaining(`${own}/unsubscribe/`),
    },
  });
  const window = { from: "2026-11-23T22:00:00Z", to: "2026-11-23T23:00:00Z" };
  const plan = { title: "Upgrade", message: "m", pageId: "1", pageComponentIds: ["1"], ...window };
  await here.call("CreateMaintenance", { ...plan, notify: true });
  await expect.poll(countOf(receiver)).toBe(2);
  const { type, data, subscription } = JSON.parse(receiver.asked[1]?.body ?? "{}");
  expect([type, data.maintenance]).toMatchObject([
    "maintenance",
    {
      title: "Upgrade",
      starts_at: "2026-11-23T22:00:00.000Z",
      repeats: null,
      components: [{ name: "Shop" }],
    },
  ]);
  const saying = { maintenanceId: "1", message: "It takes **an hour** longer." };
  await here.call("AddMaintenanceUpdate", saying);
  await here.call("AddMaintenanceUpdate", { ...saying, message: "It is done.", notify: true });
  await expect.poll(countOf(receiver)).toBe(3);
  const { data: said } = JSON.parse(receiver.asked[2]?.body ?? "{}");
  expect(said.maintenance).toMatchObject({ title: "Upgrade", message: "It is done." });
  // Its first time is over.
  const first = { from: "2026-11-16T22:00:00Z", to: "2026-11-16T23:00:00Z" };
  await here.call("UpdateMaintenance", { id: "1", ...first, recurrence: "FREQ=WEEKLY" });
  await here.call("AddMaintenanceUpdate", { ...saying, notify: true });
  await expect.poll(countOf(receiver)).toBe(4);
  const { data: again } = JSON.parse(receiver.asked[3]?.body ?? "{}");
  expect(again.maintenance).toMatchObject({
    starts_at: "2026-11-23T22:00:00.000Z",
    repeats: {
      words: "every Monday, 22:00 (UTC)",
      rule: "FREQ=WEEKLY",
      time_zone: "UTC",
      next: expect.arrayContaining([
        { starts_at: "2026-11-30T22:00:00.000Z", ends_at: "2026-11-30T23:00:00.000Z" },
      ]),
    },
  });
  // Whoever has a message may end it, as a reader of a mail may.
  const left = await here.post(new URL(subscription.unsubscribe_url).pathname, {});
  expect(left.status).toBe(200);
  await report("After", { pageComponentIds: ["1"] });
  // The next webhook's message comes after what would have come before.
  await using other = await startProvider(takesIt);
  await added(other.url);
  await report("Later");
  await expect.poll(countOf(other)).toBe(1);
  expect(receiver.asked.map(titleOf)).toEqual(["Cards fail", "Upgrade", "Upgrade", "Upgrade"]);
});

test("one that fails delays no other, is tried again in order, and is shown as failing until it takes them", async () => {
  let isWell = false;
  await using broken = await startProvider((_asked, response) => {
    response.writeHead(isWell ? 200 : 503);
    response.end();
  });
  await using well = await startProvider(takesIt);
  await added(broken.url);
  await added(well.url);
  await report("One");
  await report("Two");
  await expect.poll(countOf(well)).toBe(2);
  await expect.poll(async () => (await listed())[0]?.trouble).toContain("503");
  const { key } = await here.service.admin.createApiKey({ name: "scrape", scope: "read" });
  const metrics = await (await here.get("/metrics", { "x-service-key": key })).text();
  expect(metrics).toMatch(/^picket_news_waiting 2$/m);
  expect(metrics).toMatch(/^picket_news_oldest_age_seconds [1-9]/m);
  expect((await listed())[0]?.failingSince).toMatch(/^2026-11-22T12:00/);
  const page = await (await here.get("/status-pages/1/subscribers.json")).text();
  expect(page).not.toContain(broken.url);
  isWell = true;
  const began = broken.asked.length;
  await expect.poll(countOf(broken)).toBe(began + 2);
  expect(broken.asked.slice(began).map(titleOf)).toEqual(["One", "Two"]);
  await expect
    .poll(async () => (await listed())[0])
    .toMatchObject({
      trouble: "",
      failingSince: "",
    });
});

test("one that is gone ends at once, one that refuses after the third time, and adding it again takes it up with its secret", async () => {
  await using gone = await startProvider(webhookIsGone);
  await using refuses = await startProvider((_asked, response) => {
    response.writeHead(404);
    response.end();
  });
  const { channelConfig } = await added(gone.url);
  await added(refuses.url);
  for (const title of ["One", "Two", "Three", "Four"]) await report(title);
  const ended = async () => (await listed()).map(({ unsubscribedAt: at }) => at !== "");
  await expect
    .poll(async () => [await countOf(refuses)(), await ended()])
    .toEqual([alertsLimits.recipientRefusalsMax, [true, true]]);
  expect([gone.asked.length, (await listed())[0]?.trouble]).toEqual([
    1,
    expect.stringContaining("410"),
  ]);
  expect(await added(gone.url)).toMatchObject({ channelConfig, unsubscribedAt: "", trouble: "" });
});

test("what is not a webhook of a reader's is refused by its field, and shows nothing of the URL", async () => {
  const refused = async (webhookUrl: string, headers: object[] = []): Promise<string> =>
    added(webhookUrl, { headers }).then(
      () => "taken",
      (error: unknown) => String(error),
    );
  expect(await refused("ftp://shop.test/planted")).toContain("webhook_channel.webhook_url must be");
  expect(await refused("mailto:%zz")).toContain("webhook_channel.webhook_url must be");
  const long = `https://shop.test/${"p".repeat(2_048)}`;
  expect(await refused(long)).toContain("webhook_channel.webhook_url is longer than 2048");
  const pager = "https://shop.test/integrations/v1/formatted_webhook/planted/";
  expect(await refused(pager)).toContain("webhook_channel.webhook_url must be");
  const host = [{ key: "Host", value: "x" }];
  expect(await refused("https://shop.test/", host)).toContain("webhook_channel.headers[0].key");
  const chat = "https://hooks.slack.com/services/planted";
  expect(await refused(chat, host)).toContain(
    "webhook_channel.headers are only for other webhooks",
  );
  const all = await Promise.all(["ftp://shop.test/planted", pager].map((url) => refused(url)));
  expect(all.join()).not.toContain("planted");
});

test("a chat gets the same in words, in its own form", () => {
  const notice = { ...notices["page.news"], title: "Karten <!channel> · Acme" };
  const delivery = { id: "letter-1", notice, reference: null, timeZone: "UTC" };
  const configuration = { webhookUrl: "https://chat.test/hook" };
  const scene = { configuration, accounts: noAccounts, now: notice.at };
  for (const provider of ["slack", "discord", "google_chat", "ms_teams"] as const) {
    const rendered = rulesOf(provider).render(delivery, scene);
    const text = rendered.is === "requests" ? (rendered.requests[0]?.body ?? "") : "";
    for (const part of ["Karten", "Affected", "Shop", "We look", "report/1"])
      expect([provider, text]).toEqual([provider, expect.stringContaining(part)]);
    expect(text).not.toContain("<!channel>");
  }
});
