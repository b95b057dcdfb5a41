import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "#base/log";
import { minutes } from "#base/units";
import { noAccounts } from "#service/notify/accounts";
import { startService } from "#service/server";
import {
  smtpKnowsNoSuchUser,
  smtpOffersNoTls,
  smtpWantsALogin,
  startMailServer,
} from "../../../servers/mail-servers.ts";
import { goneAtOnce } from "../../../support/gone-at-once.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, formTokenIn, type SignedIn } from "../../../support/signed-in.ts";
import { smtpOnThisMachine } from "../../../support/smtp-account.ts";

const wordsIn = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/\s+/g, " ");

const scene = (smtp = noAccounts.smtp) =>
  operatorScene({
    pages: "signed in",
    days: 0,
    sends: "really",
    accounts: { ...noAccounts, smtp },
  });
/** A login that a server on this machine may get without TLS. */
const login = smtpWantsALogin("planted-user", "planted-password");
const openly = { ...login, allowInsecureAuth: true };
const serverAt = (port: number, more: Record<string, string> = {}) => ({
  host: "127.0.0.1",
  security: "if-offered",
  port: String(port),
  user: "planted-user",
  password: "planted-password",
  sender: "Picket <picket@example.com>",
  ...more,
});

interface Pressed {
  readonly status: number;
  readonly to: string | null;
  readonly words: string;
  readonly page: string;
}

async function press(person: SignedIn, fields: Record<string, string>): Promise<Pressed> {
  const answer = await person.send("/settings/mail", fields);
  const page = await answer.text();
  const to = answer.headers.get("location");
  return { status: answer.status, to, words: wordsIn(page), page };
}
const tried = (person: SignedIn, fields: Record<string, string>) =>
  press(person, { test_to: "ann@example.com", ...fields, test: "yes" });

/** A test by the first e-mail channel there is, which is made at first. */
async function alerted(owner: SignedIn, { clock }: OperatorScene): Promise<string> {
  await owner.send("/channels/new/email", {
    name: "Operations",
    email: "ops@example.com",
    all_monitors: "yes",
    events: "error",
    time_zone: "UTC",
  });
  clock.suspend(minutes(1));
  const sent = await owner.send("/channels/1/test");
  return owner.text(sent.headers.get("location") ?? "/channels/1");
}

test("an owner tries a mail server, saves it, and everything is sent by it at once, and after a restart", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "owner");
  const empty = await ann.text("/settings/mail");
  expect(wordsIn(empty)).toContain("No mail server is set yet, so no mails are sent.");
  expect(empty).toMatch(/name="test_to" value="ann@example.com"/);
  expect(empty).not.toContain("Use no mail server");
  const test = await tried(ann, serverAt(server.port));
  expect([test.status, test.words]).toEqual([
    200,
    expect.stringContaining(
      "The mail server took the test mail: check that it arrived. Nothing is saved yet.",
    ),
  ]);
  expect(test.words).not.toContain("Create a mail channel");
  expect(server.mails[0]).toMatch(/^Subject: Test: Mail server\r$/m);
  expect(server.mails[0]).toMatch(/^To: ann@example\.com\r$/m);
  expect(await ann.text("/settings/mail")).toContain("No mail server is set yet");
  const saved = await press(ann, serverAt(server.port));
  expect(saved.to).toBe("/settings/mail?notice=saved");
  expect(await alerted(ann, here)).toContain("accepted the test message");
  await server.had(2);
  const public_url = "https://picket.example.com";
  await ann.send("/settings/service", { address: public_url });
  await ann.send("/settings/people", { name: "Cy", email: "cy@example.com", role: "reader" });
  expect(server.mails[2]).toMatch(/^To: cy@example\.com\r$/m);
  await goneAtOnce(here.service);
  const options = { host: "127.0.0.1", port: 0, log: silentLogger, clock: here.clock };
  const again = await startService({ ...options, database: here.database, pages: "local" });
  onTestFinished(() => goneAtOnce(again));
  const page = await (await fetch(`${again.url}/settings/mail`)).text();
  expect(page).toContain('value="127.0.0.1"');
  const form = formTokenIn(page);
  here.clock.suspend(minutes(1));
  await fetch(`${again.url}/channels/1/test`, {
    method: "POST",
    body: new URLSearchParams({ form }),
    headers: { accept: "text/html" },
  });
  await server.had(4);
});

test("the password is shown nowhere and kept if it is left alone, and the log says who changed the server", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const ann = await byAccount(here, "ann@example.com", "owner");
  await press(ann, serverAt(server.port));
  const page = await ann.text("/settings/mail?notice=saved");
  expect(page).toContain("Saved. Mails go by this server from now on.");
  expect(page).toContain('<a href="/channels/new/email">Create a mail channel</a>');
  expect(page).toContain('placeholder="saved, not shown"');
  expect(page).toContain('value="planted-user"');
  // With only another sender the password is the one before.
  const left = { password: "", "password.saved": "yes", sender: "alerts@example.com" };
  const kept = await tried(ann, serverAt(server.port, left));
  expect(kept.words).toContain("The mail server took the test mail");
  expect(kept.words).toContain("Create a mail channel");
  expect((await press(ann, serverAt(server.port, left))).status).toBe(303);
  const log = await ann.text("/changes");
  expect(wordsIn(log)).toMatch(/ann created setting mail server/);
  expect(wordsIn(log)).toMatch(/ann changed setting mail server/);
  const lines = await (await ann.get("/changes/after/0.jsonl")).text();
  const files = ["", "-wal"].map((suffix) => {
    const file = `${here.database}${suffix}`;
    return readFileSync(path.resolve(file), "latin1");
  });
  const said = JSON.stringify(here.log.said);
  expect([page, kept.page, log, lines, said, ...files].join()).not.toContain("planted-password");
  expect(wordsIn(log)).toMatch(
    /Sender .{0,40}Picket <picket@example\.com>.{0,40} alerts@example\.com/,
  );
});

test("a saved password goes to no other host: for another one it has to be typed", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const owner = await byKey(here, "write");
  await press(owner, serverAt(server.port));
  const left = { host: "localhost", password: "", "password.saved": "yes" };
  for (const answer of [
    await tried(owner, serverAt(server.port, left)),
    await press(owner, serverAt(server.port, left)),
  ])
    expect([answer.status, answer.words]).toEqual([
      422,
      expect.stringContaining(
        "Password must be typed again for another host: the saved one goes to 127.0.0.1 alone",
      ),
    ]);
  expect(server.mails).toEqual([]);
});

test.each([
  ["host", { host: "" }, "Enter a host, for example smtp.example.com"],
  ["host", { host: "smtp://mail.test" }, "Host must be a name or an address without a scheme"],
  ["host", { host: "mail.test:25" }, "Host must be a name or an address without a scheme"],
  ["host", { host: "169.254.169.254" }, "Host is an address that is link-local"],
  ["port", { port: "0" }, "Port must be a whole number from 1 to 65 535"],
  ["port", { port: "smtp" }, "Port must be a whole number from 1 to 65 535"],
  ["security", { host: "mail.test" }, "Security must be STARTTLS or TLS for a user"],
  ["security", { security: "ssl" }, "Security must be one of the list"],
  ["user", { user: "" }, "User must be given with a password"],
  ["user", { user: "u".repeat(400) }, "User must have at most 320 characters"],
  ["password", { password: "" }, "Enter a password: the one of this user"],
  ["sender", { sender: "" }, "Enter a sender, for example picket@example.com"],
  ["sender", { sender: "Picket" }, "Sender must be like picket@example.com"],
])(
  "a wrong %s is refused at its field, and what was typed is kept: %j",
  async (field, wrong, words) => {
    const owner = await byKey(await scene(), "write");
    const refused = await press(owner, { ...serverAt(25), ...wrong });
    expect([refused.status, refused.words]).toEqual([422, expect.stringContaining(words)]);
    expect(refused.page).toMatch(new RegExp(`id="field-${field}"[^>]*aria-invalid="true"`));
    expect(refused.page).toContain(
      "Picket &lt;picket@example.com&gt;".slice(0, "sender" in wrong ? 0 : 99),
    );
    expect(await owner.text("/settings/mail")).toContain("No mail server is set yet");
  },
);

test("a test says what the server answered, also of a wrong password, no TLS and a certificate that is not known", async () => {
  await using right = await startMailServer(openly);
  await using unknown = await startMailServer(smtpKnowsNoSuchUser);
  await using bare = await startMailServer(smtpOffersNoTls);
  await using gone = await startMailServer();
  const { port: closed } = gone;
  await gone[Symbol.asyncDispose]();
  const owner = await byKey(await scene(), "write");
  const noLogin = { user: "", password: "" };
  const cases = [
    [
      serverAt(right.port, { password: "a-wrong-one" }),
      "the mail server does not take the user and the password (535): correct them; it answered",
    ],
    [
      serverAt(unknown.port, noLogin),
      "the mail server does not take mail for this address (550): correct the address; it answered “5.1.1 No such user”",
    ],
    [
      serverAt(right.port, { security: "starttls" }),
      `the certificate of the mail server at 127.0.0.1:${right.port} is not trusted: set PICKET_CA_FILE to the CA that signed it`,
    ],
    [
      serverAt(bare.port, { ...noLogin, security: "starttls" }),
      `the mail server at 127.0.0.1:${bare.port} does not offer STARTTLS: choose TLS, or another server`,
    ],
    [serverAt(closed), `the mail server is not reached at 127.0.0.1:${closed}: connection refused`],
  ] as const;
  for (const [server, words] of cases) {
    const { status, words: shown, page } = await tried(owner, server);
    expect([status, shown]).toEqual([
      200,
      expect.stringContaining(`The test mail failed: ${words}`),
    ]);
    expect(shown).toContain("Nothing is saved yet.");
    expect(page).toContain(`value="${server.port}"`);
  }
  const noAddress = await tried(owner, { ...serverAt(right.port), test_to: "ann" });
  expect([noAddress.status, noAddress.words]).toEqual([
    422,
    expect.stringContaining("To must be like ops@example.com"),
  ]);
  await tried(owner, serverAt(right.port));
  expect((await tried(owner, serverAt(right.port))).words).toContain(
    "No test was sent. The same test was sent just now: send it again in 10 s.",
  );
});

test("without a mail server mails end at once, after one question", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const owner = await byKey(here, "write");
  await press(owner, serverAt(server.port));
  const asked = await owner.text("/settings/mail/delete");
  expect(wordsIn(asked)).toContain(`Server 127.0.0.1:${server.port}`);
  expect(asked).not.toContain("planted");
  const removed = await owner.send("/settings/mail/delete");
  const to = removed.headers.get("location") ?? "";
  expect(await owner.text(to)).toContain("The mail server was removed.");
  expect(wordsIn(await owner.text("/channels/new"))).toContain("first Telegram A bot E-mail");
  expect(wordsIn(await owner.text("/changes"))).toContain("deleted setting mail server");
});

test("the environment's server is shown with its settings' names, can be tested, and is changed there alone", async () => {
  await using server = await startMailServer(openly);
  const planted = { user: "planted-user", password: "planted-password" };
  const here = await scene(
    smtpOnThisMachine(server.port, "Picket <picket@example.com>", { login: planted }),
  );
  const owner = await byKey(here, "write");
  const page = await owner.text("/settings/mail");
  expect(wordsIn(page)).toContain(
    `Mails are sent by 127.0.0.1 , port ${server.port}, and come from Picket <picket@example.com> . The settings PICKET_SMTP_URL and PICKET_SMTP_FROM say so: change them there, and restart the service.`,
  );
  expect(page).not.toMatch(/planted|name="host"|Use no mail server/);
  const test = await press(owner, { test_to: "ann@example.com", test: "yes" });
  expect(test.words).toContain("The mail server took the test mail: check that it arrived.");
  expect(test.words).not.toContain("Nothing is saved");
  expect(server.mails.length).toBe(1);
  const refused = await press(owner, serverAt(1));
  expect([refused.status, refused.words]).toEqual([
    400,
    expect.stringContaining("PICKET_SMTP_URL says the mail server: change it there"),
  ]);
  expect((await owner.get("/settings/mail/delete")).headers.get("location")).toBe("/settings/mail");
});

test("the form of an e-mail channel leads an owner to the mail server and back, with the address that was pasted", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const owner = await byKey(here, "write");
  const pasted = await owner.send("/channels/new", {
    url: "mailto:ops@example.com",
    next: "/start",
  });
  const form = await pasted.text();
  expect(wordsIn(form)).toContain("E-mail cannot be used yet. Set a mail server first.");
  const to = (/href="(\/settings\/mail[^"]*)"/.exec(form)?.[1] ?? "").replaceAll("&amp;", "&");
  expect(await owner.text(to)).toContain("Back without a change");
  const next = new URLSearchParams(to.split("?")[1]).get("next") ?? "";
  const saved = await press(owner, { ...serverAt(server.port), next });
  const back = await owner.text(saved.to ?? "");
  expect(back).toContain('value="ops@example.com"');
  expect(back).toContain('name="next" value="/start"');
  expect(back).not.toMatch(/cannot be used yet|<fieldset disabled/);
});

test("an editor reads that an owner can set a mail server, and gets no link to its form", async () => {
  const here = await scene();
  const editor = await byAccount(here, "ed@example.com", "editor");
  const form = await editor.text("/channels/new/email");
  expect(wordsIn(form)).toContain(
    "E-mail cannot be used yet. Ask an owner to set a mail server in Settings → Mail first.",
  );
  expect(form).not.toContain("/settings/mail");
  expect((await editor.get("/settings/mail")).status).toBe(403);
  const post = await editor.send("/settings/mail", serverAt(1));
  expect([post.status, await post.text()]).toEqual([403, expect.stringContaining("owner")]);
});

test("a channel whose mail server was taken away and a page's subscribers lead an owner to its form", async () => {
  await using server = await startMailServer(openly);
  const here = await scene();
  const owner = await byKey(here, "write");
  await owner.send("/settings/service", { address: "https://picket.example.com" });
  await owner.send("/status-pages", { title: "Acme", slug: "acme" });
  const subscribers = await owner.text("/status-pages/1/subscribers");
  expect(subscribers).toContain('href="/settings/mail?next=%2Fstatus-pages%2F1%2Fsubscribers"');
  await press(owner, serverAt(server.port));
  expect(await owner.text("/status-pages/1/subscribers")).not.toContain("/settings/mail");
  expect(await alerted(owner, here)).toContain("accepted the test message");
  await owner.send("/settings/mail/delete");
  const channel = await owner.text("/channels/1");
  expect(wordsIn(channel)).toContain("Messages do not arrive: mail needs a server: set one in");
  expect(channel).toContain('href="/settings/mail?next=%2Fchannels%2F1"');
  const editor = await byAccount(here, "ed@example.com", "editor");
  const seen = await editor.text("/channels/1");
  expect(seen).toContain("Ask an owner to do that, then send a test message.");
  expect(seen).not.toContain("/settings/mail");
});

test("a form that was opened on the way to something else leads back there", async () => {
  await using server = await startMailServer(openly);
  const owner = await byKey(await scene(), "write");
  const next = "/channels/new/email?next=%2Fstart";
  const page = await owner.text(`/settings/mail?${new URLSearchParams({ next }).toString()}`);
  expect(page).toContain(`href="${next}">Back without a change`);
  const saved = await press(owner, { ...serverAt(server.port), next });
  expect(saved.to).toBe(next);
  const elsewhere = await press(owner, { ...serverAt(server.port), next: "https://evil.test/" });
  expect(elsewhere.to).toBe("/");
});
