import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { dnsDefaults } from "#check/definition";
import { complaints, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** How high the lines of monitors that are well are. */
const heights = (page: Page): Promise<readonly number[]> =>
  page
    .locator(".watched > .line.success")
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));

test.skipIf(!isThere)(
  "a compact list has lines of 36 pixels on a desk, and what is selected stays, without scripts",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.goto(service.url);
    const comfortable = await heights(page);
    await page.getByLabel("Select Shop").check();
    await page.getByRole("button", { name: "Compact" }).press("Enter");
    await page.waitForURL((url) => url.searchParams.get("view") === "compact");
    const compact = await heights(page);
    expect(compact.length).toBe(comfortable.length);
    expect(Math.max(...compact)).toBeLessThanOrEqual(36);
    expect(Math.min(...comfortable)).toBeGreaterThan(52);
    expect(Math.min(...comfortable)).toBeLessThan(60);
    expect(await page.getByLabel("Select Shop").isChecked()).toBe(true);
    const target = page.locator(".line", { hasText: "Wiki" }).locator(".target");
    expect(await target.textContent()).toBe("wiki.internal/login");
    // Targets and figures have their columns, also in the row of a cause.
    for (const column of [".kind", ".latency", ".share"]) {
      const ends = await page
        .locator(`.watched > .line > ${column}`)
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      expect(new Set(ends).size).toBe(1);
    }
    // The browser keeps it.
    await page.goto(service.url);
    expect(Math.max(...(await heights(page)))).toBeLessThanOrEqual(36);
  },
);

test.skipIf(!isThere)(
  "a compact list fits a phone, a tablet and a desk, and axe has no complaint: light and dark",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?view=compact`);
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 1000, 700, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        expect(await overhang(page)).toBe(0);
        expect(await complaints(page, "all")).toEqual([]);
        await snap(page, `compact-list-${width}-${colorScheme}`);
        const mark = page.locator(".watched > .line.success > .mark").first();
        expect(await mark.innerText()).toBe("Passing");
        expect(Math.max(...(await heights(page)))).toBeLessThanOrEqual(width < 960 ? 44 : 36);
      }
  },
);

test.skipIf(!isThere)(
  "a compact line is one line, however long its name is, with all badges and the whole question of DNS",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    const name = "Payments of the shop in the north, by card and by invoice, as customers see them";
    const uri = "dns:shop.test?server=127.0.0.1:21103";
    await service.admin.createMonitor(
      {
        ...dnsDefaults,
        name,
        uri,
        recordAssertions: [{ record: "TXT", comparator: "eq", target: "x" }],
        periodicity: "1m",
        active: false,
      },
      "management",
    );
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?view=compact`);
    const line = page.locator(".watched > .line");
    expect(await line.locator(".target").textContent()).toBe("shop.test TXT at 127.0.0.1:21103");
    expect(await line.locator("h3 a").getAttribute("title")).toBe(name);
    for (const width of [1280, 1024, 390]) {
      await page.setViewportSize({ width, height: 844 });
      const box = await line.boundingBox();
      expect(box?.height).toBeLessThanOrEqual(width < 960 ? 44 : 36);
      expect(await overhang(page)).toBe(0);
    }
  },
);

test.skipIf(!isThere)("whoever only reads chooses the view, too, also on a phone", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const reader = await byKey(scene, "read");
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const [name = "", value = ""] = reader.cookie.split("=");
  await context.addCookies([{ name, value, url: scene.service.url }]);
  const page = await context.newPage();
  await page.goto(scene.service.url);
  await page.getByRole("button", { name: "Compact" }).click();
  await page.waitForURL((url) => url.searchParams.get("view") === "compact");
  expect(await page.locator(".watched.compact .line").count()).toBeGreaterThan(5);
  expect(await complaints(page, "all")).toEqual([]);
});
