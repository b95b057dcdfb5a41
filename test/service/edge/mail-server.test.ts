import path from "node:path";
import { expect, test } from "vitest";
import { type GivenServer, MailServer } from "#service/edge/mail-server";
import { seconds } from "#base/units";
import { openSecretBox } from "#service/edge/secret-box";
import { mailServerSetting } from "#service/store/kept-mail-server";
import { FakeClock } from "../../support/fake-clock.ts";
import { quickFolder } from "../../support/running-service.ts";
import { smtpOnThisMachine } from "../../support/smtp-account.ts";

const given: GivenServer = {
  host: "mail.acme.test",
  port: 587,
  tls: "starttls",
  login: { user: "planted-user", password: "planted-password" },
  from: "Picket <picket@acme.test>",
};
const nothing = { setting: null, dkim: null };
const box = () => openSecretBox(path.join(quickFolder(), "key"));

/** A store's settings in memory. */
function settingsIn(kept: Map<string, string>) {
  return {
    all: async () => new Map(kept),
    put: async (name: string, value: string) => void kept.set(name, value),
    remove: async (name: string) => kept.delete(name),
  };
}

test("what an owner gives is kept with its password sealed, and is there again after a restart", async () => {
  const [kept, own] = [new Map<string, string>(), box()];
  const server = new MailServer(settingsIn(kept), own, nothing);
  await server.change(given);
  expect(kept.get(mailServerSetting)).toMatch(/"sealed":"1\.[\w-]+\.[\w-]+"/);
  expect([...kept.values()].join()).not.toContain("planted-password");
  const restarted = new MailServer(settingsIn(kept), own, nothing);
  await restarted.read();
  expect(restarted.account).toEqual({ ...given, dkim: null, isGiven: true });
  expect([restarted.isSetting, restarted.isLost]).toEqual([false, false]);
  await restarted.change(null);
  expect([restarted.account, kept.size]).toEqual([null, 0]);
});

test("with another key nothing is known of what is kept, and that it is lost", async () => {
  const kept = new Map<string, string>();
  await new MailServer(settingsIn(kept), box(), nothing).change(given);
  const server = new MailServer(settingsIn(kept), box(), nothing);
  await server.read();
  expect([server.account, server.isLost]).toEqual([null, true]);
  await server.change(given);
  expect([server.account?.host, server.isLost]).toEqual(["mail.acme.test", false]);
});

test("a password that is kept for one server is not opened for another", async () => {
  const [kept, own] = [new Map<string, string>(), box()];
  await new MailServer(settingsIn(kept), own, nothing).change(given);
  const elsewhere = (kept.get(mailServerSetting) ?? "").replace("mail.acme.test", "evil.test");
  const server = new MailServer(
    settingsIn(new Map([[mailServerSetting, elsewhere]])),
    own,
    nothing,
  );
  await server.read();
  expect([server.account, server.isLost]).toEqual([null, true]);
});

test("the environment wins as a whole, and its key signs the mails of either", async () => {
  const dkim = { domain: "acme.test", selector: "picket", privateKey: "pem" };
  const setting = smtpOnThisMachine(25, "env@acme.test");
  const [kept, own] = [new Map<string, string>(), box()];
  const server = new MailServer(settingsIn(kept), own, { setting, dkim });
  await server.change(given);
  expect([server.account, server.isSetting]).toEqual([setting, true]);
  const without = new MailServer(settingsIn(kept), own, { setting: null, dkim });
  await without.read();
  expect(without.account).toEqual({ ...given, dkim, isGiven: true });
});

test("a read that finds the same keeps the account, so that connections to its server stay", async () => {
  const server = new MailServer(settingsIn(new Map()), box(), nothing);
  await server.change(given);
  const before = server.account;
  await server.read();
  expect(server.account).toBe(before);
});

test("a read that begins before a change and ends after it does not bring the former server back", async () => {
  const own = box();
  const before = new Map<string, string>();
  await new MailServer(settingsIn(before), own, nothing).change(given);
  const began = Promise.withResolvers<Map<string, string>>();
  const settings = { ...settingsIn(new Map()), all: () => began.promise };
  const server = new MailServer(settings, own, nothing);
  const reading = server.read();
  await server.change({ ...given, host: "new.acme.test" });
  began.resolve(before);
  await reading;
  expect(server.account?.host).toBe("new.acme.test");
});

test("what is changed at another replica counts here within half a minute", async () => {
  const [kept, own] = [new Map<string, string>(), box()];
  const clock = new FakeClock();
  const here = new MailServer(settingsIn(kept), own, nothing);
  const stop = new AbortController();
  const running = here.run(clock, stop.signal);
  await new MailServer(settingsIn(kept), own, nothing).change(given);
  expect(here.account).toBeNull();
  await clock.advance(seconds(30));
  expect(here.account?.host).toBe("mail.acme.test");
  stop.abort();
  await running;
});
