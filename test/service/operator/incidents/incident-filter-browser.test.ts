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

test.skipIf(!isThere)(
  "on a desk a row of the list has its sentence in one line below the name, over the width of the row",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: sizes.desktop });
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents`);
    const boxes = await page.locator(".incidents > li").evaluateAll((rows) =>
      rows.map((row) => {
        const [name, why, next, meta] = ["h3", ".why", ".next", ".meta"].map((one) =>
          row.querySelector(one)?.getBoundingClientRect(),
        );
        return {
          lineHeight: why?.height ?? 0,
          below: (why?.top ?? 0) - (name?.bottom ?? 0),
          spare: (next?.right ?? 0) - (why?.right ?? 0),
          metaHeight: meta?.height ?? 0,
        };
      }),
    );
    expect(boxes.length).toBeGreaterThan(3);
    for (const { lineHeight, below, spare, metaHeight } of boxes) {
      expect(lineHeight).toBeLessThan(26);
      expect(below).toBeGreaterThanOrEqual(0);
      expect(Math.abs(spare)).toBeLessThan(1);
      expect(metaHeight).toBeLessThan(26);
    }
  },
);
