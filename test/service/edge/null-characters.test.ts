import { expect, test } from "vitest";
import { runningService } from "../../support/running-service.ts";

const monitor = { name: "shop", url: "https://shop.test/", periodicity: "PERIODICITY_30S" };
const slack = { webhookUrl: "https://hooks.slack.com/\0" };

test.each([
  [
    "monitor.v1.MonitorService/CreateHTTPMonitor",
    { monitor: { ...monitor, body: "a\0" } },
    "monitor.body",
  ],
  [
    "monitor.v1.MonitorService/CreateHTTPMonitor",
    { monitor: { ...monitor, headers: [{ key: "a", value: "\0" }] } },
    "monitor.headers[0].value",
  ],
  [
    "notification.v1.NotificationService/CreateNotification",
    { name: "ops", provider: "NOTIFICATION_PROVIDER_SLACK", data: { slack } },
    "data.slack.webhook_url",
  ],
  [
    "private_location.v1.PrivateLocationService/CreatePrivateLocation",
    { name: "office", metadata: { "a\0": "b" } },
    "metadata",
  ],
])("a text with a NUL character is refused by its field: %s %j", async (call, ask, field) => {
  await using service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "ci", scope: "write" });
  const answer = await service.post(`/rpc/openstatus.${call}`, ask, { "x-service-key": key });
  expect([answer.status, answer.headers.get("error-field")]).toEqual([400, field]);
  const message = `${field} has a NUL character: remove it`;
  expect(await answer.json()).toMatchObject({ code: "invalid_argument", message });
});
