import { describe, expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere)("Acknowledge of the selected monitors", () => {
  test("can be pressed only while one of them has an incident that no one has acknowledged", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(service.url);
    const button = page.locator(".many button.acknowledging");
    const failing = page.getByLabel("Select Billing API", { exact: true });
    // Someone has acknowledged its incident.
    await page.getByLabel("Select Intranet", { exact: true }).check();
    expect(await button.isEnabled()).toBe(false);
    await failing.check();
    expect(await button.isEnabled()).toBe(true);
    await failing.uncheck();
    expect(await button.isEnabled()).toBe(false);
    await page.locator(".cause > .pick").first().check();
    expect(await button.isEnabled()).toBe(true);
  });
});
