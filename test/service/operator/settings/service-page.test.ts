import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { noAccounts } from "#service/notify/accounts";
import { openStore } from "#service/store/open-store";
import { smtpKnowsNoSuchUser, startMailServer } from "../../../servers/mail-servers.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import {
  byAccount,
  byKey,
  formTokenIn,
  type SignedIn,
  signedIn,
} from "../../../support/signed-in.ts";

const wordsIn = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/\s+/g, " ");
const scene = () => operatorScene({ pages: "signed in", days: 0 });
const shop = "https://picket.shop.test";

/** Where the newest message leads that the service sent. */
const linked = ({ sent }: OperatorScene): string | null | undefined => {
  const notice = sent.at(-1)?.notice;
  return notice?.type === "test" ? notice.service.url : undefined;
};

/** Makes a channel and sends a test message to it. */
async function channelOf(owner: SignedIn): Promise<void> {
  await owner.send("/channels/new/webhook", {
    name: "Operations",
    endpoint: "https://hook.test/",
    every_monitor: "yes",
    events: "error",
    time_zone: "UTC",
  });
  await owner.send("/channels/1/test");
}

test("messages have links as soon as an owner has given the public address, and none after it is taken away", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const before = await owner.text("/settings/service");
  expect(before).toContain("Messages have no links yet");
  expect(before).toContain(`value="${here.service.url}"`);
  await channelOf(owner);
  expect(linked(here)).toBe(null);
  const note = "The URLs are an example: service.url, monitor.url and incident.url are null";
  expect(await owner.text("/channels/new/webhook")).toContain(note);
  const given = await owner.send("/settings/service", { address: ` ${shop} ` });
  expect(given.headers.get("location")).toBe("/settings/service?notice=address");
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(`${shop}/`);
  expect(await owner.text("/channels/new/webhook")).not.toContain(note);
  const after = await owner.text("/settings/service");
  expect(after).toContain(`lead to <strong>${shop}/</strong>`);
  const log = (await owner.text("/changes")).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  expect(log).toContain("created setting public address");
  expect(log).toContain(`Value – ${shop}/`);
  await owner.send("/settings/service", { address: "" });
  here.clock.suspend(minutes(1));
  await owner.send("/channels/1/test");
  expect(linked(here)).toBe(null);
});

test.each([
  "shop",
  "ftp://shop.test",
  `${shop}/path`,
  `${shop}?a`,
  "https://a:b@shop.test",
  "https://a$(id).example.com",
  "https://a;id;.com",
  "http://`reboot`/",
  "x".repeat(400),
])("what is no address of a service is refused at its field, and kept: %s", async (address) => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const refused = await owner.send("/settings/service", { address });
  const page = await refused.text();
  expect([refused.status, page.includes(`value="${address}"`)]).toEqual([400, true]);
  expect(page).toContain("It must be a scheme and a host, for example https://picket.example.com.");
});

/** Gives the first person with an account a passkey for each of these hosts, as if a browser had made them. */
async function passkeysFor(here: OperatorScene, hosts: readonly string[]): Promise<void> {
  await using store = await openStore({
    database: here.database,
    use: "command",
    onProgress: () => {},
  });
  const [person] = await store.people.accounts.list();
  if (person === undefined) return expect.fail("no one has an account");
  const at = here.clock.wall();
  for (const [index, host] of hosts.entries()) {
    const one = { name: `${index}`, credential: `c${index}`, challenge: `a${index}`, until: at };
    const made = { ...one, host, at, publicKey: "k", counter: 0, transports: [] };
    expect(await store.people.passkeys.add(person.id, made, [], 9)).toMatch(/^added/);
  }
}

test("an address at which passkeys stop working is saved at the second press for it, which says how many they are", async () => {
  const here = await scene();
  const owner = await byAccount(here, "ann@example.com", "owner");
  await passkeysFor(here, ["here.test", "here.test", "shop.test"]);
  const press = async (fields: Record<string, string>) => {
    const answer = await owner.send("/settings/service", fields);
    return { to: answer.headers.get("location"), page: await answer.text() };
  };
  const first = await press({ address: "https://here.test", next: "/start" });
  expect([first.to, first.page]).toEqual([
    null,
    expect.stringContaining(
      "1 passkey would stop working, because it is for another host than that of https://here.test/.",
    ),
  ]);
  expect(await owner.text("/settings/service")).toContain("Messages have no links yet");
  const hidden = [...first.page.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)];
  const fields = Object.fromEntries(hidden.map(([, name = "", value = ""]) => [name, value]));
  // Another address than the one that the page named is asked about anew.
  const edited = await press({ ...fields, address: "https://other.test" });
  expect(edited.page).toContain("3 passkeys would stop working");
  const second = await press({ ...fields, address: "https://here.test" });
  expect(second.to).toBe("/start?notice=address");
  // The passkey of shop.test works no more already: only those of the host in use count.
  const third = await press({ address: "https://third.test" });
  expect(third.page).toContain("2 passkeys would stop working");
  expect((await press({ address: "https://here.test:8443" })).to).toMatch(/notice=address$/);
});

test("a service on its own machine says that links lead there until an address is given, and after it is taken away", async () => {
  const here = await operatorScene({ pages: "local", days: 0 });
  const person = signedIn(here, "");
  const { url } = here.service;
  const change = async (address: string): Promise<string> => {
    const form = formTokenIn(await person.text("/settings/service"));
    const saved = await person.send("/settings/service", { form, address });
    return person.text(saved.headers.get("location") ?? "");
  };
  const local = `Links in messages lead to <strong>${url}`;
  const before = await person.text("/settings/service");
  expect(before).toContain(local);
  expect(before).toContain(`Empty: links in messages lead to ${url}`);
  const given = await change(shop);
  expect(given).toContain(`Links in messages lead to <strong>${shop}/</strong>`);
  expect(given).toMatch(
    /PICKET_SERVICE_PUBLIC_URL<\/code><\/td>\s*<td data-label="State">given above/,
  );
  const after = await change("");
  expect(after).toContain("Saved. Links in messages lead to this machine from now on.");
  expect(after).toContain(local);
  expect(`${before}${after}`).not.toContain("Messages have no links");
});

test("the first steps offer an owner the address in use, and say to others who can give it", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  expect(await owner.text("/start")).toContain(`>Use ${here.service.url}</button>`);
  const editor = await byAccount(here, "ed@example.com", "editor");
  const words = await editor.text("/start");
  expect(words).toContain("An owner can say it in <em>Settings → Service</em>.");
  expect(words).not.toContain("/settings/service");
  const used = await owner.send("/settings/service", { address: here.service.url, next: "/start" });
  expect(used.headers.get("location")).toBe("/start?notice=address");
  const started = await owner.text("/start?notice=address");
  expect(started).toContain("Links in messages lead there from now on.");
  expect(started).not.toContain("Messages have no links yet");
});

test("the page of the service says which accounts its environment has, and shows nothing of them", async () => {
  const telegram = { token: "planted-token", baseUrl: "https://planted.test" };
  const here = await operatorScene({
    pages: "signed in",
    days: 0,
    accounts: { ...noAccounts, telegram },
  });
  const owner = await byKey(here, "write");
  const page = await owner.text("/settings/service");
  const rows = [...page.matchAll(/<th scope="row">(.*?)<\/tr>/g)].map(([row]) =>
    row
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
  expect(rows).toEqual([
    "Telegram bot PICKET_TELEGRAM_BOT_TOKEN set",
    "SMS by Twilio PICKET_TWILIO_ACCOUNT_SID not set",
    "WhatsApp PICKET_WHATSAPP_PROVIDER not set",
    "Identity provider PICKET_SERVICE_OIDC_ISSUER not set",
    "Public address PICKET_SERVICE_PUBLIC_URL not set",
  ]);
  expect(page).not.toContain("planted");
});

const smtpAt = (port: number) =>
  ({
    ...noAccounts,
    smtp: {
      host: "127.0.0.1",
      port,
      tls: "if-offered",
      login: null,
      dkim: null,
      isGiven: false,
      from: "Picket <picket@example.com>",
    },
  }) as const;

test("the page of the service says by which server mails are sent and from whom, without its login", async () => {
  const { smtp } = smtpAt(2525);
  const login = { user: "planted-user", password: "planted-password" };
  const accounts = { ...noAccounts, smtp: { ...smtp, host: "mail.example.com", login } };
  const here = await operatorScene({ pages: "signed in", days: 0, accounts });
  const page = await (await byKey(here, "write")).text("/settings/service");
  expect(wordsIn(page)).toContain(
    "Mail server Mails are sent by mail.example.com , port 2525, and come from Picket <picket@example.com> . The settings PICKET_SMTP_URL and PICKET_SMTP_FROM say so: change them there. To",
  );
  expect(page).not.toContain("planted");
});

test("an owner sends a test mail to their own address or another, and again after some seconds", async () => {
  await using server = await startMailServer();
  const accounts = smtpAt(server.port);
  const here = await operatorScene({ pages: "signed in", days: 0, accounts, sends: "really" });
  const ann = await byAccount(here, "ann@example.com", "owner");
  expect(await ann.text("/settings/service")).toMatch(/name="email"[^>]* value="ann@example.com"/);
  const press = (email: string) => ann.send("/settings/service/mail", { email });
  const sent = await press("ann@example.com");
  const path = sent.headers.get("location") ?? "";
  expect(await ann.text(path)).toContain("The mail server took the test mail");
  const [mail = ""] = server.mails;
  expect(mail).toMatch(/^To: ann@example\.com\r$/m);
  expect(mail).toMatch(/^Subject: Test: Mail server\r$/m);
  expect(mail).toContain("This is a test of the service's mail server. Nothing is wrong.");
  const again = await press("ann@example.com");
  expect([again.status, await again.text()]).toEqual([
    400,
    expect.stringContaining("The same test was sent just now: send it again in 10 s."),
  ]);
  await press("bob@example.com");
  expect(server.mails.map((one) => /^To: (.*)\r$/m.exec(one)?.[1])).toEqual([
    "ann@example.com",
    "bob@example.com",
  ]);
});

test("a test mail that fails shows what the mail server answered, and keeps the address", async () => {
  await using server = await startMailServer(smtpKnowsNoSuchUser);
  const accounts = smtpAt(server.port);
  const here = await operatorScene({ pages: "signed in", days: 0, accounts, sends: "really" });
  const owner = await byKey(here, "write");
  const failed = await owner.send("/settings/service/mail", { email: "cy@example.com" });
  const page = await failed.text();
  expect(page).toContain(
    "The test mail failed: the mail server does not take mail for this address (550): correct the address; it answered “5.1.1 No such user”.",
  );
  expect(page).toContain('value="cy@example.com"');
  const wrong = await owner.send("/settings/service/mail", { email: "cy" });
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining("It must be one address, for example ops@example.com."),
  ]);
});

test("without a mail server the page offers no test, and a test that comes anyway says what is not set", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const page = await owner.text("/settings/service");
  expect(page).not.toContain("Send a test mail");
  expect(wordsIn(page)).toContain(
    "No mail server is set: set PICKET_SMTP_URL and PICKET_SMTP_FROM in the service's environment, and restart the service.",
  );
  const sent = await owner.send("/settings/service/mail", { email: "ann@example.com" });
  expect(await sent.text()).toContain("The test mail failed: mail needs a server");
});
