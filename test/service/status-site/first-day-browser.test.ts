import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the bar of a page's first day is reached by Tab, and says its hours and their state in the zone of the reader",
  async () => {
    const { service } = await operatorScene({ days: 0.5 });
    await generatedPage(service);
    await using context = await browser.newContext({ timezoneId: "America/New_York" });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status/acme`);
    const bar = page.locator(".days .uptime").first();
    expect(await bar.locator(".said").count()).toBe(1);
    await page.getByRole("link", { name: "Shop" }).first().focus();
    await page.keyboard.press("Tab");
    expect(await bar.and(page.locator(":focus")).count()).toBe(1);
    const spoken = page.getByRole("status");
    expect(await spoken.innerText()).toMatch(/^2[12] Nov 2026, .+ EST: \w+/);
    for (const key of ["ArrowLeft", "ArrowRight", "Home", "End"]) {
      await page.keyboard.press(key);
      expect(await spoken.innerText()).toMatch(/^2[12] Nov 2026, .+ EST: \w+/);
    }
  },
);
