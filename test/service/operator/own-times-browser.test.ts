import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "times are those of the reader with their zone, UTC is under the pointer, and without a script UTC is named",
  async () => {
    const { service } = await operatorScene();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        timezoneId: "Asia/Tokyo",
      });
      const page = await context.newPage();
      await page.clock.setFixedTime("2026-11-22T12:00:00Z");
      await page.goto(`${service.url}/incidents/2`);
      const opened = page.locator("h1 ~ .verdict time").first();
      const today = page.locator(".asof time");
      if (javaScriptEnabled) {
        await expect.poll(() => opened.innerText()).toBe("16\u00a0Nov, 20:25:00 GMT+9");
        expect(await opened.getAttribute("title")).toBe("16\u00a0Nov, 11:25:00 UTC");
        expect(await today.innerText()).toBe("21:00:00 GMT+9");
        expect(await page.locator("footer").innerText()).toContain("Times are those of Asia/Tokyo");
      } else {
        expect(await opened.innerText()).toBe("16\u00a0Nov, 11:25:00 UTC");
        expect(await page.locator("footer").innerText()).toContain("Times and days are UTC.");
      }
    }
  },
);
