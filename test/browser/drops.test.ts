import { describe, expect, test } from "vitest";
import { complaints } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";
import { tabTo } from "../support/page-faults.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere)("the menu of a monitor's page", () => {
  test("opens by the keyboard, closes by Escape and by a press elsewhere, and needs no script", async () => {
    const { service } = await operatorScene();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/1`);
      const button = page.locator(".acts-menu > summary");
      const copy = page.getByRole("link", { name: "Copy", exact: true });
      expect(await copy.isVisible()).toBe(false);
      await tabTo(page, button);
      await page.keyboard.press("Enter");
      expect(await copy.isVisible()).toBe(true);
      if (!javaScriptEnabled) continue;
      expect(await complaints(page, "all")).toEqual([]);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      expect(await copy.isVisible()).toBe(false);
      expect(await button.evaluate((one) => one.matches(":focus"))).toBe(true);
      await button.click();
      expect(await copy.isVisible()).toBe(true);
      await page.locator("h1").click();
      expect(await copy.isVisible()).toBe(false);
    }
  });

  test("has the likely next act in view, which depends on the state, and at most three in all", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const shown = async (id: number) => {
      await page.goto(`${service.url}/monitors/${id}`);
      const acts = page.locator(":is(.title-line .acts, .trouble) :is(button, .button):visible");
      const main = page.locator(":is(.title-line .acts, .trouble) .main:visible");
      return [(await acts.count()) - 1, await main.allInnerTexts()];
    };
    expect(await shown(1)).toEqual([3, []]);
    expect(await shown(2)).toEqual([3, ["Acknowledge"]]);
    await page.goto(`${service.url}/monitors/1`);
    await page.locator(".acts-menu > summary").click();
    await page.getByRole("button", { name: "Pause: Shop" }).click();
    await page.waitForURL(/notice=paused/);
    expect(await shown(1)).toEqual([2, ["Resume"]]);
  });
});
