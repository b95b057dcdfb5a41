import { expect, test } from "vitest";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)("what is typed before the scripts of a form run stays", async () => {
  const { service } = await operatorScene();
  await using context = await browser.newContext();
  const page = await context.newPage();
  const scripts = Promise.withResolvers<void>();
  await page.route("**/form.js", async (route) => {
    await scripts.promise;
    await route.continue();
  });
  await page.goto(`${service.url}/channels/new/webhook`, { waitUntil: "commit" });
  const field = page.locator("form.form input:focus");
  await field.waitFor();
  await page.keyboard.type("o");
  scripts.resolve();
  await page.waitForLoadState("load");
  await page.keyboard.type("ps");
  expect(await field.inputValue()).toMatch(/ops$/);
});

test.skipIf(!browser.isThere)(
  "what is typed before the cursor is in the first field goes into that field, and nowhere on a page without one",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    // The style holds up the first drawing of the page, and with it the cursor.
    const styles = Promise.withResolvers<void>();
    await page.route("**/style.css", async (route) => {
      await styles.promise;
      await route.continue();
    });
    await page.goto(`${service.url}/channels/new`, { waitUntil: "commit" });
    await page.locator("#pasted-url").waitFor({ state: "attached" });
    await page.evaluate(`for (const key of "op") {
      const init = { key, bubbles: true, cancelable: true };
      document.documentElement.dispatchEvent(new KeyboardEvent("keydown", init));
    }`);
    styles.resolve();
    const field = page.locator("#pasted-url:focus");
    await field.waitFor();
    await page.keyboard.type("s@example.com");
    expect(await field.inputValue()).toBe("ops@example.com");
    await page.goto(`${service.url}/incidents`);
    expect(await page.locator('script[src$="typed-early.js"]').count()).toBe(0);
  },
);
