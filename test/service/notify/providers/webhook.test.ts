import { Ajv } from "ajv";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { WebhookEndpoint } from "#service/notify/channel";
import type { Notice } from "#service/notify/event";
import type { HttpRequest } from "#service/notify/provider-request";
import { webhook } from "#service/notify/providers/webhook";
import { webhookBody } from "#service/notify/webhook-body";
import { webhookSchema } from "#service/notify/webhook-schema";
import { epochMillis } from "#base/units";
import { accounts, configurations, delivery, notices } from "../../../support/notices.ts";

const requestOf = (
  notice: Notice,
  configuration: WebhookEndpoint = configurations.webhook,
): HttpRequest => {
  const now = epochMillis(Date.now());
  const made = webhook.render(delivery(notice), { configuration, accounts, now });
  const [request] = made.is === "requests" ? made.requests : [];
  if (request === undefined) throw new Error("no request");
  return request;
};

test("the body begins with what the public service sends", () => {
  const request = requestOf(notices["monitor.error"]);
  expect(request).toMatchObject({ method: "POST", url: "https://hook.test/in?token=secret" });
  expect(JSON.parse(request.body)).toMatchObject({
    monitor: { id: 4, name: "shop", url: "https://shop.internal/health" },
    cronTimestamp: Date.parse("2026-11-22T14:02:10Z"),
    status: "error",
    statusCode: 503,
    latency: 31,
    errorMessage: "the status code is 503, which does not count as success",
    type: "monitor.error",
    timestamp: "2026-11-22T14:02:15.000Z",
    data: {
      service: { name: "Picket", url: "https://picket.test/" },
      incident: {
        id: "17",
        startedAt: "2026-11-22T14:02:10.000Z",
        endedAt: null,
        endedBecause: null,
        acknowledged: false,
      },
      monitor: { id: "4", kind: "http", labels: { team: "shop" } },
      locations: [{ id: "1", name: "office", status: "error" }, {}, {}],
      result: { code: "unexpected_status", phase: "receive", attempts: 3, threshold: 800 },
      group: null,
    },
  });
});

test("the text of a recovery says how long it was down, since it has no sentence", () => {
  const { data } = JSON.parse(requestOf(notices["monitor.recovered"]).body);
  expect(data.message).toEqual({
    title: "Up again: shop",
    text: expect.stringMatching(/^Down: .* \(4 min 10 s\)/),
  });
});

test("the words for people have their times in the zone of the channel, and what is for programs in UTC", () => {
  const words = (timeZone: string): unknown => webhookBody(notices["monitor.recovered"], timeZone);
  expect(words("Europe/Berlin")).toMatchObject({
    timestamp: "2026-11-22T14:06:20.000Z",
    data: { message: { text: expect.stringContaining("15:02:10 to 15:06:20 CET") } },
  });
  expect(words("UTC")).toMatchObject({
    data: { message: { text: expect.stringContaining("14:02:10 to 14:06:20 UTC") } },
  });
});

const validate = new Ajv({ strict: false, validateFormats: false }).compile(webhookSchema);
// A page's news go to its readers, in another shape.
const single = Object.values(notices).filter(
  ({ type }) => type !== "digest" && type !== "page.news",
);

test.each(single.map((notice) => [notice.type, notice] as const))(
  "the body of %s is as the schema says",
  (type, notice) => {
    const body: unknown = JSON.parse(requestOf(notice).body);
    expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    expect(body).toHaveProperty("type", type);
  },
);

test("the end of an incident without a recovery closes what receivers opened, and says why", () => {
  const endOf = (type: "monitor.closed" | "monitor.recovered" | "location.closed") => {
    const { status, data } = JSON.parse(requestOf(notices[type]).body);
    return [status, data.incident.endedBecause];
  };
  expect(endOf("monitor.recovered")).toEqual(["recovered", "recovered"]);
  expect(endOf("monitor.closed")).toEqual(["recovered", notices["monitor.closed"].because]);
  expect(endOf("location.closed")).toEqual([undefined, notices["location.closed"].because]);
});

test("the schema finds what is missing", () => {
  const body = JSON.parse(requestOf(notices["monitor.error"]).body);
  delete body.data.monitor.id;
  expect(validate(body)).toBe(false);
});

test("a receiver by the standardwebhooks package takes the signature, and none of another body", () => {
  const { body, headers } = requestOf(notices["monitor.error"]);
  const receiver = new Webhook("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  expect(() => receiver.verify(body, { ...headers })).not.toThrow();
  expect(() => receiver.verify(`${body} `, { ...headers })).toThrow("No matching signature");
});

test("while a secret is rotated, receivers with the old one and with the new one take it", () => {
  const [next = "", before = ""] = [32, 64].map(
    (length) => `whsec_${Buffer.alloc(length, length).toString("base64")}`,
  );
  const { body, headers } = requestOf(notices.test, {
    ...configurations.webhook,
    signingSecrets: [next, before],
  });
  for (const secret of [next, before])
    expect(() => new Webhook(secret).verify(body, { ...headers })).not.toThrow();
});

test("the id is the delivery's at every attempt, and the channel's headers go with it", () => {
  expect(requestOf(notices.test).headers).toMatchObject({
    "webhook-id": "dlv_5.17.1",
    "content-type": "application/json",
    authorization: "Bearer secret",
  });
});

test("410 disables the channel, a redirect is a failure, and a wait is kept", () => {
  const reply = (status: number, headers = {}) =>
    webhook.understand(
      { status, headers, body: "" },
      { configuration: configurations.webhook, accounts, now: notices.test.at },
    );
  expect(reply(204)).toMatchObject({ is: "delivered" });
  expect(reply(302)).toMatchObject({ is: "permanent", trouble: { code: "redirected" } });
  expect(reply(410)).toMatchObject({ is: "disabled" });
  for (const status of [429, 502, 504])
    expect(reply(status, { "retry-after": "7" })).toMatchObject({ is: "again", after: 7000 });
  expect(reply(503, { "retry-after": "86400" })).toMatchObject({ after: 3_600_000 });
});

test.each([401, 403])("a %s asks for another look at the URL and the headers", (status) => {
  const now = epochMillis(Date.now());
  const scene = { configuration: configurations.webhook, accounts, now };
  const reply = { status, headers: {}, body: "" };
  expect(webhook.understand(reply, scene)).toMatchObject({
    is: "failing",
    trouble: {
      code: "key_refused",
      message: `The webhook refuses this message (${status}): check the URL and the headers`,
    },
  });
});
