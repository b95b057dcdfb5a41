import { expect, test } from "vitest";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
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
  "on a desk a row of the list has its sentence in one line below the name, over the width of the row, whoever acknowledged it",
  async () => {
    const { service, clock, database } = await operatorScene();
    await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
    const by = "the key “first of the operators at night”";
    await store.alerts.incidents.acknowledgeEach([4, 5, 6, 7], clock.wall(), by);
    await using context = await browser.newContext({ viewport: sizes.desktop });
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents`);
    const boxes = await page.locator(".incidents > li").evaluateAll((rows) =>
      rows.map((row) => {
        const [name, why, meta, length] = ["h3", ".why", ".meta", ".length"].map((one) =>
          row.querySelector(one)?.getBoundingClientRect(),
        );
        return {
          lineHeight: why?.height ?? 0,
          below: (why?.top ?? 0) - (name?.bottom ?? 0),
          beyond: (why?.right ?? 0) - (length?.right ?? 0),
          metaHeight: meta?.height ?? 0,
        };
      }),
    );
    expect(boxes.length).toBeGreaterThan(3);
    for (const { lineHeight, below, beyond, metaHeight } of boxes) {
      expect(lineHeight).toBeLessThan(26);
      expect(below).toBeGreaterThanOrEqual(0);
      expect(below).toBeLessThan(6);
      // The column of acts is next to the length.
      expect(beyond).toBeGreaterThan(150);
      // What was seen at several locations may need a second line.
      expect(metaHeight).toBeLessThan(46);
    }
  },
);
