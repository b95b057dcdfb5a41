import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** How many pixels of the plot of phases are painted, of a row low in it, from its end to the left. */
const paintedAtEnd = (page: Page): Promise<number> =>
  page.evaluate<number>(`(() => {
    const canvas = document.querySelector("[data-phases] canvas");
    const over = document.querySelector("[data-phases] .u-over");
    const ratio = canvas.width / canvas.clientWidth;
    const [left, top] = [over.offsetLeft * ratio, over.offsetTop * ratio];
    const width = Math.round(over.clientWidth * ratio);
    const y = Math.round(top + over.clientHeight * ratio - 4);
    const row = canvas.getContext("2d").getImageData(Math.round(left), y, width, 1).data;
    const isPainted = (x) => row[4 * x + 3] > 200;
    let last = width - 1;
    while (last > 0 && !isPainted(last)) last -= 1;
    return width - 1 - last;
  })()`);

test.skipIf(!isThere)("the newest column of phases reaches the end of its chart", async () => {
  const { service } = await operatorScene();
  await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${service.url}/monitors/1?range=24h`);
  await page.locator("[data-phases] .u-over").waitFor();
  // A step of 15 min is 5 px wide.
  expect(await paintedAtEnd(page)).toBeLessThanOrEqual(2);
});
