import { expect, test } from "vitest";
import {
  configurations,
  notices,
  accounts,
  requestsOf,
  worsened,
} from "../../../support/notices.ts";
import { discord } from "#service/notify/providers/discord";

const scene = { configuration: configurations.discord, accounts, now: notices.test.at };
const reply = (status: number, body: unknown, headers = {}) =>
  discord.understand({ status, headers, body: JSON.stringify(body) }, scene);

test("an alert is one red embed, sent with wait=true next to the thread of the URL, and calls no one", () => {
  const [request, ...more] = requestsOf("discord", notices["monitor.error"]);
  expect(more).toEqual([]);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://discord.test/api/webhooks/1/secret?thread_id=7&wait=true",
    json: {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: "Down: shop",
          url: "https://picket.test/monitors/4",
          color: 0xd92d20,
          timestamp: "2026-11-22T14:02:15.000Z",
          footer: { text: "Picket" },
        },
      ],
    },
  });
  expect(JSON.stringify(request?.json)).toContain("The status code is 503");
});

test("a recovery edits the first message to what was, then says a new one in green", () => {
  const requests = requestsOf("discord", notices["monitor.recovered"], { reference: "99" });
  expect(requests).toMatchObject([
    {
      method: "PATCH",
      url: "https://discord.test/api/webhooks/1/secret/messages/99?thread_id=7",
      json: { embeds: [{ title: "Was down: shop", color: 0x12b76a }] },
    },
    { method: "POST", json: { embeds: [{ title: "Up again: shop", color: 0x12b76a }] } },
  ]);
  expect(JSON.stringify(requests[0]?.json)).toContain("4 min 10 s");
});

test("a change edits the first message and says a new one", () => {
  const methods = requestsOf("discord", worsened, { reference: "99" }).map(({ method }) => method);
  expect(methods).toEqual(["PATCH", "POST"]);
});

test("what is slow is amber, a reminder grey", () => {
  expect(requestsOf("discord", notices["monitor.degraded"])).toMatchObject([
    { json: { embeds: [{ title: "Slow: shop", color: 0xf79009 }] } },
  ]);
  expect(requestsOf("discord", notices["monitor.reminder"], { reference: "99" })).toMatchObject([
    { method: "POST", json: { embeds: [{ title: "Still down: shop", color: 0x667085 }] } },
  ]);
});

test("a message's id is remembered, its own wait is kept, and a webhook that is gone disables the channel", () => {
  expect(reply(200, { id: "99" })).toEqual({ is: "delivered", reference: "99", moved: null });
  expect(reply(204, "")).toMatchObject({ is: "delivered", reference: null });
  expect(reply(429, { retry_after: 1.5, global: false })).toMatchObject({
    is: "again",
    after: 1500,
    trouble: { code: "slow_down" },
  });
  expect(reply(404, { code: 10_015 })).toMatchObject({
    is: "disabled",
    trouble: { code: "channel_gone" },
  });
  expect(reply(404, { code: 10_008 })).toMatchObject({ is: "permanent" });
});
