import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { hours, seconds } from "#base/units";
import * as limits from "#limits/pages-limits";
import { parseBlock } from "#network/address-block";
import { openPeople } from "#service/people/open-people";
import { factorPage } from "../../support/factor-page.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { byAccount, cookieOf, password, signedIn, type SignedIn } from "../../support/signed-in.ts";

const email = "ann@example.com";
const scene = () => operatorScene({ pages: "signed in", days: 0 });
const trustedProxies = ["127.0.0.0/8"].flatMap((one) => parseBlock(one) ?? []);

const signIn = (here: OperatorScene, typed = password, address = email): Promise<Response> =>
  here.post("/sign-in", { email: address, password: typed, next: "/settings" });

const codeAt = (secret: string, at: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

const hiddenIn = (page: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]+)"`).exec(page)?.[1] ?? "";

/** Turns the second factor on; gives its secret and the recovery codes. */
async function withFactor(here: OperatorScene, ann: SignedIn) {
  const page = await factorPage(ann);
  const secret = (/<code class="secret">([^<]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const draft = hiddenIn(page, "draft");
  const current = password;
  const wrong = await ann.send("/settings/factor", { draft, current, code: "000000" });
  const code = codeAt(secret, here.clock.wall());
  const on = await ann.send("/settings/factor", { draft, current, code });
  const codes = [...(await on.text()).matchAll(/<code>([a-z2-7-]{19})</g)];
  return { wrong, secret, code, recovery: codes.map(([, one = ""]) => one) };
}

/** The second step of a sign-in. */
async function withCode(here: OperatorScene, code: string): Promise<Response> {
  const first = await signIn(here);
  const half = hiddenIn(await first.text(), "half");
  expect([first.status, cookieOf(first)]).toEqual([200, ""]);
  return here.post("/sign-in/code", { half, code, next: "/settings" });
}

test("a person chooses a password with a link, once, and signs in with it afterwards", async () => {
  const here = await scene();
  await using opened = await openPeople(here.database, here.clock);
  const { token } = await opened.people.invite({
    name: "Ann",
    email: "Ann@Example.com",
    role: "editor",
  });
  const page = await (await here.get(`/join?link=${token}`)).text();
  expect(page).toContain(email);
  const short = await here.post("/join", { link: token, password: "short" });
  expect([short.status, await short.text()]).toEqual([
    400,
    expect.stringContaining("The password needs at least 12 characters, for example four words."),
  ]);
  const joined = await here.post("/join", { link: token, password });
  expect(joined.headers.get("location")).toBe("/?notice=joined");
  expect(await signedIn(here, cookieOf(joined)).text("/?notice=joined")).toContain(
    "Your password is set, and you are signed in.",
  );
  expect((await here.post("/join", { link: token, password })).status).toBe(404);
  expect((await here.get(`/join?link=${token}`)).status).toBe(404);
  const again = await signIn(here);
  expect(again.headers.get("location")).toBe("/settings");
  const profile = await signedIn(here, cookieOf(again)).text("/settings");
  expect(profile).toContain(
    "editor: may also change monitors, channels, locations and status pages",
  );
  expect(JSON.stringify(here.log.said)).not.toMatch(/pkt_link_|correct horse/);
});

test("whoever joins has tries of their own, and a password that is too short uses none up", async () => {
  const here = await scene();
  await using opened = await openPeople(here.database, here.clock);
  for (const name of ["Ann", "Bob"]) {
    const invited = { name, email: `${name}@example.com`.toLowerCase(), role: "reader" } as const;
    const { token } = await opened.people.invite(invited);
    for (let at = 0; at < limits.signInTriesPerAddressMax + 1; at += 1) {
      const refused = await here.post("/join", { link: token, password: "short" });
      expect(refused.status).toBe(400);
      expect(await refused.text()).toMatch(/The password .*Set the password/s);
    }
    const joined = await here.post("/join", { link: token, password });
    expect(joined.headers.get("location")).toBe("/?notice=joined");
  }
});

test("a link ends after three days", async () => {
  const here = await scene();
  await using opened = await openPeople(here.database, here.clock);
  const { token } = await opened.people.invite({ name: "Ann", email, role: "reader" });
  here.clock.suspend(hours(72));
  expect((await here.post("/join", { link: token, password })).status).toBe(404);
});

test("an unknown address and a wrong password are refused with the same words", async () => {
  const here = await scene();
  await byAccount(here, email, "reader");
  const said = async (answer: Response) => {
    const text = await answer.text();
    return [answer.status, /role="alert">([^<]+)/.exec(text)?.[1]];
  };
  const wrong = await said(await signIn(here, "another password"));
  expect(wrong).toEqual([403, "That e-mail address and password do not belong together."]);
  expect(await said(await signIn(here, password, "bob@example.com"))).toEqual(wrong);
});

test("a stranger who guesses passwords on and on shuts out no other address, and no key", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  const from = (address: string) => ({ "x-forwarded-for": address });
  const guess = (address: string) =>
    here.post("/sign-in", { email: "bob@example.com", password: "a guess" }, from(address));
  const tries: number[] = [];
  for (let at = 0; at < 7; at += 1) tries.push((await guess("203.0.113.7")).status);
  expect(tries).toEqual([403, 403, 403, 403, 403, 429, 429]);
  expect((await guess("192.0.2.7")).status).toBe(403);
  const { key: secret } = await here.service.admin.createApiKey({ name: "ops", scope: "read" });
  expect((await here.post("/sign-in", { secret }, from("203.0.113.7"))).status).toBe(303);
});

test("with a second factor the password alone opens nothing, and each code counts once", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "owner");
  const { wrong, secret, code, recovery } = await withFactor(here, ann);
  expect([wrong.status, recovery.length, new Set(recovery).size]).toEqual([400, 10, 10]);
  // The code that was shown to turn it on has counted already.
  expect((await withCode(here, code)).status).toBe(403);
  here.clock.suspend(seconds(60));
  const next = codeAt(secret, here.clock.wall());
  const spaced = `${next.slice(0, 3)} ${next.slice(3)}`;
  expect((await withCode(here, spaced)).headers.get("location")).toBe("/settings");
  expect((await withCode(here, next)).status).toBe(403);
  here.clock.suspend(seconds(60));
  const [one = ""] = recovery;
  expect((await withCode(here, one.toUpperCase())).status).toBe(303);
  expect((await withCode(here, one)).status).toBe(403);
  expect(await ann.text("/settings")).toContain("9 recovery codes left");
  expect(JSON.stringify(here.log.said)).not.toContain(secret);
});

test("whoever has the password has five tries a minute with codes, from all addresses together", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  const { secret } = await withFactor(here, await byAccount(here, email, "owner"));
  here.clock.suspend(seconds(60));
  const half = hiddenIn(await (await signIn(here)).text(), "half");
  const tries: number[] = [];
  for (let at = 0; at < limits.codeTriesPerMinuteMax + 1; at += 1) {
    const from = { "x-forwarded-for": `203.0.113.${at}` };
    tries.push((await here.post("/sign-in/code", { half, code: "000000" }, from)).status);
  }
  expect(tries).toEqual([403, 403, 403, 403, 403, 429]);
  here.clock.suspend(seconds(60));
  const code = codeAt(secret, here.clock.wall());
  expect((await here.post("/sign-in/code", { half, code })).status).toBe(303);
  here.clock.suspend(limits.factorWithin);
  expect((await here.post("/sign-in/code", { half, code: "000000" })).status).toBe(403);
});

test("a reset password, a changed one and a disabled account end the person's sessions", async () => {
  const here = await scene();
  await using opened = await openPeople(here.database, here.clock);
  const { people } = opened;
  const ann = await byAccount(here, email, "editor");
  const { id } = await people.withEmail(email);
  const changed = await ann.send("/settings/password", {
    current: password,
    password: `${password}!`,
  });
  expect(changed.headers.get("location")).toMatch(/^\/sign-in\?password-changed=/);
  expect((await ann.get("/")).status).toBe(303);
  const second = signedIn(here, cookieOf(await signIn(here, `${password}!`)));
  expect((await second.get("/")).status).toBe(200);
  const { token } = await people.offerLink(id);
  expect((await second.get("/")).status).toBe(303);
  expect((await signIn(here, `${password}!`)).status).toBe(403);
  const third = signedIn(here, cookieOf(await here.post("/join", { link: token, password })));
  expect((await third.get("/")).status).toBe(200);
  await people.change(id, { name: "Ann", role: "editor", isDisabled: true });
  expect((await third.get("/")).status).toBe(303);
  expect((await signIn(here)).status).toBe(403);
});

test("the second factor stays on after a reset, and only the password takes it away", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "editor");
  await withFactor(here, ann);
  const kept = await ann.send("/settings/factor/remove", { current: "a guess" });
  expect([kept.status, await kept.text()]).toEqual([
    400,
    expect.stringContaining("is not your password"),
  ]);
  await using opened = await openPeople(here.database, here.clock);
  const { token } = await opened.people.offerLink((await opened.people.withEmail(email)).id);
  const joined = await here.post("/join", { link: token, password });
  expect([joined.headers.get("location"), cookieOf(joined)]).toEqual([
    expect.stringMatching(/^\/sign-in\?password-changed=/),
    "",
  ]);
});

test("a role that is changed counts at the next page", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "owner");
  await byAccount(here, "bob@example.com", "owner");
  expect((await ann.get("/settings/keys")).status).toBe(200);
  await using opened = await openPeople(here.database, here.clock);
  const { id } = await opened.people.withEmail(email);
  await opened.people.change(id, { name: "Ann", role: "reader", isDisabled: false });
  const refused = await ann.get("/settings/keys");
  const page = (await refused.text()).replaceAll(/\s+/g, " ");
  expect(refused.status).toBe(403);
  expect(page).toContain("It needs the role <strong>owner</strong>.");
  expect(page).toContain("An owner can give you the role: bob.");
});

test("only whoever knows the password turns the second factor on", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "editor");
  const page = await factorPage(ann);
  const secret = (/<code class="secret">([^<]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const draft = hiddenIn(page, "draft");
  const code = codeAt(secret, here.clock.wall());
  for (const current of ["", "a guess"]) {
    const refused = await ann.send("/settings/factor", { draft, current, code });
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("is not your password"),
    ]);
  }
  expect((await signIn(here)).headers.get("location")).toBe("/settings");
  const on = await ann.send("/settings/factor", { draft, current: password, code });
  expect(await on.text()).toContain("The second factor is on");
});
