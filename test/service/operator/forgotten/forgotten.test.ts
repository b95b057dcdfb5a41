import { Secret, TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { signInTriesPerAddressMax } from "#limits/pages-limits";
import {
  passwordResetFor,
  passwordResetPerPersonEvery,
  passwordResetsPerPersonMax,
} from "#limits/sign-in-limits";
import { noAccounts } from "#service/notify/accounts";
import { openPeople } from "#service/people/open-people";
import { type MailServer, startMailServer } from "../../../servers/mail-servers.ts";
import { factorPage } from "../../../support/factor-page.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { byAccount, cookieOf, password, signedIn } from "../../../support/signed-in.ts";

const email = "ann@example.com";
const bob = "bob@example.com";
const another = "another battery and staple";
const shop = "https://picket.shop.test";
const asked = "If an account has this address, a mail with a link is on its way.";

/** A service with a mail server and an address, and Ann, an owner who is signed in. */
async function scene() {
  const mails = await startMailServer();
  onTestFinished(() => mails[Symbol.asyncDispose]());
  const { port } = mails;
  const from = "picket@example.com";
  const smtp = {
    host: "127.0.0.1",
    port,
    tls: "if-offered",
    login: null,
    dkim: null,
    isGiven: false,
    from,
  } as const;
  const accounts = { ...noAccounts, smtp };
  const here = await operatorScene({ pages: "signed in", days: 0, accounts, sends: "really" });
  const ann = await byAccount(here, email, "owner");
  await ann.send("/settings/service", { address: shop });
  return { here, mails, ann };
}

const ask = (here: OperatorScene, address = email, headers = {}): Promise<Response> =>
  here.post("/sign-in/forgotten", { email: address }, headers);

const signIn = (here: OperatorScene, typed: string): Promise<Response> =>
  here.post("/sign-in", { email, password: typed });

/** The text of each mail, with its receiver. */
const received = ({ mails }: MailServer): readonly { to: string; text: string }[] =>
  mails.map((mail) => ({
    to: /^To: (.*)\r$/m.exec(mail)?.[1] ?? "",
    text: mail.replaceAll("=\r\n", "").replaceAll("=3D", "="),
  }));

/** What the link of the newest mail carries, once there are so many. */
async function linkOf(mails: MailServer, count: number): Promise<string> {
  await mails.had(count);
  return /\/join\?link=([\w-]+)/.exec(received(mails)[count - 1]?.text ?? "")?.[1] ?? "";
}

test("someone who has forgotten the password gets a link to the service's own address, and the password stays until it is used", async () => {
  const { here, mails, ann } = await scene();
  expect(await (await here.get("/sign-in")).text()).toContain(
    '<a href="/sign-in/forgotten">Forgotten password?</a>',
  );
  const answer = await ask(here, ` ${email.toUpperCase()} `, { host: "evil.test" });
  expect([answer.status, answer.headers.get("location")]).toEqual([
    303,
    "/sign-in/forgotten?asked",
  ]);
  const page = await (await here.get("/sign-in/forgotten?asked")).text();
  expect(page.replaceAll(/\s+/g, " ")).toContain(`${asked} It is valid for 30&nbsp;minutes.`);
  const link = await linkOf(mails, 1);
  const [mail] = received(mails);
  expect(mail?.to).toBe(email);
  expect(mail?.text).toContain(`${shop}/join?link=${link}`);
  expect(mail?.text).not.toContain("evil");
  expect(cookieOf(await signIn(here, password))).not.toBe("");
  expect((await ann.get("/settings")).status).toBe(200);
  const shown = await here.get(`/join?link=${link}`);
  expect([shown.status, shown.headers.get("referrer-policy")]).toEqual([200, "same-origin"]);
  const joined = await here.post("/join", { link, password: another });
  const now = signedIn(here, cookieOf(joined));
  expect((await now.get("/settings")).status).toBe(200);
  // Every other session has ended, in its list as well.
  expect((await ann.get("/settings")).status).toBe(303);
  expect((await now.text("/settings/sessions")).match(/<tr/g)).toHaveLength(2);
  expect((await signIn(here, password)).status).toBe(403);
  expect((await signIn(here, another)).status).toBe(303);
  expect((await here.post("/join", { link, password })).status).toBe(404);
  expect(JSON.stringify(here.log.said)).not.toMatch(/pkt_link_|ann@example/i);
});

test("the log of changes has who asked for a new password and who chose one, and not the address that was typed", async () => {
  const { here, mails } = await scene();
  await ask(here);
  const link = await linkOf(mails, 1);
  const joined = await here.post("/join", { link, password: another });
  const ann = signedIn(here, cookieOf(joined));
  const words = (await ann.text("/changes?kind=person"))
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
  expect(words).toContain("Someone asked for a new password for person ann");
  expect(words).toMatch(/ann set a new password Field Before After Password .* Link works until/);
  const file = await (await ann.get("/changes/after/0.jsonl")).text();
  const entries = file
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const offered = entries.find(({ who }) => who.kind === "stranger");
  expect(offered).toMatchObject({
    who: { kind: "stranger", name: "someone", from: "127.0.0.1" },
    deed: "changed",
    kind: "person",
    name: "ann",
  });
  expect(JSON.stringify(offered)).not.toContain(email);
});

test("an address without an account, a disabled account and one that waits for its link get the same answer, and no mail", async () => {
  const { here, mails } = await scene();
  await using opened = await openPeople(here.database, here.clock);
  const { token } = await opened.people.invite({ name: "Bob", email: bob, role: "reader" });
  await byAccount(here, "cy@example.com", "reader");
  const cy = await opened.people.withEmail("cy@example.com");
  await opened.people.change(cy.id, { name: "cy", role: "reader", isDisabled: true });
  for (const address of ["dee@example.com", bob, "cy@example.com", email]) {
    const answer = await ask(here, address);
    const to = answer.headers.get("location");
    expect([answer.status, to, await answer.text()]).toEqual([
      303,
      "/sign-in/forgotten?asked",
      "See /sign-in/forgotten?asked\n",
    ]);
  }
  // They are answered one after the other, so the first mail is of the last one.
  await linkOf(mails, 1);
  expect(received(mails).map(({ to }) => to)).toEqual([email]);
  // The invitation works as before.
  expect((await here.get(`/join?link=${token}`)).status).toBe(200);
});

test("a second factor stays on, and is asked for after the new password", async () => {
  const { here, mails, ann } = await scene();
  const page = await factorPage(ann);
  const secret = (/<code class="secret">([^<]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const draft = /name="draft" value="([^"]+)"/.exec(page)?.[1] ?? "";
  const timestamp = here.clock.wall();
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp });
  await ann.send("/settings/factor", { draft, current: password, code });
  await ask(here);
  const link = await linkOf(mails, 1);
  const joined = await here.post("/join", { link, password: another });
  expect([joined.headers.get("location"), cookieOf(joined)]).toEqual([
    expect.stringMatching(/^\/sign-in\?password-changed=/),
    "",
  ]);
  // The page has the address for that person, and its own address does not name it.
  const to = joined.headers.get("location") ?? "";
  expect(to).not.toContain(encodeURIComponent(email));
  expect(await (await here.get(to)).text()).toContain(`value="${email}"`);
  expect(await (await here.get(`${to}x`)).text()).not.toContain(`value="${email}"`);
  const first = await signIn(here, another);
  expect([first.status, cookieOf(first)]).toEqual([200, ""]);
  expect(await first.text()).toContain("Code of your app");
});

test("a link ends after 30 minutes, with the next one, and with a password that is changed in the profile", async () => {
  const { here, mails, ann } = await scene();
  const isThere = async (link: string) => (await here.get(`/join?link=${link}`)).status === 200;
  await ask(here);
  const first = await linkOf(mails, 1);
  await ask(here);
  const second = await linkOf(mails, 2);
  expect([await isThere(first), await isThere(second)]).toEqual([false, true]);
  here.clock.suspend(passwordResetFor);
  expect(await isThere(second)).toBe(false);
  expect(await (await here.get(`/join?link=${second}`)).text()).toContain(
    '<a href="/sign-in/forgotten">ask for a link</a>',
  );
  await ask(here);
  const third = await linkOf(mails, 3);
  await ann.send("/settings/password", { current: password, password: another });
  expect(await isThere(third)).toBe(false);
});

test("one person gets three mails and then one in 20 minutes, and one address asks five times a minute", async () => {
  const { here, mails } = await scene();
  await byAccount(here, bob, "reader");
  for (let at = 0; at <= passwordResetsPerPersonMax; at += 1)
    expect((await ask(here)).status).toBe(303);
  await ask(here, bob);
  await linkOf(mails, passwordResetsPerPersonMax + 1);
  const toAnn = () => received(mails).filter(({ to }) => to === email).length;
  expect(toAnn()).toBe(passwordResetsPerPersonMax);
  expect(received(mails).at(-1)?.to).toBe(bob);
  expect(signInTriesPerAddressMax).toBe(passwordResetsPerPersonMax + 2);
  const refused = await ask(here);
  expect([refused.status, await refused.text()]).toEqual([
    429,
    expect.stringContaining("Too many tries: wait a minute, then try again."),
  ]);
  here.clock.suspend(passwordResetPerPersonEvery);
  await ask(here);
  await linkOf(mails, passwordResetsPerPersonMax + 2);
  expect(toAnn()).toBe(passwordResetsPerPersonMax + 1);
});

test("words that are not an e-mail address are refused, and so is a form from elsewhere", async () => {
  const { here, mails } = await scene();
  const wrong = await ask(here, "ann");
  expect([wrong.status, await wrong.text()]).toEqual([
    400,
    expect.stringContaining("The e-mail address must be like ann@example.com."),
  ]);
  for (const headers of [{ origin: "http://evil.test" }, { "sec-fetch-site": "cross-site" }])
    expect((await ask(here, email, headers)).status).toBe(403);
  expect(mails.mails).toEqual([]);
});

test("without a mail server, or without the service's address, an owner's link is the only way", async () => {
  const { here, mails, ann } = await scene();
  await ann.send("/settings/service", { address: "" });
  const bare = await operatorScene({ pages: "signed in", days: 0 });
  await (await byAccount(bare, email, "owner")).send("/settings/service", { address: shop });
  for (const one of [here, bare]) {
    expect(await (await one.get("/sign-in")).text()).toContain(
      "Forgotten it? An owner of this service can give you a link for a new one.",
    );
    for (const answer of [await one.get("/sign-in/forgotten"), await ask(one)])
      expect(answer.headers.get("location")).toBe("/sign-in");
  }
  expect(mails.mails).toEqual([]);
});
