import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a table that is wider than the screen has a shade at each edge that is cut, and at no other",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/uptime`);
    const table = page.getByRole("region", { name: "Table of monitors" });
    // Its texts would differ at each place of it.
    await table.locator("table").evaluate((one) => {
      one.style.minWidth = "40rem";
      one.style.visibility = "hidden";
    });
    const { x, y, width, height } = (await table.boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    const edge = async (from: number): Promise<string> => {
      const clip = { x: from, y: y + height / 2, width: 6, height: 6 };
      return (await page.screenshot({ clip, fullPage: true })).toString("base64");
    };
    const edges = async () => ({ left: await edge(x + 2), right: await edge(x + width - 8) });
    const whole = await edge(x + width / 2);
    const begin = await edges();
    expect([begin.left === whole, begin.right === whole]).toEqual([true, false]);
    await table.evaluate((one) => one.scrollBy(1_000, 0));
    const end = await edges();
    expect([end.left === whole, end.right === whole]).toEqual([false, true]);
  },
);
