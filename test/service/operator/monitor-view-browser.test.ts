import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the parts of a monitor's page have one left and one right edge for each of two columns, and one of all on a phone",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const edges = async (path: string, width: number) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${service.url}${path}`);
      const boxes = await page.locator("main .columns section, main .tiles").all();
      const found = new Set<string>();
      for (const one of boxes) {
        const { x = 0, width: wide = 0 } = (await one.boundingBox()) ?? {};
        found.add(`${x} ${x + wide}`);
      }
      return [...found].map((one) => one.split(" ").map(Number));
    };
    for (const path of ["/monitors/1", "/monitors/2"]) {
      const [whole, wider, other, ...more] = await edges(path, 1_280);
      expect(more).toEqual([]);
      expect([wider?.[0], other?.[1]]).toEqual(whole);
      expect(await edges(path, 390)).toHaveLength(1);
    }
  },
);
