import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { statusScene } from "./status-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "a reader sees times in their zone, UTC too, and without a script in the page's",
  async () => {
    await using here = await statusScene();
    const zone = { timeZone: "Europe/Berlin" };
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme", ...zone });
    const shown = async (timezoneId: string, javaScriptEnabled: boolean) => {
      await using context = await browser.newContext({ timezoneId, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${here.service.url}/status/acme`);
      return await page.locator(".fresh time").innerText();
    };
    expect(await shown("UTC", false)).toBe("22 Nov 2026, 13:00 CET");
    expect(await shown("UTC", true)).toBe("22 Nov 2026, 12:00 UTC");
    expect(await shown("Asia/Kolkata", true)).toBe("22 Nov 2026, 17:30 IST");
  },
);
