import { expect, test } from "vitest";
import { openSender } from "#service/notify/sender";
import {
  discordForgotTheMessage,
  discordLostTheWebhook,
  discordSaysLater,
  discordTakesIt,
  ntfyRefusesLength,
  opsgenieTakesEverything,
  slackIsArchived,
  slackTakesIt,
  startProvider,
  teamsIsEmpty,
  telegramMovedTheGroup,
  twilioQueues,
} from "../../servers/providers.ts";
import { accounts, configurations, notices, shop } from "../../support/notices.ts";
import { channelOf, direct, tried } from "../../support/sending.ts";

test("discord's message is remembered, edited at the recovery, and said again", async () => {
  await using discord = await startProvider(discordTakesIt);
  const channel = channelOf("discord", { webhookUrl: `${discord.url}/api/webhooks/1/x` });
  expect(await tried(channel)).toEqual({ is: "delivered", reference: "1099", moved: null });
  const notice = notices["monitor.recovered"];
  expect(await tried(channel, { notice, reference: "1099" })).toMatchObject({ is: "delivered" });
  expect(discord.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /api/webhooks/1/x?wait=true",
    "PATCH /api/webhooks/1/x/messages/1099",
    "POST /api/webhooks/1/x?wait=true",
  ]);
});

test("a first message that a person deleted does not stop the recovery", async () => {
  await using discord = await startProvider(discordForgotTheMessage);
  const channel = channelOf("discord", { webhookUrl: `${discord.url}/api/webhooks/1/x` });
  const notice = notices["monitor.recovered"];
  expect(await tried(channel, { notice, reference: "1099" })).toMatchObject({
    is: "delivered",
    reference: "1100",
  });
});

test("discord says later, in its own figure", async () => {
  await using discord = await startProvider(discordSaysLater);
  const channel = channelOf("discord", { webhookUrl: `${discord.url}/x` });
  const notice = notices["monitor.recovered"];
  expect(await tried(channel, { notice, reference: "1099" })).toMatchObject({
    is: "again",
    after: 1250,
  });
  // What was asked to wait is not asked twice.
  expect(discord.asked).toHaveLength(1);
});

test("a webhook that discord lost, and a channel that slack archived, are disabled", async () => {
  await using discord = await startProvider(discordLostTheWebhook);
  await using slack = await startProvider(slackIsArchived);
  const lost = channelOf("discord", { webhookUrl: `${discord.url}/secret` });
  const archived = channelOf("slack", { webhookUrl: `${slack.url}/secret` });
  for (const outcome of [await tried(lost), await tried(archived)]) {
    expect(outcome).toMatchObject({ is: "disabled", trouble: { code: "channel_gone" } });
    expect(JSON.stringify(outcome)).not.toContain("secret");
  }
});

test("a request says who sends it, and comes whole", async () => {
  await using slack = await startProvider(slackTakesIt);
  const channel = channelOf("slack", { webhookUrl: `${slack.url}/services/T/B/x` });
  expect(await tried(channel)).toMatchObject({ is: "delivered", reference: null });
  expect(slack.asked).toMatchObject([
    {
      method: "POST",
      path: "/services/T/B/x",
      headers: { "user-agent": "picket/test", "content-type": "application/json" },
    },
  ]);
  expect(JSON.parse(slack.asked[0]?.body ?? "")).toHaveProperty("attachments");
});

test("telegram moved the group: the message goes there, and the new number is given back", async () => {
  await using api = await startProvider(telegramMovedTheGroup);
  const options = { accounts: { ...accounts, telegram: { token: "1:x", baseUrl: api.url } } };
  const outcome = await tried(channelOf("telegram", configurations.telegram), { options });
  expect(outcome).toEqual({
    is: "delivered",
    reference: "7",
    moved: { chatId: "-100200300" },
  });
  expect(api.asked.map(({ body }) => JSON.parse(body).chat_id)).toEqual(["-1001", "-100200300"]);
});

test("opsgenie takes everything: what became of it is asked, and is not delivery", async () => {
  await using api = await startProvider(opsgenieTakesEverything);
  const options = { accounts: { ...accounts, opsgenieUrls: { us: api.url, eu: api.url } } };
  const channel = channelOf("opsgenie", configurations.opsgenie);
  const outcome = await tried(channel, { options });
  expect(outcome).toMatchObject({ is: "accepted", receipt: "r-1", askAfter: 10_000 });
  await using sender = openSender({ ...direct, ...options });
  expect(await sender.ask(channel, "r-1", new AbortController().signal)).toMatchObject({
    is: "permanent",
    trouble: { code: "message_refused" },
  });
  expect(api.asked.at(-1)).toMatchObject({ method: "GET", path: "/v2/alerts/requests/r-1" });
});

test("a text message that Twilio queued is not delivered until Twilio says so", async () => {
  await using api = await startProvider(twilioQueues);
  if (accounts.sms === null) throw new Error("no account");
  const options = { accounts: { ...accounts, sms: { ...accounts.sms, baseUrl: api.url } } };
  const channel = channelOf("sms", configurations.sms);
  expect(await tried(channel, { options })).toMatchObject({ is: "accepted", receipt: "SM1" });
  await using sender = openSender({ ...direct, ...options });
  expect(await sender.ask(channel, "SM1", new AbortController().signal)).toMatchObject({
    is: "permanent",
    trouble: { code: "recipient_refused" },
  });
});

test("teams answers with nothing, and ntfy gets no more than it takes", async () => {
  await using teams = await startProvider(teamsIsEmpty);
  expect(await tried(channelOf("ms_teams", { webhookUrl: teams.url }))).toMatchObject({
    is: "delivered",
  });
  await using ntfy = await startProvider(ntfyRefusesLength);
  const channel = channelOf("ntfy", { topic: "ops", serverUrl: `${ntfy.url}/`, token: "" });
  const monitor = { ...shop, description: "漢".repeat(10_000), name: "漢".repeat(10_000) };
  const notice = { ...notices["monitor.error"], monitor };
  expect(await tried(channel, { notice })).toMatchObject({
    is: "delivered",
    reference: "hwQ2YpKdmg",
  });
});

test("a notice that a provider does not say is skipped with its reason", async () => {
  const channel = channelOf("pagerduty", configurations.pagerduty);
  expect(await tried(channel, { notice: notices["monitor.reminder"] })).toEqual({
    is: "skipped",
    why: "pagers remind by themselves",
  });
});

test.each([
  [channelOf("telegram", configurations.telegram), "PICKET_TELEGRAM_BOT_TOKEN"],
  [channelOf("sms", configurations.sms), "PICKET_TWILIO_ACCOUNT_SID"],
  [channelOf("whatsapp", configurations.whatsapp), "PICKET_WHATSAPP_PROVIDER"],
  [channelOf("email", configurations.email), "PICKET_SMTP_URL"],
] as const)(
  "$0.provider without its account at the service names the setting",
  async (channel, setting) => {
    const none = { ...accounts, telegram: null, sms: null, whatsapp: null, smtp: null };
    const outcome = await tried(channel, { options: { accounts: none } });
    expect(outcome).toMatchObject({ is: "failing", trouble: { code: "not_configured" } });
    expect(JSON.stringify(outcome)).toContain(setting);
  },
);
