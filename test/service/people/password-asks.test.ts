import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { after } from "#base/units";
import * as limits from "#limits/sign-in-limits";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import type { Mail } from "#service/notify/mail";
import { LinkMail } from "#service/people/link-mail";
import { PasswordAsks } from "#service/people/password-asks";
import { People } from "#service/people/people";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder } from "../../support/running-service.ts";
import { smtpOnThisMachine } from "../../support/smtp-account.ts";
import { memoryLog } from "../../support/twins.ts";

const from = "192.0.2.7";
const nameOf = (at: number): string => `p${at}`;
const emailOf = (at: number): string => `${nameOf(at)}@example.com`;
const taken: DeliveryOutcome = { is: "delivered", reference: null, moved: null };

/** Some people with a password, and a mail server; `asks` runs until `end`, which answers what waits before. */
async function scene(count: number, outcomeFor: (mail: Mail) => DeliveryOutcome = () => taken) {
  const database = path.join(quickFolder(), "service.sqlite");
  const store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  onTestFinished(() => store[Symbol.asyncDispose]());
  const clock = new FakeClock();
  const people = new People(store, clock);
  for (let at = 0; at < count; at += 1) {
    const person = { name: nameOf(at), email: emailOf(at), role: "reader" } as const;
    const link = { hash: `link ${at}`, until: after(clock.wall(), limits.passwordResetFor) };
    await store.people.accounts.add({ ...person, at: clock.wall(), ...link });
    await store.people.accounts.takeLink(link.hash, "kept", clock.wall());
  }
  const sent: string[] = [];
  const post = {
    send: async (mail: Mail) => {
      sent.push(mail.to);
      return outcomeFor(mail);
    },
  };
  const accounts = { smtp: smtpOnThisMachine(25, "picket@example.com") };
  const publicAddress = { url: "https://picket.example.com/" };
  const mail = new LinkMail({ post, accounts, publicAddress });
  const log = memoryLog();
  const asks = new PasswordAsks({ people, store, mail, clock, log });
  const answered = () => log.said.length;
  const stop = new AbortController();
  const running = asks.run({ stopping: stop.signal, cutOff: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await running;
  });
  const ask = async (email: string): Promise<void> => {
    const before = answered();
    asks.add({ email, from });
    await expect.poll(answered).toBe(before + 1);
  };
  return { clock, asks, ask, sent, log, answered };
}

test("all people together get 30 mails at once, and then one in 15 minutes", async () => {
  const { clock, ask, sent } = await scene(limits.passwordResetsMax + 2);
  for (let at = 0; at < limits.passwordResetsMax + 1; at += 1) await ask(emailOf(at));
  expect(sent).toHaveLength(limits.passwordResetsMax);
  await clock.advance(limits.passwordResetEvery);
  const [next, last] = [emailOf(limits.passwordResetsMax), emailOf(limits.passwordResetsMax + 1)];
  await ask(next);
  await ask(last);
  expect(sent.slice(limits.passwordResetsMax)).toEqual([next]);
});

test("a mail that is not taken counts as well, and the log says why without the address", async () => {
  const { ask, sent, log } = await scene(1, ({ to }) => ({
    is: "permanent",
    trouble: { code: "recipient_refused", message: `there is no ${to} here`, status: 550 },
  }));
  for (let at = 0; at <= limits.passwordResetsPerPersonMax; at += 1) await ask(emailOf(0));
  expect(sent).toHaveLength(limits.passwordResetsPerPersonMax);
  const said = JSON.stringify(log.said);
  expect(said).toContain("there is no the address here");
  expect(said).toContain("too many were asked for: an owner of the service can make a link");
  expect(said).not.toContain(emailOf(0));
});

test("as many asks wait as have room, and those beyond them are dropped", async () => {
  const { asks, ask, answered } = await scene(0);
  for (let at = 0; at < limits.passwordAsksWaitingMax + 50; at += 1)
    asks.add({ email: emailOf(at), from });
  await expect.poll(answered).toBe(limits.passwordAsksWaitingMax);
  await ask(emailOf(0));
});
