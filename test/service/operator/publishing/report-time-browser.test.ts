import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "when a report began is typed in the zone of the reader, or in UTC without a script, and is seen in the preview",
  async () => {
    const { service } = await operatorScene({ days: 1 });
    await generatedPage(service);
    for (const [javaScriptEnabled, zone, typed] of [
      [true, "Asia/Tokyo", "2026-11-22T17:05"],
      [false, "UTC", "2026-11-22T08:05"],
    ] as const) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        timezoneId: "Asia/Tokyo",
      });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1/reports/new`);
      await page.getByLabel("Title").fill("Slow");
      await page.locator("#group-when > summary").click();
      const field = page.getByLabel(`It began (${zone})`);
      await field.fill(typed);
      const preview = page.locator("#preview");
      await field.fill("2026-11-23T17:05");
      if (!javaScriptEnabled) await follow(page.getByRole("button", { name: "Preview" }));
      await preview.getByText("“It began” must not be in the future.").waitFor();
      if (javaScriptEnabled)
        await field.locator("xpath=../..").getByText("It must not be in the future.").waitFor();
      await field.fill(typed);
      if (!javaScriptEnabled) await follow(page.getByRole("button", { name: "Preview" }));
      await preview.locator('time[datetime="2026-11-22T08:05:00.000Z"]').waitFor();
      expect(await field.inputValue()).toBe(typed);
      await follow(page.getByRole("button", { name: "Publish the report" }).last());
      const shown = page.locator("li.incident h3 time");
      expect(await shown.getAttribute("datetime")).toBe("2026-11-22T08:05:00.000Z");
      // What is not changed stays, whatever the zone.
      await follow(page.getByRole("link", { name: /^Correct the update/ }));
      expect(await page.getByLabel(`Time (${zone})`).inputValue()).toBe(typed);
      await follow(page.getByRole("button", { name: "Save" }).last());
      expect(await shown.getAttribute("datetime")).toBe("2026-11-22T08:05:00.000Z");
    }
  },
);
