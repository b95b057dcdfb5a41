import { expect, test } from "vitest";
import type { Provider } from "#service/notify/channel";
import { targetName } from "#service/operator/channels/channel-name";

test.each<[Provider, Readonly<Record<string, string>>, string | null]>([
  [
    "webhook",
    { endpoint: "https://alerts.example.com/planted?key=planted" },
    "Webhook to alerts.example.com",
  ],
  ["webhook", { endpoint: "http://10.0.0.5:8080/in" }, "Webhook to 10.0.0.5:8080"],
  ["webhook", { endpoint: "http://[::1]:9000/hook" }, "Webhook to [::1]:9000"],
  ["webhook", { endpoint: "https://eo1a2b3c4d.m.pipedream.net/" }, "Webhook to m.pipedream.net"],
  ["webhook", { endpoint: "hooks" }, null],
  ["email", { email: "ops@example.com" }, "ops@example.com"],
  ["telegram", { chat_id: "@status" }, "@status"],
  ["telegram", { chat_id: "-1001234567890" }, null],
  ["sms", { phone_number: "+49 170 1234567" }, "SMS …4567"],
  ["slack", { webhook_url: "https://hooks.slack.com/services/planted" }, null],
  ["ntfy", { topic: "shop-3f9a2c" }, null],
])("a channel of %s to %o is called %s if it has no name", (provider, given, name) => {
  expect(targetName(provider, given)).toBe(name);
});
