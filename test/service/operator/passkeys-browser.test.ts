import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import * as limits from "#limits/pages-limits";
import { follow, signOut, watchPage } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { keyboardFaults, pageFaults } from "../../support/page-faults.ts";
import { passkeyDevice, signedBy } from "../../support/passkey-device.ts";
import { byAccount, byKey, cookieOf, password } from "../../support/signed-in.ts";

/*
 * Passkeys with a browser that makes and uses them, on a device that it imitates: real pages, real signatures. What a
 * page refuses is sent as a program would send it, with what the browser signed.
 */

const browser = fileBrowser();
const { isThere } = browser;
const email = "ann@example.com";

/** Browsers make passkeys for a host's name, not for a number. */
const named = (scene: OperatorScene): string => scene.service.url.replace("127.0.0.1", "localhost");

async function signIn(page: Page, scene: OperatorScene, address = email): Promise<void> {
  await page.goto(`${named(scene)}/sign-in`);
  await page.getByLabel("E-mail address").fill(address);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await follow(page.getByRole("button", { name: "Sign in" }).first());
}

/** Adds a passkey of that name, on the page that lists them. */
async function add(page: Page, scene: OperatorScene, name: string): Promise<void> {
  await page.goto(`${named(scene)}/settings/passkeys`);
  await page.getByLabel("Name").fill(name);
  await page
    .getByRole("button", { name: "Continue" })
    .locator("xpath=ancestor::form")
    .getByLabel("Current password")
    .fill(password);
  await follow(page.getByRole("button", { name: "Continue" }));
  await follow(page.getByRole("button", { name: "Create the passkey" }));
}

/** A person with a passkey of that name, and a page on which they have just signed out. */
async function withPasskey(
  scene: OperatorScene,
  page: Page,
  name = "Laptop",
  address = email,
): Promise<void> {
  await byAccount(scene, address, "owner");
  await signIn(page, scene, address);
  await add(page, scene, name);
  await signOut(page);
}

/** What a page's form for a passkey carries. */
interface Asked {
  readonly options: Readonly<Record<string, unknown>>;
  readonly fields: Readonly<Record<string, string>>;
}

const askedOn = (text: string): Asked => {
  const [, form = ""] = /<form[^>]*(data-passkey.*?)<\/form>/s.exec(text) ?? [];
  const options = (/data-options="([^"]*)"/.exec(form)?.[1] ?? "{}").replaceAll("&quot;", '"');
  const hidden = form.matchAll(/name="(\w+)" value="([^"]*)"/g);
  return {
    options: JSON.parse(options),
    fields: Object.fromEntries([...hidden].map(([, name = "", value = ""]) => [name, value])),
  };
};

/** The second step of a sign-in, as its page asks for it. */
async function secondStep(scene: OperatorScene, address = email): Promise<Asked> {
  const url = `${named(scene)}/sign-in`;
  const body = new URLSearchParams({ email: address, password });
  return askedOn(await (await fetch(url, { method: "POST", body })).text());
}

async function sent(scene: OperatorScene, path: string, fields: Record<string, string>) {
  const body = new URLSearchParams(fields);
  const answer = await fetch(`${named(scene)}${path}`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  const alert = /role="alert">([^<]+)</.exec(await answer.text())?.[1] ?? "";
  return { status: answer.status, cookie: cookieOf(answer), alert: alert.split(";")[0] };
}

const letIn = { status: 303, cookie: expect.stringContaining("picket-session="), alert: "" };
const notTaken = { status: 403, cookie: "", alert: "That passkey was not taken. Try again" };
const reasonsIn = (scene: OperatorScene): readonly unknown[] =>
  scene.log.said
    .filter(({ message }) => message === "a passkey was refused")
    .map(({ fields }) => fields?.["error.message"]);

test.skipIf(!isThere)(
  "a person adds passkeys with names, signs in with one after the password and without it, and removes them",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    const device = await passkeyDevice(page);
    await byAccount(scene, email, "owner");
    await signIn(page, scene);
    await add(page, scene, "Laptop");
    expect(await page.locator(".recovery code").count()).toBe(limits.recoveryCodesMade);
    const [recovery = ""] = await page.locator(".recovery code").allInnerTexts();
    await signOut(page);
    await signIn(page, scene);
    expect(await page.locator("h1").innerText()).toBe("Second factor");
    await follow(page.getByRole("button", { name: "Use a passkey" }));
    expect(new URL(page.url()).pathname).toBe("/");
    await signOut(page);
    await page.goto(`${named(scene)}/sign-in?next=%2Fsettings%2Fpasskeys`);
    await follow(page.getByRole("button", { name: "Sign in with a passkey" }));
    expect(new URL(page.url()).pathname).toBe("/settings/passkeys");
    expect(await page.locator("tbody tr").innerText()).toMatch(/^Laptop\s+localhost\s+22.Nov/);
    await signOut(page);
    await signIn(page, scene);
    await page.getByLabel("Recovery code").fill(recovery);
    await follow(page.getByRole("button", { name: "Sign in" }));
    await page.goto(`${named(scene)}/settings/passkeys`);
    await page.getByText("Remove the passkey Laptop…").click();
    const removal = page.locator("details form");
    await removal.getByLabel("Current password").fill("a guess");
    await follow(removal.getByRole("button", { name: "Remove it" }));
    expect(await page.getByRole("alert").innerText()).toContain("is not your password");
    await removal.getByLabel("Current password").fill(password);
    await follow(removal.getByRole("button", { name: "Remove it" }));
    expect(await page.locator(".advice").innerText()).toBe("You have no passkey yet.");
    expect((await device.credentials()).length).toBe(1);
    await signOut(page);
    await signIn(page, scene);
    expect(new URL(page.url()).pathname).toBe("/");
  },
);

test.skipIf(!isThere)(
  "a challenge counts once, for its person, its address and ten minutes, and a removed passkey opens nothing",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const elsewhere = await operatorScene({ pages: "signed in", days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    const device = await passkeyDevice(page);
    await withPasskey(scene, page);
    await byAccount(scene, "bob@example.com", "reader");
    const owner = await byKey(scene, "write");
    const second = async () => {
      const { fields, options } = await secondStep(scene);
      return { ...fields, answer: await signedBy(page, options) };
    };
    const once = await second();
    expect(await sent(scene, "/sign-in/code", once)).toEqual(letIn);
    expect(await sent(scene, "/sign-in/code", once)).toEqual(notTaken);
    // Signed again, with a count that is new.
    const twice = await secondStep(scene);
    const signing = async () => ({ ...twice.fields, answer: await signedBy(page, twice.options) });
    const both = [await signing(), await signing()];
    const answers = [];
    for (const one of both) answers.push(await sent(scene, "/sign-in/code", one));
    expect(answers).toEqual([letIn, notTaken]);
    // The password's page asks for her passkey, and another site of the same host gets it to sign that.
    const { fields, options } = await secondStep(scene);
    await page.goto(`${named(elsewhere)}/sign-in`);
    const answer = await signedBy(page, options);
    expect(await sent(scene, "/sign-in/code", { ...fields, answer })).toEqual(notTaken);
    await page.goto(`${named(scene)}/sign-in`);
    const late = await second();
    scene.clock.suspend(limits.factorWithin);
    const tooLate = "That took too long: begin again.";
    expect(await sent(scene, "/sign-in/code", late)).toEqual({ ...notTaken, alert: tooLate });
    // Without a password, a device that does not know who holds it is not enough.
    const alone = async () => askedOn(await (await fetch(`${named(scene)}/sign-in`)).text());
    const first = await alone();
    const known = { ...first.fields, answer: await signedBy(page, first.options) };
    expect(await sent(scene, "/sign-in/passkey", known)).toEqual(letIn);
    expect(await sent(scene, "/sign-in/passkey", known)).toEqual(notTaken);
    await device.forgetPerson();
    const next = await alone();
    const unknown = await signedBy(page, { ...next.options, userVerification: "discouraged" });
    expect(await sent(scene, "/sign-in/passkey", { ...next.fields, answer: unknown })).toEqual(
      notTaken,
    );
    // A passkey that was removed while its person signed in.
    const removed = await second();
    await owner.send("/settings/people/1/passkeys/1/remove");
    expect(await sent(scene, "/sign-in/code", removed)).toEqual(notTaken);
    const reasons = [
      /^Response counter value/,
      "its challenge was answered already",
      /^Unexpected authentication response origin/,
      /^Response counter value/,
      "User verification required, but user could not be verified",
      "no one has this passkey",
    ];
    expect(reasonsIn(scene)).toEqual(
      reasons.map((one) => (typeof one === "string" ? one : expect.stringMatching(one))),
    );
  },
);

test.skipIf(!isThere)(
  "a passkey of another person is refused after a password, and so is a challenge that was for another",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    await passkeyDevice(page);
    await withPasskey(scene, page);
    const bob = "bob@example.com";
    // Bob has one, too, on a device of his own.
    await using elsewhere = await browser.newContext();
    const his = await elsewhere.newPage();
    await passkeyDevice(his);
    await withPasskey(scene, his, "Key", bob);
    const { fields, options } = await secondStep(scene, bob);
    const answer = await signedBy(page, { ...options, allowCredentials: [] });
    expect(await sent(scene, "/sign-in/code", { ...fields, answer })).toEqual(notTaken);
    const hers = await secondStep(scene);
    const asked = hers.fields["asked"] ?? "";
    const signed = await signedBy(page, hers.options);
    expect(await sent(scene, "/sign-in/code", { ...fields, asked, answer: signed })).toEqual(
      notTaken,
    );
    expect(await sent(scene, "/sign-in/passkey", { ...fields, asked, answer: signed })).toEqual(
      notTaken,
    );
    expect(reasonsIn(scene)).toEqual([
      "the passkey is another person's",
      "its challenge is for someone else",
      "its challenge is for someone else",
    ]);
  },
);

test.skipIf(!isThere)(
  "every state of the pages of passkeys is accessible and fits, and says what to do without scripts",
  { timeout: 300_000 },
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const url = named(scene);
    await using context = await browser.newContext();
    const seen = watchPage(context, url);
    const page = await context.newPage();
    const faults: string[] = [];
    const judge = async (name: string) => {
      const found = [
        ...(await pageFaults(page, `passkeys-${name}`)),
        ...(await keyboardFaults(page)),
      ];
      faults.push(...found.map((one) => `${name}: ${one}`));
    };
    const device = await passkeyDevice(page);
    await byAccount(scene, email, "owner");
    await signIn(page, scene);
    await page.goto(`${url}/settings/passkeys`);
    await judge("none");
    const add = page.locator("form", { has: page.getByRole("button", { name: "Continue" }) });
    await add.getByLabel("Name").fill("Laptop");
    await add.getByLabel("Current password").fill("a guess");
    await follow(page.getByRole("button", { name: "Continue" }));
    await judge("refused");
    expect(await add.getByLabel("Name").inputValue()).toBe("Laptop");
    await add.getByLabel("Current password").fill(password);
    await follow(page.getByRole("button", { name: "Continue" }));
    await judge("step");
    await follow(page.getByRole("button", { name: "Create the passkey" }));
    await page.goto(`${url}/settings/passkeys`);
    await page.getByText("Remove the passkey Laptop…").click();
    await judge("one");
    await add.getByLabel("Name").fill("Another");
    await add.getByLabel("Current password").fill(password);
    await follow(page.getByRole("button", { name: "Continue" }));
    await page.getByRole("button", { name: "Create the passkey" }).click();
    const said = page.locator("[data-says]");
    await said.getByText("You already have a passkey").waitFor();
    await judge("known");
    await page.goto(`${url}/settings`);
    await judge("profile");
    await page.goto(`${url}/settings/people/1`);
    await judge("person");
    await signOut(page);
    await judge("sign-in");
    await signIn(page, scene);
    await judge("second-step");
    await device.loseAll();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await said.getByText("Nothing was signed").waitFor();
    const refused = /^console Failed to load resource: the server responded with a status of 400/;
    expect([...faults, ...seen.filter((one) => !refused.test(one))].join("\n")).toBe("");
  },
);

test.skipIf(!isThere)(
  "without scripts, at a number or with an answer that is none, a sentence says what to use instead",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byAccount(scene, email, "reader");
    const atNumber = await ann.text("/settings/passkeys");
    expect(atNumber).toContain("Browsers make passkeys for a host's name over https");
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await signIn(page, scene);
    await page.goto(`${named(scene)}/settings/passkeys`);
    await page.getByLabel("Name").fill("Laptop");
    await page.getByLabel("Current password").fill(password);
    await follow(page.getByRole("button", { name: "Continue" }));
    const without =
      "A passkey needs scripts. Allow them for this address, or use an app for codes.";
    expect(await page.locator("noscript").innerText()).toBe(without);
    await follow(page.getByRole("button", { name: "Create the passkey" }));
    expect(await page.locator("h1").innerText()).toBe("The passkey was not added");
    expect(await page.getByRole("alert").innerText()).toContain(
      "The browser made no passkey for this address: add it again",
    );
  },
);

test.skipIf(!isThere)(
  "what is done with passkeys is in the audit log by their names, and an owner removes another person's",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const owner = await byKey(scene, "write", "ops");
    await using context = await browser.newContext();
    const page = await context.newPage();
    await passkeyDevice(page);
    await withPasskey(scene, page, "Key in the drawer");
    const person = await owner.text("/settings/people/1");
    expect(person).toContain("Remove the passkey Key in the drawer…");
    expect(await owner.text("/settings/people")).toContain('data-label="Second factor">on<');
    expect((await owner.send("/settings/people/1/passkeys/7/remove")).status).toBe(404);
    const removed = await owner.send("/settings/people/1/passkeys/1/remove");
    expect(removed.headers.get("location")).toBe("/settings/people/1?notice=passkey");
    expect(await owner.text("/settings/people")).toContain('data-label="Second factor">off<');
    const log = (await owner.text("/changes")).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    expect(log).toContain("ann changed person ann");
    expect(log).toContain("Passkeys – Added: Key in the drawer");
    expect(log).toContain("Passkeys Removed: Key in the drawer –");
    expect((await sent(scene, "/sign-in", { email, password })).status).toBe(303);
  },
);
