import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { formTokenIn } from "../../support/signed-in.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "times are those of the reader with their zone, UTC is under the pointer, and without a script UTC is named",
  async () => {
    const { service, get, post } = await operatorScene();
    const form = formTokenIn(await (await get("/monitors/2")).text());
    const work = { title: "Upgrade", time_zone: "UTC", repeat: "once", monitor_ids: "2" };
    const times = { from: "2026-11-24T14:00", to: "2026-11-24T15:30" };
    await post("/maintenances/new", { form, ...work, ...times });
    await generatedPage(service);
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        timezoneId: "Asia/Tokyo",
      });
      const page = await context.newPage();
      await page.clock.setFixedTime("2026-11-22T12:00:00Z");
      await page.goto(`${service.url}/incidents/2`);
      const opened = page.locator(".tiles time").first();
      const today = page.locator(".asof time.unprinted");
      if (javaScriptEnabled) {
        await expect.poll(() => opened.innerText()).toBe("16\u00a0Nov, 20:25:00 GMT+9");
        expect(await opened.getAttribute("title")).toBe("16\u00a0Nov, 11:25:00 UTC");
        expect(await today.innerText()).toBe("21:00:00 GMT+9");
        expect(await page.locator("footer").innerText()).toContain("Times are those of Asia/Tokyo");
      } else {
        expect(await opened.innerText()).toBe("16\u00a0Nov, 11:25:00 UTC");
        expect(await page.locator("footer").innerText()).toContain("Times and days are UTC.");
      }
      await page.goto(`${service.url}/changes?kind=maintenance`);
      const day = page.getByRole("heading", { level: 2 });
      const days = javaScriptEnabled
        ? ["Sunday, 22 November 2026 (Asia/Tokyo)"]
        : ["Sunday, 22 November 2026 (UTC)"];
      await expect.poll(() => day.allTextContents()).toEqual(days);
      const value = page.locator("table.changes td time").first();
      await page
        .locator("li.change details")
        .first()
        .evaluate((one) => one.setAttribute("open", ""));
      expect(await value.innerText()).toMatch(javaScriptEnabled ? /GMT\+9$/ : /UTC$/);
      await page.goto(`${service.url}/maintenances`);
      const planned = page.locator(".planned-row .when .kind").first();
      await expect
        .poll(() => planned.innerText())
        .toBe(
          javaScriptEnabled
            ? "Tue\u00a024\u00a0Nov, 23:00 to 25\u00a0Nov, 00:30 GMT+9"
            : "Tue\u00a024\u00a0Nov, 14:00 to 15:30 UTC",
        );
      // A link for those who hear it alone says the time that is shown.
      await page.goto(`${service.url}/reports/1`);
      const shown = page.locator("li.incident h3 time").first();
      const own = javaScriptEnabled ? / GMT\+9$/ : / UTC$/;
      await expect.poll(() => shown.innerText()).toMatch(own);
      const name = `Correct the update of ${await shown.innerText()}`;
      expect(await page.getByRole("link", { name, exact: true }).count()).toBeGreaterThan(0);
    }
  },
);

test.skipIf(!browser.isThere)(
  "a line of the audit log below the heading of its day has its time alone, also on a later day",
  async () => {
    const { service, get, post } = await operatorScene();
    const form = formTokenIn(await (await get("/monitors/2")).text());
    await post("/incidents/7/acknowledge", { form });
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    await page.clock.setFixedTime("2026-11-24T12:00:00Z");
    await page.goto(`${service.url}/changes?kind=incident`);
    const line = page.locator(".change summary time").first();
    await expect.poll(() => line.getAttribute("title")).toMatch(/ UTC$/);
    expect(await line.innerText()).toMatch(/^\d\d:\d\d:\d\d$/);
  },
);
