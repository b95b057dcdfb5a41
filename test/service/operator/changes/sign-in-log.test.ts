import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { minutes } from "#base/units";
import * as limits from "#limits/pages-limits";
import {
  refusedSignInsCountedFor,
  sessionEntriesAtOnce,
  sessionsCountedFor,
} from "#limits/sign-in-limits";
import { Browsing } from "../../../support/browsing.ts";
import { identityProvider } from "../../../support/identity-provider.ts";
import { factorPage } from "../../../support/factor-page.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import {
  byAccount,
  byKey,
  cookieOf,
  formTokenIn,
  password,
  signedIn,
  type SignedIn,
} from "../../../support/signed-in.ts";

const email = "ann@example.com";
const name = "ann";
const scene = () => operatorScene({ pages: "signed in", days: 0 });
const wordsOf = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** The lines of the log that are about sign-ins, the newest first. */
async function linesOf(reader: SignedIn, query = "kind=session"): Promise<readonly string[]> {
  const page = await reader.text(`/changes?${query}`);
  return [...page.matchAll(/<summary>.*?<\/summary>/gs)].map(([line]) =>
    wordsOf(line)
      .replace(/^ *\d\d:\d\d:\d\d */, "")
      .trim(),
  );
}

const tryWith = (here: OperatorScene, typed: string, address = email): Promise<Response> =>
  here.post("/sign-in", { email: address, password: typed });

test("who signs in, who cannot and who signs out is in the log, with the name of a person who exists alone", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "editor");
  await tryWith(here, "hunter2");
  await tryWith(here, "hunter2", "hunter3@example.com");
  await here.post("/sign-in", { secret: "pkt_key_hunter4" });
  const out = formTokenIn(await ann.text("/settings"));
  const owner = await byKey(here, "write");
  await ann.send("/sign-out", { form: out });
  const lines = await linesOf(owner);
  expect(lines.toReversed()).toEqual([
    `${name} signed in by link for a new password`,
    `Someone could not sign in as ${name} by password`,
    "Someone could not sign in by password, with an unknown name",
    "Someone could not sign in by API key",
    expect.stringMatching(/^Key “.*” signed in$/),
    `${name} signed out`,
  ]);
  expect(await linesOf(owner, `kind=session&name=${name}`)).toHaveLength(3);
  expect(await linesOf(owner, "who=someone")).toHaveLength(3);
  const file = await (await owner.get("/changes/after/0.jsonl")).text();
  expect(file).not.toContain("hunter");
  const refused = file
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .find(({ deed }) => deed === "refused");
  expect(refused).toMatchObject({
    who: { kind: "stranger", name: "someone", from: "127.0.0.1" },
    kind: "session",
    id: "account 1",
    name,
    fields: [
      { field: "by", is: "text", before: null, after: "password" },
      { field: "times", is: "text", before: null, after: "1" },
    ],
  });
});

test("sign-ins that fail again and again are counted into one entry", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  await byAccount(here, email, "reader");
  for (let at = 0; at < limits.signInTriesPerAddressMax; at += 1) await tryWith(here, "hunter2");
  await here.clock.advance(refusedSignInsCountedFor);
  const lines = () => linesOf(owner, "who=someone");
  // The service writes that by itself, and no answer waits for it.
  await expect
    .poll(lines)
    .toEqual([
      `Someone could not sign in as ${name} by password, ${limits.signInTriesPerAddressMax - 1} times`,
      `Someone could not sign in as ${name} by password`,
    ]);
});

test("a wrong code after the right password is in the log, and the sign-in with a code", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "editor");
  const page = await factorPage(ann);
  const secret = (/<code class="secret">([^<]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "");
  const hiddenIn = (text: string, name: string): string =>
    new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? "";
  const codeNow = (): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: here.clock.wall() });
  const draft = hiddenIn(page, "draft");
  await ann.send("/settings/factor", { draft, current: password, code: codeNow() });
  here.clock.suspend(limits.codeStep);
  const half = hiddenIn(await (await tryWith(here, password)).text(), "half");
  await here.post("/sign-in/code", { half, code: "000000" });
  await here.post("/sign-in/code", { half, code: codeNow() });
  expect((await linesOf(ann)).slice(0, 2)).toEqual([
    `${name} signed in by password and code`,
    `Someone could not sign in as ${name} by code after the right password`,
  ]);
});

test("sessions that a person or an owner ended are one entry with their number", async () => {
  const here = await scene();
  const ann = await byAccount(here, email, "owner");
  const again = async (): Promise<void> => {
    const one = signedIn(here, cookieOf(await tryWith(here, password)));
    await one.get("/settings/sessions");
  };
  await again();
  await again();
  await ann.send("/settings/sessions/end-others");
  expect((await linesOf(ann))[0]).toBe(`${name} ended 2 sessions of theirs`);
  await again();
  const owner = await byKey(here, "write");
  await owner.send("/settings/people/1/sessions/end");
  expect((await linesOf(owner))[0]).toMatch(new RegExp(`^Key “.*” ended 2 sessions of ${name}$`));
});

test("a key that signs in and out in a loop has a few entries, and then one that counts them", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const { key: secret } = await here.service.admin.createApiKey({ name: "loop", scope: "write" });
  const again = async (): Promise<SignedIn> => {
    // As many tries as an address has.
    await here.clock.advance(minutes(1));
    return signedIn(here, cookieOf(await here.post("/sign-in", { secret })));
  };
  for (let at = 1; at < sessionEntriesAtOnce; at += 1) await again();
  const loop = await again();
  await loop.send("/sign-out");
  await again();
  await again();
  const lines = () => linesOf(owner, "kind=session&who=loop");
  expect(await lines()).toEqual(
    Array<string>(sessionEntriesAtOnce).fill(expect.stringMatching(/“loop” signed in$/)),
  );
  await here.clock.advance(sessionsCountedFor);
  await expect.poll(async () => (await lines())[0]).toMatch(/^Key “loop” signed out once more$/);
  await here.clock.advance(sessionsCountedFor);
  await expect.poll(async () => (await lines())[0]).toBe("Key “loop” signed in 2 times more");
});

test("people of the identity provider are in the log, also those whom no rule lets in", async () => {
  const provider = await identityProvider();
  const oidc = provider.settingsFor(() => here.service.url, { owner: ["ann@example.com"] });
  const here: OperatorScene = await operatorScene({ pages: "signed in", days: 0, oidc });
  const people = { ann: { name: "Ann", email, email_verified: true } };
  provider.open(`${here.service.url}/sign-in/callback`, people);
  const browsing = new Browsing();
  await browsing.open(`${here.service.url}/sign-in/start`);
  await here.get("/sign-in/callback?code=guessed&state=guessed");
  const lines = await linesOf(signedIn(here, browsing.cookie));
  expect(lines).toEqual([
    "Someone could not sign in by the identity provider",
    `${email} signed in by the identity provider`,
  ]);
});
