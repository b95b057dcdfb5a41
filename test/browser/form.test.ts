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
