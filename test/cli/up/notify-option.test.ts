import { expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/service-way";
import { parseNotify, settleChannels } from "#cli/up/notify-option";
import { runningService } from "../../support/running-service.ts";

const never = new AbortController().signal;

test("each URL becomes a channel for all monitors, in place of those of the last run", async () => {
  await using service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "up", scope: "write" });
  const management = connectManagement(service.url, key, directWay());
  const urls = ["http://127.0.0.1:9/in", "https://ntfy.sh/shop-3f9a2c"].map(parseNotify);
  expect(await settleChannels(urls, [], management, never)).toEqual(["Webhook", "ntfy"]);
  expect(await settleChannels(urls, [], management, never)).toEqual(["Webhook", "ntfy"]);
  const { notifications } = await management.notifications.listNotifications({});
  expect(notifications.map(({ name }) => name)).toEqual(["picket up: Webhook", "picket up: ntfy"]);
});

test.each([
  ["hooks.slack.com/services/secret", "--notify must be an http or https URL of a webhook"],
  ["https://ntfy.sh/", "--notify: topic is required"],
  ["mailto:secret", "--notify: email must be one address"],
])("%s is refused, and not quoted", (text, start) => {
  const refused = () => parseNotify(text);
  expect(refused).toThrow(start);
  expect(refused).not.toThrow("secret");
});
