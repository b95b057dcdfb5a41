import { generateKeyPairSync } from "node:crypto";
import { createSecureContext } from "node:tls";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import type { SmtpAccount } from "#service/notify/accounts";
import { MailPost } from "#service/notify/mail-post";
import { openSender } from "#service/notify/sender";
import {
  smtpGreylists,
  smtpHangsAfterData,
  smtpKnowsNoSuchUser,
  smtpOffersNoTls,
  smtpWantsALogin,
  startMailServer,
} from "../../servers/mail-servers.ts";
import { Authority } from "../../support/authority.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { accounts, configurations, delivery, notices, shop } from "../../support/notices.ts";
import { channelOf, direct, tried, type Trying } from "../../support/sending.ts";

const channel = channelOf("email", configurations.email);

/** By a server on this machine, which may lack TLS unless the test says otherwise. */
const by = (port: number, more: Partial<SmtpAccount> = {}): Trying["options"] => ({
  accounts: {
    ...accounts,
    smtp: {
      host: "127.0.0.1",
      port,
      tls: "if-offered",
      login: null,
      dkim: null,
      isGiven: false,
      from: "Picket <picket@example.test>",
      ...more,
    },
  },
});

const head = (mail: string): string => mail.split("\r\n\r\n")[0]?.replace(/\r\n[ \t]+/g, " ") ?? "";

test("a mail has a text and an HTML part, says that a program wrote it, and calls for nothing from elsewhere", async () => {
  await using server = await startMailServer();
  expect(await tried(channel, { options: by(server.port) ?? {} })).toEqual({
    is: "delivered",
    reference: "<dlv_5.17.1@example.test>",
    moved: null,
  });
  const [mail = ""] = server.mails;
  expect(head(mail)).toMatch(/^From: Picket <picket@example\.test>$/m);
  expect(head(mail)).toMatch(/^To: ops@example\.test$/m);
  expect(head(mail)).toMatch(/^Subject: Down: shop$/m);
  expect(head(mail)).toMatch(/^Message-ID: <dlv_5\.17\.1@example\.test>$/m);
  expect(head(mail)).toMatch(/^Auto-Submitted: auto-generated$/m);
  expect(head(mail)).toMatch(/^X-Auto-Response-Suppress: All$/m);
  expect(head(mail)).not.toMatch(/^(References|In-Reply-To):/m);
  expect(mail).toMatch(/Content-Type: text\/plain/);
  expect(mail).toMatch(/Content-Type: text\/html/);
  expect(mail).not.toMatch(/<(img|script|link|iframe)\b|url\(/i);
  expect(Buffer.byteLength(mail)).toBeLessThan(100_000);
});

test("a later mail is in the thread of the incident's first", async () => {
  await using server = await startMailServer();
  const reference = "<dlv_5.17.0@example.test>";
  const notice = notices["monitor.recovered"];
  expect(await tried(channel, { notice, reference, options: by(server.port) ?? {} })).toMatchObject(
    { reference },
  );
  expect(head(server.mails[0] ?? "")).toMatch(/^In-Reply-To: <dlv_5\.17\.0@example\.test>$/m);
  expect(head(server.mails[0] ?? "")).toMatch(/^References: <dlv_5\.17\.0@example\.test>$/m);
});

test("a name can neither add a header nor another recipient", async () => {
  await using server = await startMailServer();
  const monitor = { ...shop, name: "shop\r\nBcc: evil@example.test\r\n\r\n<b>x</b>" };
  const notice = { ...notices["monitor.error"], monitor };
  await tried(channel, { notice, options: by(server.port) ?? {} });
  expect(head(server.mails[0] ?? "")).not.toMatch(/^Bcc:/im);
  expect(head(server.mails[0] ?? "")).toMatch(
    /^Subject: Down: shop Bcc: evil@example\.test <b>x<\/b>$/m,
  );
});

test("elsewhere STARTTLS is required: without it no mail and no password leaves", async () => {
  const authority = await Authority.create();
  const leaf = await authority.issue({ altNames: ["127.0.0.1"] });
  const context = createSecureContext({ ca: authority.cert });
  const login = { user: "picket", password: "right" };
  await using server = await startMailServer({ ...leaf, ...smtpWantsALogin("picket", "right") });
  const options = { ...by(server.port, { tls: "starttls", login }), secureContext: () => context };
  expect(await tried(channel, { options })).toMatchObject({ is: "delivered" });
  expect(server.secure).toEqual([true]);
  await using plain = await startMailServer(smtpOffersNoTls);
  const without = { ...by(plain.port, { tls: "starttls", login }), secureContext: () => context };
  expect(await tried(channel, { options: without })).toMatchObject({
    is: "failing",
    trouble: { code: "unreachable", message: expect.stringContaining("STARTTLS") },
  });
  expect(plain.mails).toEqual([]);
});

test("a certificate that is not trusted stops a mail before the password", async () => {
  const leaf = await (await Authority.create()).issue({ altNames: ["127.0.0.1"] });
  await using server = await startMailServer(leaf);
  const outcome = await tried(channel, { options: by(server.port, { tls: "starttls" }) ?? {} });
  expect(outcome).toMatchObject({
    is: "failing",
    trouble: { code: "unreachable", message: expect.stringContaining("PICKET_CA_FILE") },
  });
  expect(server.mails).toEqual([]);
});

test("a wrong password fails the channel, names the setting, and is not shown", async () => {
  const authority = await Authority.create();
  const leaf = await authority.issue({ altNames: ["127.0.0.1"] });
  const context = createSecureContext({ ca: authority.cert });
  await using server = await startMailServer({ ...leaf, ...smtpWantsALogin("picket", "right") });
  const login = { user: "picket", password: "wrong-secret" };
  const options = { ...by(server.port, { tls: "starttls", login }), secureContext: () => context };
  const outcome = await tried(channel, { options });
  expect(outcome).toMatchObject({
    is: "failing",
    trouble: {
      code: "key_refused",
      status: 535,
      message: expect.stringContaining("PICKET_SMTP_URL"),
    },
  });
  expect(JSON.stringify(outcome)).not.toContain("secret");
});

test("a greylisted mail comes again, an unknown recipient does not", async () => {
  await using grey = await startMailServer(smtpGreylists);
  expect(await tried(channel, { options: by(grey.port) ?? {} })).toMatchObject({
    is: "again",
    trouble: { status: 451 },
  });
  await using unknown = await startMailServer(smtpKnowsNoSuchUser);
  expect(await tried(channel, { options: by(unknown.port) ?? {} })).toMatchObject({
    is: "permanent",
    trouble: {
      code: "recipient_refused",
      status: 550,
      message:
        "the mail server does not take mail for this address (550): correct the address; it answered “5.1.1 No such user”",
    },
  });
});

test("what a server answers is shown without the login and without links", async () => {
  const plain = Buffer.from("\0picket-user\0wrong-secret").toString("base64");
  const refusal = `5.7.1 picket-user with wrong-secret (${plain}) is blocked, see https://help.test/?id=7\r\n`;
  await using server = await startMailServer({
    onMailFrom: (_address, _session, callback) =>
      callback(Object.assign(new Error(refusal), { responseCode: 554 })),
    onAuth: (_auth, _session, callback) => callback(null, { user: "picket-user" }),
    allowInsecureAuth: true,
  });
  const login = { user: "picket-user", password: "wrong-secret" };
  const outcome = await tried(channel, { options: by(server.port, { login }) ?? {} });
  expect(outcome).toMatchObject({
    trouble: {
      message:
        "the mail server does not take this mail (554); it answered “5.7.1 [removed] with [removed] ([removed]A==) is blocked, see [removed]”",
    },
  });
});

test("a server that hangs after the data is left in time, and comes again with the same Message-ID", async () => {
  const clock = new FakeClock();
  await using server = await startMailServer(smtpHangsAfterData);
  await using sender = openSender({ ...direct, ...by(server.port), clock });
  const send = () => sender.send(channel, delivery(notices.test), new AbortController().signal);
  const first = send();
  await server.had(1);
  await clock.advance(45_000);
  expect(await first).toMatchObject({ is: "again", trouble: { code: "timed_out" } });
  const second = send();
  await server.had(2);
  await clock.advance(45_000);
  await second;
  const ids = server.mails.map((mail) => /^Message-ID: (.*)$/m.exec(head(mail))?.[1]);
  expect(ids).toEqual(["<dlv_5.17.1@example.test>", "<dlv_5.17.1@example.test>"]);
});

test("a mail that is not in time cuts off none that is under way next to it", async () => {
  const clock = new FakeClock();
  const begun: (() => void)[] = [];
  const reached = Promise.withResolvers<void>();
  await using server = await startMailServer({
    onRcptTo: (_address, _session, callback) => {
      begun.push(callback);
      if (begun.length === 2) reached.resolve();
    },
  });
  await using sender = openSender({ ...direct, ...by(server.port), clock });
  const send = () => sender.send(channel, delivery(notices.test), new AbortController().signal);
  const first = send();
  await clock.advance(44_000);
  const second = send();
  await reached.promise;
  await clock.advance(1_000);
  expect(await first).toMatchObject({ is: "again", trouble: { code: "timed_out" } });
  begun[1]?.();
  expect(await second).toMatchObject({ is: "delivered" });
});

test("a mail is signed by DKIM if the service has a key", async () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  await using server = await startMailServer();
  const dkim = { domain: "example.test", selector: "picket", privateKey };
  const options = by(server.port, { dkim }) ?? {};
  expect(await tried(channel, { options })).toMatchObject({ is: "delivered" });
  const signature = /^DKIM-Signature: (.*)$/m.exec(head(server.mails[0] ?? ""))?.[1] ?? "";
  expect(signature).toMatch(/a=rsa-sha256;.* d=example\.test;.* s=picket;.* bh=\S+;.* b=\S{30}/);
  expect(signature).toMatch(/h=[^;]*from[^;]*subject/i);
});

test("a mail to a subscriber has a button that ends it, which is signed; only https has one click", async () => {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  await using server = await startMailServer();
  const dkim = { domain: "example.test", selector: "picket", privateKey };
  const smtp = by(server.port, { dkim })?.accounts?.smtp ?? null;
  await using post = new MailPost({ smtp }, { clock: systemClock, secureContext: undefined });
  const headOf = async (leaveUrl: string): Promise<string> => {
    const mail = { to: "a@b.test", subject: "s", text: "t", html: "<p>t</p>", messageId: "<1@b>" };
    const sent = await post.send({ ...mail, thread: null, leaveUrl }, AbortSignal.any([]));
    expect(sent.is).toBe("delivered");
    return head(server.mails.at(-1) ?? "");
  };
  const secure = await headOf("https://s.test/unsubscribe/1");
  expect(secure).toMatch(/^List-Unsubscribe: +<https:\/\/s\.test\/unsubscribe\/1>$/m);
  expect(secure).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
  expect(secure).toMatch(/h=[^;]*list-unsubscribe:list-unsubscribe-post/i);
  const plain = await headOf("http://127.0.0.1/unsubscribe/1");
  expect(plain).toMatch(/^List-Unsubscribe: +<http:\/\/127\.0\.0\.1\/unsubscribe\/1>$/m);
  expect(plain).not.toMatch(/^List-Unsubscribe-Post/m);
});

test("the next mail goes by the server that is set then, and the connection to the former one ends", async () => {
  const gone = Promise.withResolvers<void>();
  await using former = await startMailServer({ onClose: () => gone.resolve() });
  await using other = await startMailServer();
  const live: { smtp: SmtpAccount | null } = { smtp: null };
  await using post = new MailPost(live, { clock: systemClock, secureContext: undefined });
  const mail = { to: "a@b.test", subject: "s", text: "t", html: "<p>t</p>", messageId: "<1@b>" };
  const send = () => post.send({ ...mail, thread: null, leaveUrl: null }, AbortSignal.any([]));
  expect(await send()).toMatchObject({ is: "failing", trouble: { code: "not_configured" } });
  live.smtp = by(former.port)?.accounts?.smtp ?? null;
  expect((await send()).is).toBe("delivered");
  live.smtp = by(other.port)?.accounts?.smtp ?? null;
  expect((await send()).is).toBe("delivered");
  await gone.promise;
  expect([former.mails.length, other.mails.length]).toEqual([1, 1]);
});

test.each([
  [true, "correct them in Settings → Mail"],
  [false, "correct PICKET_SMTP_URL"],
])("a refused login says where it is set: by an owner %s", async (isGiven, where) => {
  await using server = await startMailServer({
    ...smtpWantsALogin("u", "right"),
    hideSTARTTLS: true,
    allowInsecureAuth: true,
  });
  const login = { user: "u", password: "wrong" };
  const options = by(server.port, { login, isGiven }) ?? {};
  expect(await tried(channel, { options })).toMatchObject({
    is: "failing",
    trouble: { message: expect.stringContaining(`(535): ${where}`) },
  });
});
