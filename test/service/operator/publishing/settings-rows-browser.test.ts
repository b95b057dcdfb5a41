import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "on a desk the settings of a status page are in four rows, and a theme's samples are larger than an icon",
  async () => {
    const { service } = await operatorScene({ days: 0.1 });
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/settings`);
    const tops = await page
      .locator(".form [name]:is(input:not([type=hidden], [type=checkbox]), select, textarea)")
      .evaluateAll((fields) => fields.map((one) => Math.round(one.getBoundingClientRect().top)));
    expect([tops.length, new Set(tops).size]).toEqual([8, 4]);
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(1_600);
    await page.goto(`${service.url}/status-pages/1/look`);
    const sample = await page.locator(".sample").first().boundingBox();
    expect(sample?.width).toBeGreaterThan(80);
  },
);
