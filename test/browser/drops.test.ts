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
      const plan = page.getByRole("link", { name: "Plan maintenance", exact: true });
      expect(await plan.isVisible()).toBe(false);
      await tabTo(page, button);
      await page.keyboard.press("Enter");
      expect(await plan.isVisible()).toBe(true);
      if (!javaScriptEnabled) continue;
      expect(await complaints(page, "all")).toEqual([]);
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      expect(await plan.isVisible()).toBe(false);
      expect(await button.evaluate((one) => one.matches(":focus"))).toBe(true);
      await button.click();
      expect(await plan.isVisible()).toBe(true);
      await page.locator("h1").click();
      expect(await plan.isVisible()).toBe(false);
    }
  });

  test("is next to the daily acts, of which the one that the state asks for stands out", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const shown = async (id: number) => {
      await page.goto(`${service.url}/monitors/${id}`);
      const acts = page.locator(":is(.title-line .acts, .trouble) :is(button, .button):visible");
      const main = page.locator(":is(.title-line .acts, .trouble) .main:visible");
      const words = (await acts.allInnerTexts()).map((one) => one.trim().split("\n")[0]);
      return [words.join(", "), await main.allInnerTexts()];
    };
    const daily = "Check now, Silence, Edit, Pause, Copy, ⋯";
    expect(await shown(1)).toEqual([daily, []]);
    expect(await shown(2)).toEqual([`Acknowledge, ${daily}`, ["Acknowledge"]]);
    await page.goto(`${service.url}/monitors/1`);
    await page.getByRole("button", { name: "Pause: Shop" }).click();
    await page.waitForURL(/notice=paused/);
    expect(await shown(1)).toEqual(["Resume, Edit, Copy, ⋯", ["Resume"]]);
  });
});
