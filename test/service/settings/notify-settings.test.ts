import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Environment } from "#config/environment";
import { readNotifySettings } from "#service/settings/notify-settings";
import { epochMillis } from "#base/units";

const folder = mkdtempSync(path.join(tmpdir(), "picket-notify-"));
afterAll(() => rmSync(folder, { recursive: true }));
const read = (env: Environment) => readNotifySettings(env, epochMillis(0));
const file = (name: string, text: string): string => {
  const named = path.join(folder, name);
  writeFileSync(named, text);
  return named;
};

test("without a setting the service has no account, and goes directly", () => {
  const { notifying, errors } = read({});
  expect(errors).toEqual([]);
  expect(notifying).toMatchObject({
    accounts: { smtp: null, telegram: null, sms: null, whatsapp: null },
    proxying: { proxy: null },
    httpAllowed: false,
  });
});

test.each([
  ["smtp://mail.example.com", { port: 587, tls: "starttls", login: null }],
  [
    "smtps://u%40x:p%3Aw@mail.example.com",
    { port: 465, tls: "implicit", login: { user: "u@x", password: "p:w" } },
  ],
  ["smtp://127.0.0.1:1025", { port: 1025, tls: "if-offered", login: null }],
])("%s is a mail server: STARTTLS is required unless it is on this machine", (url, smtp) => {
  const { notifying, errors } = read({ PICKET_SMTP_URL: url, PICKET_SMTP_FROM: "a@b.test" });
  expect(errors).toEqual([]);
  expect(notifying.accounts.smtp).toMatchObject({ ...smtp, from: "a@b.test" });
});

test("secrets are taken from files, which are not mixed with variables", () => {
  const token = file("bot", "123:secret\n");
  const url = file("smtp", "smtps://u:secret@mail.example.com\n");
  const env = {
    PICKET_TELEGRAM_BOT_TOKEN_FILE: token,
    PICKET_SMTP_URL_FILE: url,
    PICKET_SMTP_FROM: "a@b.test",
  };
  expect(read(env).notifying.accounts).toMatchObject({
    telegram: { token: "123:secret", baseUrl: "https://api.telegram.org" },
    smtp: { login: { password: "secret" } },
  });
  expect(read({ ...env, PICKET_TELEGRAM_BOT_TOKEN: "456:secret" }).errors).toEqual([
    "PICKET_TELEGRAM_BOT_TOKEN and PICKET_TELEGRAM_BOT_TOKEN_FILE cannot be used together: set one",
  ]);
});

test("Twilio sends by a number or by a messaging service, with a token or a key", () => {
  const env = {
    PICKET_TWILIO_ACCOUNT_SID: "AC1",
    PICKET_TWILIO_AUTH_TOKEN: "secret",
    PICKET_TWILIO_FROM: "+15550001111",
  };
  expect(read(env).notifying.accounts.sms).toMatchObject({
    user: "AC1",
    from: { by: "number", number: "+15550001111" },
    baseUrl: "https://api.twilio.com",
  });
  const other = { ...env, PICKET_TWILIO_FROM: "MG1", PICKET_TWILIO_API_KEY: "SK1" };
  expect(read(other).notifying.accounts.sms).toMatchObject({
    user: "SK1",
    from: { by: "messaging-service", sid: "MG1" },
  });
});

test("WhatsApp goes by Twilio or by Meta", () => {
  const env = { PICKET_WHATSAPP_FROM: "777", PICKET_WHATSAPP_TEMPLATE: "picket_alert" };
  const meta = { ...env, PICKET_WHATSAPP_PROVIDER: "meta", PICKET_WHATSAPP_TOKEN: "secret" };
  expect(read(meta).notifying.accounts.whatsapp).toMatchObject({
    by: "meta",
    phoneNumberId: "777",
    language: "en",
  });
  const twilio = {
    PICKET_WHATSAPP_PROVIDER: "twilio",
    PICKET_WHATSAPP_FROM: "+15550001111",
    PICKET_WHATSAPP_TEMPLATE: "HX1",
    PICKET_TWILIO_ACCOUNT_SID: "AC1",
    PICKET_TWILIO_AUTH_TOKEN: "secret",
  };
  const { notifying, errors } = read(twilio);
  expect(errors).toEqual([]);
  expect(notifying.accounts).toMatchObject({
    sms: null,
    whatsapp: { by: "twilio", contentSid: "HX1" },
  });
});

test("what is wrong or missing is named by its variable, and no secret is quoted", () => {
  const { errors } = read({
    PICKET_SMTP_URL: "http://user:secret@mail",
    PICKET_TWILIO_AUTH_TOKEN: "secret",
    PICKET_WHATSAPP_PROVIDER: "pigeon",
    PICKET_TELEGRAM_BOT_TOKEN_FILE: path.join(folder, "nothing"),
    PICKET_NOTIFY_PROXY: "socks://user:secret@proxy",
  });
  expect(errors.map((error) => error.split(" ")[0])).toEqual([
    "PICKET_SMTP_URL",
    "PICKET_TELEGRAM_BOT_TOKEN_FILE",
    "PICKET_WHATSAPP_PROVIDER",
    "Twilio",
    "PICKET_NOTIFY_PROXY",
  ]);
  expect(errors.join()).not.toContain("secret");
});

test("messages link to the service's address where one is given", () => {
  expect(read({}).publicUrl).toBeNull();
  const env = { PICKET_SERVICE_PUBLIC_URL: "https://picket.example.com/base/" };
  expect(read(env).publicUrl).toBe("https://picket.example.com/base/");
  expect(read({ PICKET_SERVICE_PUBLIC_URL: "picket" }).errors).toHaveLength(1);
});

test("a proxy for notifications, and hosts that are reached without it", () => {
  const { proxying } = read({
    PICKET_NOTIFY_PROXY: "http://proxy.example.com:3128",
    PICKET_NO_PROXY: "10.0.0.0/8",
  }).notifying;
  expect(proxying).toMatchObject({ proxy: { host: "proxy.example.com", port: 3128 } });
  expect(proxying.exceptions).toHaveLength(1);
});

test("the heartbeat's URL may have a query, and is not quoted if it is wrong", () => {
  const heartbeat = (value: string) => read({ PICKET_SERVICE_HEARTBEAT_URL: value });
  expect(read({}).heartbeatUrl).toBeNull();
  expect(heartbeat("https://watcher.test/a?b=c").heartbeatUrl).toBe("https://watcher.test/a?b=c");
  const { errors } = heartbeat("ftp://watcher.test/secret");
  expect(errors).toEqual([
    "PICKET_SERVICE_HEARTBEAT_URL must be an http or https URL, e.g. https://watcher.example.com/ping/4f2a",
  ]);
});

test("DKIM needs its domain, its selector and a key that can sign; phones have a quota", () => {
  const smtp = { PICKET_SMTP_URL: "smtp://mail.test", PICKET_SMTP_FROM: "a@b.test" };
  const key = file("dkim", "no key");
  expect(read({ ...smtp, PICKET_SMTP_DKIM_KEY_FILE: key }).errors).toEqual([
    "DKIM needs PICKET_SMTP_DKIM_DOMAIN and PICKET_SMTP_DKIM_SELECTOR too",
  ]);
  const names = { PICKET_SMTP_DKIM_DOMAIN: "b.test", PICKET_SMTP_DKIM_SELECTOR: "picket" };
  expect(read({ ...smtp, ...names, PICKET_SMTP_DKIM_KEY_FILE: key }).errors).toEqual([
    "PICKET_SMTP_DKIM_KEY_FILE must name a file with a private key as PEM, without passphrase",
  ]);
  expect(read({}).notifying.accounts.phoneMonthlyMax).toBe(1_000);
  const many = read({ PICKET_PHONE_MESSAGES_MAX: "50" });
  expect(many.notifying.accounts.phoneMonthlyMax).toBe(50);
});
