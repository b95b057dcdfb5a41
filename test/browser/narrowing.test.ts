import { expect, test } from "vitest";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "boxes are found by their words, and those that are shown are ticked and cleared together",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/locations/new`);
    const shown = () => page.locator(".boxes label:visible").allInnerTexts();
    const ticked = () => page.locator(".boxes label:has(:checked)").allInnerTexts();
    await page.getByLabel("Find in Monitors").fill("DATA");
    expect(await shown()).toEqual(["Database primary", "Database replica"]);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Select all shown" }).click();
    await page.getByLabel("Find in Monitors").fill("");
    expect((await shown()).length).toBe(12);
    expect(await ticked()).toEqual(["Database primary", "Database replica"]);
    await page.getByRole("button", { name: "Clear" }).click();
    expect(await ticked()).toEqual([]);
    expect(new URL(page.url()).pathname).toBe("/locations/new");
  },
);
