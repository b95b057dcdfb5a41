import { readFile } from "node:fs/promises";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPeople } from "#service/people/open-people";
import { follow, openAll, signOut, watchPage } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { keyboardFaults, pageFaults, tabTo } from "../../../support/page-faults.ts";
import { byKey, password } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;
const email = "ann@example.com";

/** The link of a new account. */
async function invited({ database, clock, service }: OperatorScene, role: "owner" | "reader") {
  await using opened = await openPeople(database, clock);
  const { token } = await opened.people.invite({ name: "Ann", email, role });
  return `${service.url}/join?link=${token}`;
}

async function join(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("New password").fill(password);
  await follow(page.getByRole("button", { name: "Set the password" }));
}

const codeFor = async (page: Page, scene: OperatorScene): Promise<string> => {
  const secret = (await page.locator("code.secret").innerText()).replaceAll(" ", "");
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: scene.clock.wall(),
  });
};

const clipboardOf = (page: Page): Promise<string> =>
  page.evaluate(() => Reflect.get(Reflect.get(globalThis, "navigator"), "clipboard").readText());

/** Signs in with a new key. */
async function signInWith(page: Page, { service }: OperatorScene, scope: "read" | "write") {
  const { key } = await service.admin.createApiKey({ name: "ops", scope });
  await page.goto(`${service.url}/sign-in`);
  await page.getByText("With an API key").click();
  await page.getByLabel("API key or password").fill(key);
  await follow(page.getByRole("button", { name: "Sign in" }).last());
}

test.skipIf(!isThere)(
  "every state of the settings is accessible and fits: light and dark, on a desk and on a phone, by the keyboard alone",
  { timeout: 300_000 },
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { url } = scene.service;
    await using context = await browser.newContext();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const seen = watchPage(context, url);
    const page = await context.newPage();
    const faults: string[] = [];
    const judge = async (name: string) => {
      await openAll(page);
      const found = [
        ...(await pageFaults(page, `settings-${name}`)),
        ...(await keyboardFaults(page)),
      ];
      faults.push(...found.map((one) => `${name}: ${one}`));
    };
    const link = await invited(scene, "owner");
    await page.goto(link);
    await judge("join");
    await join(page, link);
    await page.goto(`${url}/settings`);
    await judge("profile");
    await page.goto(`${url}/settings/factor`);
    await judge("factor");
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("Code", { exact: true }).fill(await codeFor(page, scene));
    await follow(page.getByRole("button", { name: "Turn on" }));
    await judge("recovery-codes");
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const codes = await page.locator(".recovery code").allInnerTexts();
    expect((await clipboardOf(page)).split(/\n+/)).toEqual(codes);
    await page.goto(`${url}/settings`);
    await judge("profile-with-factor");
    await page.goto(`${url}/settings/sessions`);
    await judge("sessions");
    await page.goto(`${url}/settings/people`);
    await follow(page.getByRole("link", { name: "Invite a person" }));
    await judge("invite");
    await page
      .getByLabel("Name", { exact: true })
      .fill("Bob with a name that is long enough to need more than one line of a table");
    await page.getByLabel("E-mail address").fill("bob.of.a.long.address@subdomain.of.example.com");
    await follow(page.getByRole("button", { name: "Invite" }));
    await judge("people-invited");
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await clipboardOf(page);
    expect(copied).toBe(await page.getByLabel("The link", { exact: true }).inputValue());
    expect(copied).toMatch(/\/join\?link=pkt_link_/);
    await follow(page.getByRole("link", { name: "Invite a person" }));
    await page.getByLabel("Name", { exact: true }).fill("Bob");
    await page.getByLabel("E-mail address").fill("bob.of.a.long.address@subdomain.of.example.com");
    await follow(page.getByRole("button", { name: "Invite" }));
    await judge("people-refused");
    await page.goto(`${url}/settings/people/1`);
    await judge("person");
    await page.goto(`${url}/settings/keys`);
    await follow(page.getByRole("link", { name: "New API key" }));
    await judge("new-key");
    await page.getByLabel("Name", { exact: true }).fill("night shift");
    expect(await page.getByLabel("Ends after days").isVisible()).toBe(false);
    await page.getByLabel("Ends", { exact: true }).selectOption("after another number of days");
    await page.getByLabel("Ends after days").fill("90");
    await follow(page.getByRole("button", { name: "Create key" }));
    await judge("keys");
    await follow(page.getByRole("link", { name: "Revoke night shift" }));
    await judge("revoke-key");
    await signOut(page);
    await judge("sign-in");
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await follow(page.getByRole("button", { name: "Sign in" }).first());
    await judge("second-factor");
    await page.goto(link);
    await judge("spent-link");
    await signInWith(page, scene, "read");
    await page.goto(`${url}/settings/people`);
    await judge("not-allowed");
    // A form that was refused, and a link that has ended, are answered with 400 and 404, and what the role may not do with 403.
    const answers =
      /^console Failed to load resource: the server responded with a status of 40[034]/;
    const tried = seen.filter((one) => !answers.test(one));
    expect([...faults, ...tried].join("\n")).toBe("");
  },
);

test.skipIf(!isThere)(
  "with the keyboard alone and without scripts a person joins, sets up a second factor and signs in with it",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { url } = scene.service;
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const type = async (label: string, text: string) => {
      await tabTo(page, page.getByLabel(label, { exact: true }).and(page.locator(":visible")));
      await page.keyboard.type(text);
    };
    /** Into the field that has the focus as soon as the page is there. */
    const typeFirst = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).and(page.locator(":focus")).waitFor();
      await page.keyboard.type(text);
    };
    const enter = async () => {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    await page.goto(await invited(scene, "reader"));
    await typeFirst("New password", password);
    await enter();
    await page.goto(`${url}/settings`);
    await tabTo(page, page.getByRole("link", { name: "Set up an app for codes" }));
    await enter();
    await type("Current password", password);
    await type("Code", await codeFor(page, scene));
    await enter();
    const codes = await page.locator(".recovery code").allInnerTexts();
    await tabTo(page, page.getByRole("link", { name: "Download" }));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.keyboard.press("Enter"),
    ]);
    expect(download.suggestedFilename()).toBe("picket-recovery-codes.txt");
    const file = await readFile(await download.path(), "utf8");
    expect(file).toBe(codes.map((code) => `${code}\r\n`).join(""));
    await tabTo(page, page.getByRole("button", { name: /^Account/ }));
    await page.keyboard.press("Enter");
    await tabTo(page, page.getByRole("button", { name: "Sign out" }));
    await enter();
    await page.goto(`${url}/sign-in`);
    await typeFirst("E-mail address", email);
    await type("Password", password);
    await enter();
    expect(await page.locator("h1").innerText()).toBe("Second factor");
    await typeFirst("Code of your app", codes[3] ?? "");
    await enter();
    expect(await page.locator(".out").innerText()).toMatch(
      /^\s*Ann\s+Reader: you may see everything/,
    );
    await page.goto(`${url}/settings/keys`);
    expect(await page.locator("h1").innerText()).toBe("You may not do this");
  },
);

test.skipIf(!isThere)(
  "a phone shows all parts of the settings in two rows, each says what it is for, and no table scrolls or has two borders",
  async () => {
    const scene = await operatorScene();
    const { service } = scene;
    await service.admin.createApiKey({ name: "night shift", scope: "read" });
    await invited(scene, "owner");
    await using context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 375, height: 812 },
    });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const widths = async (selector: string): Promise<readonly number[]> =>
      page
        .locator(selector)
        .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
    for (const path of ["", "/sessions", "/people", "/keys", "/service", "/mail"]) {
      await page.goto(`${service.url}/settings${path}`);
      expect(await widths(".parts")).toEqual([0]);
      const tops = await page
        .locator(".parts a")
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect([tops.length, new Set(tops).size]).toEqual([7, 2]);
      expect((await page.locator(".list-head .about").innerText()).length).toBeGreaterThan(10);
      expect((await widths(".wide")).every((hidden) => hidden === 0)).toBe(true);
      const inner = await page
        .locator(".wide > .settled")
        .evaluateAll((all) =>
          all.map((one) => Reflect.get(globalThis, "getComputedStyle")(one).borderTopWidth),
        );
      expect(inner.every((border) => border === "0px")).toBe(true);
    }
  },
);

test.skipIf(!isThere)(
  "a bad address is refused at its field in our words, and Cancel leads back without an invitation",
  async () => {
    const scene = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${scene.service.url}/settings/people/new`);
    expect(await page.getByLabel("Owner").isChecked()).toBe(true);
    await page.getByLabel("Name", { exact: true }).fill("Ann");
    await page.getByLabel("E-mail address").fill("nowhere");
    await follow(page.getByRole("button", { name: "Invite" }));
    const field = page.locator(".field", { has: page.getByLabel("E-mail address") });
    expect(await field.locator(".wrong-line").innerText()).toBe("It must be like ann@example.com.");
    expect(await page.getByLabel("E-mail address").inputValue()).toBe("nowhere");
    await follow(page.getByRole("link", { name: "Cancel" }));
    expect(new URL(page.url()).pathname).toBe("/settings/people");
    expect(await page.getByText("No account yet").count()).toBe(1);
  },
);

test.skipIf(!isThere)(
  "an owner who has only a key makes an account for themselves, on pages that are accessible",
  async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { cookie } = await byKey(scene, "write");
    const [name = "", value = ""] = cookie.split("=");
    await using context = await browser.newContext();
    await context.addCookies([{ name, value, url: scene.service.url }]);
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${scene.service.url}/start`);
    await follow(page.getByRole("link", { name: "Create your account" }));
    expect(await pageFaults(page, "own-account")).toEqual([]);
    await page.getByLabel("Name", { exact: true }).fill("Ann");
    await page.getByLabel("E-mail address").fill("ann@example.com");
    await follow(page.getByRole("button", { name: "Create your account" }));
    await page.getByRole("link", { name: "Set your password" }).waitFor();
    expect(await pageFaults(page, "own-account-made")).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "a chosen theme is that of all pages, whatever the device has, and accessible",
  async () => {
    const scene = await operatorScene();
    const { url } = scene.service;
    for (const [device, theme, ground] of [
      ["light", "Dark", "rgb(13, 16, 20)"],
      ["dark", "Light", "rgb(247, 248, 250)"],
    ] as const) {
      await using context = await browser.newContext({ colorScheme: device });
      context.setDefaultTimeout(8_000);
      const page = await context.newPage();
      await page.goto(`${url}/settings`);
      await page.getByLabel("Theme").selectOption(theme);
      await follow(page.getByRole("button", { name: "Save" }));
      for (const path of ["/settings", "/monitors/2", "/channels"]) {
        await page.goto(`${url}${path}`);
        expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(ground);
      }
      expect(await pageFaults(page, `theme-${theme}`)).toEqual([]);
    }
  },
);
