import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere).each([1280, 390])(
  "a form that makes something has the cursor in its first field, in view, at a width of %d",
  async (width) => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width, height: 844 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    for (const [path, name] of [
      ["/monitors/new", "url"],
      ["/monitors/new?kind=dns", "uri"],
      ["/locations/new", "name"],
      ["/channels/new/webhook", "name"],
    ] as const) {
      await page.goto(`${service.url}${path}`);
      await page.locator(`[name="${name}"]:focus`).waitFor();
      expect([path, await page.evaluate("scrollY")]).toEqual([path, 0]);
      // Keys are text there, and lead nowhere.
      await page.keyboard.type("gi?");
      expect(await page.locator(`[name="${name}"]`).inputValue()).toBe("gi?");
      expect(new URL(page.url()).pathname).toBe(new URL(path, service.url).pathname);
    }
    await page.goto(`${service.url}/monitors/1/edit`);
    expect(await page.locator("main :focus").count()).toBe(0);
  },
);
