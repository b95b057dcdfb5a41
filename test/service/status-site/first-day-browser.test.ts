import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the bar of a page's first day is reached by Tab, and says its day and state",
  async () => {
    const { service } = await operatorScene({ days: 0.5 });
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status/acme`);
    const bar = page.locator(".days .uptime").first();
    expect(await bar.locator(".said").count()).toBe(1);
    await page.getByRole("link", { name: "Shop" }).first().focus();
    await page.keyboard.press("Tab");
    expect(await bar.and(page.locator(":focus")).count()).toBe(1);
    const spoken = page.getByRole("status");
    expect(await spoken.innerText()).toMatch(/^22 Nov: \w+/);
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End"]) {
      await page.keyboard.press(key);
      expect(await spoken.innerText()).toMatch(/^22 Nov: \w+/);
    }
  },
);
