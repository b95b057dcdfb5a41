import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPeople } from "#service/people/open-people";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { password } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;

const renewedWithin = 10_000;

const secretOn = async (page: Page): Promise<string> =>
  (await page.locator("code.secret").innerText()).replaceAll(" ", "");

/** The name of the field that has the cursor. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => Reflect.get(globalThis, "document").activeElement.name);

const isInView = (element: {
  getBoundingClientRect: () => { top: number; bottom: number };
}): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= Reflect.get(globalThis, "innerHeight");
};

test.skipIf(!isThere)(
  "an app that is set up has one secret: a renewal, a reload and a wrong code keep it, and its code is taken",
  async () => {
    const { service, database, clock } = await operatorScene({ pages: "signed in", days: 0 });
    await using opened = await openPeople(database, clock);
    const { token } = await opened.people.invite({
      name: "Ann",
      email: "ann@example.com",
      role: "reader",
    });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/join?link=${token}`);
    await page.getByLabel("New password").fill(password);
    await follow(page.getByRole("button", { name: "Set the password" }));
    await page.goto(`${service.url}/settings/factor`);
    const secret = await secretOn(page);
    // The cursor is in the first field, with the picture that is scanned in view.
    expect(await focused(page)).toBe("current");
    expect(await page.locator(".qr").evaluate(isInView)).toBe(true);
    await page.evaluate(() => {
      Reflect.get(globalThis, "document").querySelector("main").dataset.old = "yes";
    });
    await page.clock.runFor(renewedWithin);
    await page.locator("main:not([data-old])").waitFor();
    expect(await secretOn(page)).toBe(secret);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    expect(await secretOn(page)).toBe(secret);
    expect([await focused(page), await page.locator(".qr").evaluate(isInView)]).toEqual([
      "current",
      true,
    ]);
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: clock.wall(),
    });
    const wrong = code === "000000" ? "000001" : "000000";
    for (const typed of [wrong, code]) {
      expect(await secretOn(page)).toBe(secret);
      await page.getByLabel("Current password").fill(password);
      await page.getByLabel("Code", { exact: true }).fill(typed);
      await follow(page.getByRole("button", { name: "Turn on" }));
      if (typed === wrong) expect(await focused(page)).toBe("code");
      if (typed !== wrong) break;
      await page.goto(page.url());
    }
    expect(await page.locator("h1").innerText()).toBe("The second factor is on");
    await context.clearCookies();
    await page.goto(`${service.url}/sign-in`);
    await page.getByLabel("E-mail address").fill("ann@example.com");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await follow(page.getByRole("button", { name: "Sign in" }));
    expect(await focused(page)).toBe("code");
  },
);
