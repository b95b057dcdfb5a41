import { expect, test } from "vitest";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "the list of incidents is filtered as a monitor is chosen, or by a button without scripts, and stays taken apart",
  async () => {
    const { service } = await operatorScene();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        viewport: sizes.desktop,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(`${service.url}/incidents?state=open&grouped=no`);
      const rows = page.locator(".incidents > li");
      expect(await rows.count()).toBe(5);
      const button = page.getByRole("button", { name: "Filter" });
      expect(await button.isVisible()).toBe(!javaScriptEnabled);
      await page.getByLabel("Location").focus();
      await page.getByLabel("Location").selectOption({ label: "Warehouse" });
      if (!javaScriptEnabled) await follow(button);
      await page.waitForURL(/location=2/);
      const { searchParams } = new URL(page.url());
      expect([searchParams.get("state"), searchParams.get("grouped")]).toEqual(["open", "no"]);
      if (!javaScriptEnabled) continue;
      await page.getByLabel("Monitor").selectOption({ label: "Billing API" });
      await expect.poll(() => rows.count()).toBe(1);
      expect(await page.getByLabel("Location").inputValue()).toBe("2");
      expect(await page.getByLabel("Monitor").inputValue()).not.toBe("");
    }
  },
);
