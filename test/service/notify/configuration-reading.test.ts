import { expect, test } from "vitest";
import { type Provider, providers } from "#service/notify/channel";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { rulesOf } from "#service/notify/provider-table";

const mistakesOf = (provider: Provider, given: ChannelArguments) => {
  const read = rulesOf(provider).read(given);
  return read.ok ? [] : read.mistakes.map(({ field, message }) => `${field} ${message}`);
};

const complete: { readonly [P in Provider]: ChannelArguments } = {
  discord: { webhook_url: "https://discord.com/api/webhooks/1/x" },
  email: { email: "ops@example.com" },
  google_chat: { webhook_url: "https://chat.googleapis.com/v1/spaces/A/messages?key=k&token=t" },
  grafana_oncall: { webhook_url: "https://oncall.example.com/x" },
  ntfy: { topic: "ops" },
  pagerduty: { integration_key: "0123456789abcdef0123456789abcdef" },
  opsgenie: { api_key: "0123-abcd-4567", region: "eu" },
  slack: { webhook_url: "https://hooks.slack.com/services/T/B/x" },
  sms: { phone_number: "+491701234567" },
  telegram: { chat_id: "-1001234567890" },
  webhook: { endpoint: "http://127.0.0.1:9000/in" },
  whatsapp: { phone_number: "+491701234567" },
  ms_teams: { webhook_url: "https://prod.westeurope.logic.azure.com/workflows/x" },
};

test.each(providers)("%s takes what its page says", (provider) => {
  expect(mistakesOf(provider, complete[provider])).toEqual([]);
});

test("a phone number may be written as people write it", () => {
  for (const phone_number of ["+49 170 1234567", "+1 (555) 010-9999", "+33.1.70.18.99.00"])
    expect(mistakesOf("sms", { phone_number })).toEqual([]);
});

test.each(providers)("%s names each field that is missing", (provider) => {
  const fields = mistakesOf(provider, {}).map((mistake) => mistake.split(" ")[0]);
  expect(fields).toEqual(Object.keys(complete[provider]));
});

test.each<[Provider, ChannelArguments, string]>([
  ["slack", { webhook_url: "hooks.slack.com/secret" }, "webhook_url must be an https or http URL"],
  ["slack", { webhook_url: "ftp://user:secret@host/" }, "webhook_url must be an https or http URL"],
  ["slack", { webhook_url: 7 }, "webhook_url must be an https or http URL"],
  ["email", { email: "Ops <ops@example.com>" }, "email must be one address"],
  ["email", { email: "a@b.test,c@d.test" }, "email must be one address"],
  ["sms", { phone_number: "0170 secret" }, "phone_number must be a number with + and country"],
  ["ntfy", { topic: "a/secret" }, "topic must be up to 64 letters"],
  ["pagerduty", { integration_key: "secret" }, "integration_key must be the 32 letters"],
  ["opsgenie", { api_key: "0123-abcd-4567", region: "secret" }, "region must be us or eu"],
  ["telegram", { chat_id: "secret chat" }, "chat_id must be the chat's number"],
])("%s with %o is refused by the field's name, and nothing is quoted", (provider, given, start) => {
  const [mistake = "", ...more] = mistakesOf(provider, given);
  expect(mistake).toMatch(new RegExp(`^${RegExp.escape(start)}`));
  expect(mistake).not.toContain("secret");
  expect(more).toEqual([]);
});

test("a webhook's headers cannot replace Picket's, and each mistake names its row", () => {
  const headers = [
    { key: "Authorization", value: "Bearer secret" },
    { key: "Content-Type", value: "text/plain" },
    { key: "webhook-signature", value: "v1,x" },
    { key: "Host", value: "x" },
    { key: "Content-Length", value: "1" },
    { key: "bad name", value: "x" },
    { key: "x-line", value: "a\nsecret" },
    "secret",
  ];
  expect(mistakesOf("webhook", { ...complete.webhook, headers })).toEqual([
    "headers[1].key content-type is set by Picket itself",
    "headers[2].key webhook-signature is set by Picket itself",
    "headers[3].key host is set by Picket itself",
    "headers[4].key content-length is set by Picket itself",
    "headers[5].key is not a valid header name",
    "headers[6].value holds a line break or another character that is not allowed in a header",
    "headers[7] must have a key and a value, each of them a text",
  ]);
});
