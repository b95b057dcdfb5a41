import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { formTokenIn } from "../../support/signed-in.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "times are those of the reader with their zone, UTC is under the pointer, and without a script UTC is named",
  async () => {
    const { service, get, post } = await operatorScene();
    const form = formTokenIn(await (await get("/monitors/2")).text());
    const work = { title: "Upgrade", time_zone: "UTC", repeat: "once", monitor_ids: "2" };
    const times = { from: "2026-11-24T21:00", to: "2026-11-24T22:30" };
    await post("/maintenances/new", { form, ...work, ...times });
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        timezoneId: "Asia/Tokyo",
      });
      const page = await context.newPage();
      await page.clock.setFixedTime("2026-11-22T12:00:00Z");
      await page.goto(`${service.url}/incidents/2`);
      const opened = page.locator(".tiles time").first();
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
      await page.goto(`${service.url}/maintenances`);
      const planned = page.locator(".planned-row .when .kind").first();
      await expect
        .poll(() => planned.innerText())
        .toBe(
          javaScriptEnabled
            ? "25\u00a0Nov, 06:00 GMT+9 to 25\u00a0Nov, 07:30 GMT+9"
            : "24\u00a0Nov, 21:00 UTC to 24\u00a0Nov, 22:30 UTC",
        );
    }
  },
);
