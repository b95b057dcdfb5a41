import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import type { Mail } from "#service/notify/mail";
import { LinkMail } from "#service/people/link-mail";
import { smtpOnThisMachine } from "../../support/smtp-account.ts";

const signal = new AbortController().signal;
const ann = { email: "ann@example.com", token: "pkt_link_abc", by: "Bo Berg", isInvited: true };
const publicUrl = "https://picket.example.com/";
const publicAddress = { url: publicUrl };
const accounts = { smtp: smtpOnThisMachine(25, "Picket <picket@example.com>") };

test("a link is mailed to its person alone, and leads to the service's public address", async () => {
  const sent: Mail[] = [];
  const post = {
    send: async (mail: Mail) => {
      sent.push(mail);
      return { is: "delivered", reference: null, moved: null } as const;
    },
  };
  const mails = new LinkMail({ post, accounts, publicAddress });
  expect(await mails.send(ann, signal)).toEqual({ is: "sent", to: ann.email });
  const [mail] = sent;
  const url = "https://picket.example.com/join?link=pkt_link_abc";
  expect([mail?.to, sent.length]).toEqual([ann.email, 1]);
  expect(mail?.text).toContain(url);
  expect(mail?.html).toContain(`<a href="${url}">`);
  expect(mail?.text).toMatch(
    /^Bo Berg invites you to Picket at picket\.example\.com\. The link works once/,
  );
  await mails.send({ ...ann, isInvited: false }, signal);
  expect(sent[1]?.text).toMatch(/^Bo Berg sends you a link to choose a password at picket/);
  await mails.send({ ...ann, by: "" }, signal);
  expect(sent[2]?.text).toMatch(/^You have an account at picket/);
  expect(mail?.messageId).toMatch(/^<link-[\w-]+@example\.com>$/);
});

test("without a mail server or a public address no mail is tried", async () => {
  const post = { send: () => Promise.reject(new Error("a mail was tried")) };
  const without = [
    ["mail server", { post, accounts: noAccounts, publicAddress }],
    ["public address", { post, accounts, publicAddress: { url: null } }],
  ] as const;
  for (const [missing, options] of without)
    expect(await new LinkMail(options).send(ann, signal)).toEqual({ is: "not set", missing });
});

test("a mail that is not taken says why", async () => {
  const message = "the mail server does not know ann@example.com";
  const trouble = { code: "recipient_refused", message, status: 550 } as const;
  const post = { send: async () => ({ is: "permanent", trouble }) as const };
  const mails = new LinkMail({ post, accounts, publicAddress });
  expect(await mails.send(ann, signal)).toEqual({ is: "failed", why: message });
});
