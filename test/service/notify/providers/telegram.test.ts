import { expect, test } from "vitest";
import { accounts, configurations, notices, requestsOf, shop } from "../../../support/notices.ts";
import { telegram } from "#service/notify/providers/telegram";

const scene = { configuration: configurations.telegram, accounts, now: notices.test.at };
const reply = (status: number, body: unknown) =>
  telegram.understand({ status, headers: {}, body: JSON.stringify(body) }, scene);

test("an alert is a message in HTML without a preview", () => {
  const [request] = requestsOf("telegram", notices["monitor.error"]);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://telegram.test/bot123:secret/sendMessage",
    json: {
      chat_id: "-1001",
      parse_mode: "HTML",
      link_preview_options: { is_disabled: true },
    },
  });
  expect(request?.json).not.toHaveProperty("disable_notification");
  expect(JSON.stringify(request?.json)).toContain("<b>Down: shop</b>");
});

test("a recovery replies to the alert, silently", () => {
  expect(requestsOf("telegram", notices["monitor.recovered"], { reference: "55" })).toMatchObject([
    { json: { disable_notification: true, reply_parameters: { message_id: 55 } } },
  ]);
});

test("a name makes no markup, and 10,000 characters fit 4,096", () => {
  const monitor = { ...shop, name: "<b>&".repeat(2_500), description: "<".repeat(1024) };
  const [request] = requestsOf("telegram", { ...notices["monitor.error"], monitor });
  const { text }: { text?: string } = Object(request?.json);
  expect(text).toMatch(/^<b>Down: &lt;b&gt;&amp;/);
  expect(text?.length).toBeLessThanOrEqual(4096);
});

test("it names its message, its wait, and where the group has gone", () => {
  expect(reply(200, { ok: true, result: { message_id: 55 } })).toMatchObject({
    is: "delivered",
    reference: "55",
  });
  expect(reply(400, { ok: false, parameters: { migrate_to_chat_id: -100_200 } })).toEqual({
    is: "moved",
    configuration: { chatId: "-100200" },
  });
  expect(reply(429, { ok: false, parameters: { retry_after: 7 } })).toMatchObject({
    is: "again",
    after: 7000,
  });
  expect(reply(400, { ok: false, description: "Bad Request: chat not found" })).toMatchObject({
    is: "permanent",
  });
  expect(reply(403, { ok: false, description: "Forbidden: bot was kicked" })).toMatchObject({
    is: "permanent",
  });
  expect(reply(401, { ok: false, description: "Unauthorized" })).toMatchObject({ is: "failing" });
});
