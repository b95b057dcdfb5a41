import { expect, test } from "vitest";
import {
  accounts,
  configurations,
  notices,
  rendered,
  shop,
  worsened,
} from "../../support/notices.ts";
import type { Accounts } from "#service/notify/accounts";
import { say } from "#service/notify/message/say";
import { phoneText } from "#service/notify/phone-text";
import type { Notice } from "#service/notify/event";
import { whatsapp } from "#service/notify/providers/whatsapp";
import { sms } from "#service/notify/providers/sms";

const form = (provider: "sms" | "whatsapp", notice: Notice): Record<string, string> => {
  const made = rendered(provider, notice);
  return made.is === "requests"
    ? Object.fromEntries(new URLSearchParams(made.requests[0]?.body ?? ""))
    : {};
};

test("a text message is one segment of ASCII, with state and name first and a short link", () => {
  expect(form("sms", notices["monitor.error"])).toEqual({
    To: "+491701234567",
    From: "+15550001111",
    Body: "Down: shop, 14:02 UTC. The status code is 503, which does not count as success https://picket.test/monitors/4",
  });
  const monitor = { ...shop, name: `Größe „Łódź" 漢 {x} ${"long ".repeat(2_000)}` };
  const { Body = "" } = form("sms", { ...notices["monitor.error"], monitor });
  expect(Body).toMatch(/^Down: Gro\?e/);
  expect(Body).toMatch(/14:02 UTC https:\/\/picket\.test\/monitors\/4$/);
  expect(Body.length).toBeLessThanOrEqual(160);
  expect(Body).toMatch(/^[A-Za-z0-9 @!"#%&'()*+,\-./:;<=>?_$]*$/);
});

test("a zone without an abbreviation has its minus as GSM's alphabet has it", () => {
  const text = phoneText(say(notices["monitor.error"], "America/Sao_Paulo"));
  expect(text).toMatch(/^Down: shop, 11:02 GMT-3\. /);
});

test("its request goes to the account's messages, with its login", () => {
  const made = rendered("sms", notices["monitor.error"]);
  expect(made).toMatchObject({
    requests: [
      {
        method: "POST",
        url: "https://twilio.test/2010-04-01/Accounts/AC1/Messages.json",
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          authorization: `Basic ${Buffer.from("AC1:secret-token").toString("base64")}`,
        },
      },
    ],
  });
});

test("a telephone is not called for reminders, nor for what got better", () => {
  const better = {
    ...notices["monitor.degraded"],
    occasion: { why: "changed", from: "error" },
  } as const;
  for (const provider of ["sms", "whatsapp"] as const) {
    expect(rendered(provider, notices["monitor.reminder"])).toMatchObject({ is: "nothing" });
    expect(rendered(provider, better)).toMatchObject({ is: "nothing" });
    expect(rendered(provider, worsened)).toMatchObject({ is: "requests" });
    expect(rendered(provider, notices["monitor.recovered"])).toMatchObject({ is: "requests" });
  }
});

test("a template gets five texts on one line each, none of them empty", () => {
  const { ContentVariables = "", ...rest } = form("whatsapp", notices["monitor.recovered"]);
  expect(rest).toEqual({
    To: "whatsapp:+491701234567",
    From: "whatsapp:+15550001111",
    ContentSid: "HX1",
  });
  expect(JSON.parse(ContentVariables)).toEqual({
    1: "Up again",
    2: "shop",
    3: "14:06 UTC",
    4: "-",
    5: "https://picket.test/monitors/4",
  });
});

const meta: Accounts = {
  ...accounts,
  whatsapp: {
    by: "meta",
    phoneNumberId: "777",
    token: "secret",
    template: "picket_alert",
    language: "en",
    baseUrl: "https://graph.test/v23.0",
  },
};

test("by Meta's interface the same texts are a template's parameters", () => {
  const made = rendered("whatsapp", notices["monitor.error"], { with: meta });
  const [request] = made.is === "requests" ? made.requests : [];
  expect(request).toMatchObject({
    url: "https://graph.test/v23.0/777/messages",
    headers: { authorization: "Bearer secret" },
  });
  expect(JSON.parse(request?.body ?? "")).toMatchObject({
    messaging_product: "whatsapp",
    to: "491701234567",
    type: "template",
    template: {
      name: "picket_alert",
      language: { code: "en" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "Down" },
            { type: "text", text: "shop" },
            { type: "text", text: "14:02 UTC" },
            { type: "text", text: "The status code is 503, which does not count as success" },
            { type: "text", text: "https://picket.test/monitors/4" },
          ],
        },
      ],
    },
  });
});

test.each([
  [131_056, { is: "again", after: 16_000 }],
  [130_429, { is: "again" }],
  [132_001, { is: "failing", trouble: { code: "not_configured" } }],
  [131_026, { is: "permanent", trouble: { code: "recipient_refused" } }],
  [190, { is: "failing", trouble: { code: "key_refused" } }],
])("Meta's error %i is understood", (code, outcome) => {
  const scene = { configuration: configurations.whatsapp, accounts: meta, now: notices.test.at };
  const reply = {
    status: 400,
    headers: {},
    body: JSON.stringify({ error: { code, message: "x" } }),
  };
  expect(whatsapp.understand(reply, scene)).toMatchObject(outcome);
});

const scene = { configuration: configurations.sms, accounts, now: notices.test.at };
const reply = (status: number, body: unknown) => ({
  status,
  headers: {},
  body: JSON.stringify(body),
});

test("Twilio is asked after 30 seconds what became of the message", () => {
  const taken = sms.understand(reply(201, { sid: "SM1", status: "queued" }), scene);
  expect(taken).toEqual({ is: "accepted", reference: null, receipt: "SM1", askAfter: 30_000 });
  expect(sms.asking?.request("SM1", scene)).toMatchObject({
    method: "GET",
    url: "https://twilio.test/2010-04-01/Accounts/AC1/Messages/SM1.json",
  });
  const asked = (body: unknown) => sms.asking?.understand(reply(200, body), "SM1", scene);
  expect(asked({ status: "delivered" })).toMatchObject({ is: "delivered" });
  expect(asked({ status: "sending" })).toMatchObject({ is: "again", after: 30_000 });
  expect(asked({ status: "undelivered", error_code: 30_003 })).toMatchObject({ is: "permanent" });
});

test.each([
  [400, 21_211, "permanent"],
  [400, 21_610, "permanent"],
  [400, 21_408, "permanent"],
  [429, 20_429, "again"],
  [401, 20_003, "failing"],
])("Twilio's %i with %i ends as %s", (status, code, is) => {
  expect(sms.understand(reply(status, { code }), scene)).toMatchObject({ is });
});
