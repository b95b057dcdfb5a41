import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { complaints, openAll, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const paths = [
  "/",
  "/?view=compact",
  "/incidents",
  "/incidents/7",
  "/monitors/1",
  "/monitors/new",
  "/monitors/1/edit",
  "/channels",
  "/channels/new/webhook",
  "/status-pages/1",
  "/status-pages/1/look",
  "/status-pages/1/subscribers",
  "/status-pages/1/share",
  "/status-pages/1/settings",
  "/reports/1",
  "/maintenances",
  "/maintenances/new",
  "/locations/1",
  "/changes",
  "/settings",
];

/** What a finger presses. A box is ticked by its words, and a link within a text has the height of its line. */
const pressed = [
  "button",
  ".button",
  "summary",
  "select",
  "textarea",
  'input:not([type="checkbox"], [type="radio"], [type="hidden"])',
  "nav.paging a",
  ".ranges li a",
  ".choices li a",
].join(", ");

/** What is lower than 40 px: its height and its words. */
const low = (page: Page): Promise<readonly string[]> =>
  page.locator(pressed).evaluateAll((all) =>
    all.flatMap((one) => {
      const { width, height, right } = one.getBoundingClientRect();
      // What only a screen reader or the Enter key finds.
      if (!one.checkVisibility({ visibilityProperty: true }) || width <= 1 || right < 0) return [];
      const words = (one.textContent || one.getAttribute("name")) ?? "";
      return height < 40 ? [`${height} px: ${words.trim()}`] : [];
    }),
  );

test.skipIf(!isThere)(
  "on a phone all that a finger presses is at least 40 px high, and no page is wider than the screen",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(`${service.url}${path}`);
      await openAll(page);
      expect([path, await low(page), await overhang(page)]).toEqual([path, [], 0]);
      await snap(page, `touch${path.replaceAll(/\W/g, "-")}`);
    }
    expect(await complaints(page, ["color-contrast", "target-size"])).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "on a phone the label of a monitor answers 6 px below its chip, and a click on the name opens the monitor",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(service.url);
    const line = page.locator(".line", { hasText: "Wiki" });
    const chip = line.getByRole("link", { name: "team:web" });
    await line.locator(".bar").scrollIntoViewIfNeeded();
    const { x = 0, y = 0, height = 0 } = (await chip.boundingBox()) ?? {};
    expect(height).toBeLessThan(30);
    await page.mouse.click(x + 20, y + height + 6);
    await page.waitForURL((url) => url.searchParams.get("label") === "team:web");
    await page.locator(".line", { hasText: "Wiki" }).getByRole("link", { name: "Wiki" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/monitors/"));
  },
);
