import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import * as limits from "#limits/pages-limits";
import { follow, signOut } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { keyboardFaults, pageFaults } from "../../support/page-faults.ts";
import { byAccount, password } from "../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;
const email = "ann@example.com";

async function signIn(page: Page, address = email): Promise<void> {
  await page.getByLabel("E-mail address").fill(address);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await follow(page.getByRole("button", { name: "Sign in" }).first());
}

/** As in another tab. */
async function endSession(page: Page, { post }: OperatorScene): Promise<void> {
  const [session] = await page.context().cookies();
  const token = await page.locator('.out input[name="form"]').inputValue();
  await post("/sign-out", { form: token }, { cookie: `${session?.name}=${session?.value}` });
}

const exactly = (label: string): RegExp => new RegExp(`^${label}$`);

/** Types into the form of a status page, whose session ends meanwhile. */
async function typeUntilTheSessionEnds(page: Page, scene: OperatorScene) {
  await page.goto(`${scene.service.url}/status-pages`);
  await signIn(page);
  await page.getByLabel("Title").fill("Acme & sons");
  await page.getByLabel(/^Name in the address/).fill("acme");
  await endSession(page, scene);
  await follow(page.getByRole("button", { name: "Create status page" }));
}

test.skipIf(!isThere)(
  "what a person typed while the session ended is still there after signing in, without scripts",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    await byAccount(scene, email, "editor");
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await typeUntilTheSessionEnds(page, scene);
    expect(await page.getByRole("status").innerText()).toContain("What you typed is kept");
    await signIn(page);
    expect(await page.locator("h1").innerText()).toBe("What you typed is still here");
    await follow(page.getByRole("button", { name: "Send it now" }));
    expect(await page.locator("h1").innerText()).toContain("Acme & sons");
    expect(new URL(page.url()).pathname).toBe("/status-pages/1");
    await page.goBack();
    await page.goto(page.url());
    expect(await page.locator("main").innerText()).not.toContain("Send it now");
  },
);

/** Forms of three families, with what is typed by the labels of its fields. */
const typedForms = [
  ["/monitors/new", "Create monitor", { URL: "https://shop.test/", Name: "Shop of the tests" }],
  [
    "/status-pages/1/look",
    "Save the look",
    { "Accent in light": "#117733", "Background in dark": "#101820" },
  ],
  [
    "/status-pages/1/reports/new",
    "Publish the report",
    { Title: "Slow cards", Message: "We look.\nAnd act." },
  ],
] as const;

test.skipIf(!isThere).each(typedForms)(
  "whoever signs in again reads what they typed at %s, before they send it, without scripts",
  async (path, button, typed) => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byAccount(scene, email, "editor");
    await ann.send("/status-pages", { title: "Acme", slug: "acme" });
    await using context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(`${scene.service.url}${path}`);
    await signIn(page);
    for (const [label, value] of Object.entries(typed))
      await page.getByLabel(label, { exact: true }).fill(value);
    await endSession(page, scene);
    await follow(page.getByRole("button", { name: button, exact: true }));
    await signIn(page);
    const list = page.locator(".kept-texts");
    for (const [label, value] of Object.entries(typed))
      expect(
        await list
          .locator("dt", { hasText: exactly(label) })
          .locator("+ dd")
          .innerText(),
      ).toBe(value);
    await follow(page.getByRole("button", { name: "Go on editing" }));
    for (const [label, value] of Object.entries(typed))
      expect(await page.getByLabel(label, { exact: true }).inputValue()).toBe(value);
    await follow(page.getByRole("button", { name: button, exact: true }));
    expect(await page.locator("main form .mistakes").count()).toBe(0);
    expect(new URL(page.url()).pathname).not.toContain("kept-forms");
  },
);

test.skipIf(!isThere)(
  "what one person typed is not there for another who signs in at the same browser",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    await byAccount(scene, email, "editor");
    await byAccount(scene, "bob@example.com", "owner");
    await using context = await browser.newContext();
    const page = await context.newPage();
    await typeUntilTheSessionEnds(page, scene);
    const kept = page.url();
    const faults = [...(await pageFaults(page, "kept-form-sign-in"))];
    await signIn(page, "bob@example.com");
    expect(await page.locator("h1").innerText()).toBe("This form is no longer kept");
    expect(await page.locator("main").innerText()).not.toContain("Acme");
    faults.push(...(await pageFaults(page, "kept-form-of-another")));
    await signOut(page);
    await page.goto(kept);
    await signIn(page);
    faults.push(...(await pageFaults(page, "kept-form")), ...(await keyboardFaults(page)));
    expect(faults).toEqual([]);
  },
);

test("a kept form is sealed, ends after a while, and is sent by nothing but Picket's form", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byAccount(scene, email, "editor");
  const bob = await byAccount(scene, "bob@example.com", "owner");
  const form = /name="form" value="([^"]+)"/.exec(await ann.text("/"))?.[1] ?? "";
  await ann.send("/sign-out");
  const fields = { form, title: "Acme", slug: "acme" };
  const sent = await scene.post("/status-pages", fields, { cookie: ann.cookie });
  const next = new URL(sent.headers.get("location") ?? "", scene.service.url).searchParams.get(
    "next",
  );
  const kept = next ?? "";
  expect(kept).toMatch(/^\/kept-forms\/[\w-]{22}$/);
  expect((await scene.get(kept, { cookie: bob.cookie })).status).toBe(404);
  const back = await scene.post("/sign-in", { email, password, next: kept });
  const cookie = (back.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  expect(back.headers.get("location")).toBe(kept);
  expect((await scene.post(kept, {}, { cookie })).status).toBe(403);
  expect(await (await scene.get(kept, { cookie })).text()).toContain("<dd>Acme</dd>");
  scene.clock.suspend(limits.keptFormFor);
  expect((await scene.get(kept, { cookie })).status).toBe(404);
  const list = await scene.get("/status-pages.json", { cookie });
  expect(await list.text()).not.toContain("acme");
});
