import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Holds the answer to the form's next button until it is let go. */
async function heldAnswer(page: Page, path: string) {
  const asked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  await page.route(
    `**${path}`,
    async (route) => {
      asked.resolve();
      await open.promise;
      await route.continue();
    },
    { times: 1 },
  );
  return { asked: asked.promise, letGo: () => open.resolve() };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => Reflect.get(globalThis, "document").activeElement?.name ?? "");

test.skipIf(!isThere)(
  "what is typed while Now, for 1 h is on its way stays with the cursor in it, and the times are filled in",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "UTC" });
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const { asked, letGo } = await heldAnswer(page, "/maintenances/new");
    await page.getByRole("button", { name: "Now, for 1 h" }).click();
    await asked;
    await page.getByLabel("Message").fill("The shop is read-only.");
    await page.locator('input[name="monitor_ids"]').first().check();
    await page.getByLabel("Title").click();
    await page.keyboard.type("Upgade");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
    letGo();
    await expect.poll(() => page.getByLabel("Begins").inputValue()).toBe("2026-11-22T12:00");
    expect(await focused(page)).toBe("title");
    await page.keyboard.type("r");
    expect(await page.getByLabel("Title").inputValue()).toBe("Upgrade");
    expect(await page.getByLabel("Message").inputValue()).toBe("The shop is read-only.");
    expect(await page.locator('input[name="monitor_ids"]').first().isChecked()).toBe(true);
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-11-22T13:00");
  },
);

test.skipIf(!isThere)(
  "what is typed while a row is added stays, and whoever typed nothing continues in the new row",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/webhook`);
    const { asked, letGo } = await heldAnswer(page, "/channels/new/webhook");
    const add = page.getByRole("button", { name: "Add header" });
    await add.click();
    await asked;
    await page.getByLabel("Name", { exact: true }).first().click();
    await page.keyboard.type("On call");
    letGo();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    expect(await focused(page)).toBe("name");
    await page.keyboard.type(" team");
    expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe(
      "On call team",
    );
    await add.click();
    await expect.poll(() => page.locator(".row").count()).toBe(2);
    await expect.poll(() => focused(page)).toMatch(/\[1\]\.key$/);
    await page.keyboard.type("X-Second");

    // The rows after one that is removed have other numbers.
    const removed = await heldAnswer(page, "/channels/new/webhook");
    await page.getByRole("button", { name: "Remove header 1" }).click();
    await removed.asked;
    await page.locator(".row").nth(1).locator("input:not([type=hidden])").nth(1).click();
    await page.keyboard.type("two");
    removed.letGo();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    const row = page.locator(".row input:not([type=hidden])");
    expect([await row.nth(0).inputValue(), await row.nth(1).inputValue()]).toEqual([
      "X-Second",
      "two",
    ]);
    expect(await focused(page)).toMatch(/\[0\]\.value$/);
  },
);
