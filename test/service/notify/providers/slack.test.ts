import { expect, test } from "vitest";
import { accounts, configurations, notices, requestsOf, shop } from "../../../support/notices.ts";
import { slack } from "#service/notify/providers/slack";

const scene = { configuration: configurations.slack, accounts, now: notices.test.at };
const reply = (status: number, body: string, headers = {}) =>
  slack.understand({ status, headers, body }, scene);

test("an alert is a line for phones, and facts with buttons next to a red bar", () => {
  const [request, ...more] = requestsOf("slack", notices["monitor.error"]);
  expect(more).toEqual([]);
  expect(request).toMatchObject({
    method: "POST",
    url: "https://slack.test/services/T/B/secret",
    json: {
      text: "*<https://picket.test/monitors/4|Down: shop>*\nThe status code is 503, which does not count as success",
      attachments: [{ color: "#d92d20", fallback: "Down: shop" }],
    },
  });
  const shown = JSON.stringify(request?.json);
  expect(shown).toContain("*Since:* 22 Nov 2026, 14:02:10 UTC");
  expect(shown).toContain('"url":"https://picket.test/ack/abc"');
});

test("a recovery is green, what is slow amber, each a message by itself", () => {
  expect(requestsOf("slack", notices["monitor.recovered"], { reference: "x" })).toMatchObject([
    { json: { attachments: [{ color: "#12b76a" }] } },
  ]);
  expect(requestsOf("slack", notices["monitor.degraded"])).toMatchObject([
    { json: { attachments: [{ color: "#f79009" }] } },
  ]);
});

test("a name calls no channel: & < > are escaped, and nothing else", () => {
  const notice = { ...notices["monitor.error"], monitor: { ...shop, name: "<!channel> & 'co'" } };
  const [request] = requestsOf("slack", notice);
  expect(JSON.stringify(request?.json)).not.toContain("<!channel>");
  expect(request).toMatchObject({
    json: { attachments: [{ fallback: "Down: &lt;!channel&gt; &amp; 'co'" }] },
  });
});

test("long texts fit: no section has more than 3,000 characters", () => {
  const monitor = { ...shop, description: "&".repeat(1024), name: "&".repeat(10_000) };
  const [request] = requestsOf("slack", { ...notices["monitor.error"], monitor });
  const texts = [...JSON.stringify(request?.json).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)];
  expect(Math.max(...texts.map(([, text = ""]) => text.length))).toBeLessThanOrEqual(3000);
});

test("an archived channel and a deleted webhook disable it; a wait is kept", () => {
  expect(reply(200, "ok")).toMatchObject({ is: "delivered", reference: null });
  expect(reply(410, "channel_is_archived")).toMatchObject({ is: "disabled" });
  expect(reply(404, "no_service")).toMatchObject({ is: "disabled" });
  expect(reply(403, "invalid_token")).toMatchObject({ is: "failing" });
  expect(reply(400, "invalid_payload")).toMatchObject({ is: "permanent" });
  expect(reply(429, "", { "retry-after": "30" })).toMatchObject({ is: "again", after: 30_000 });
});
