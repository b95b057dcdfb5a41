import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "planned work ends an hour after it begins, is refused in the words of its form, and needs no message without a page",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const plan = () => follow(page.getByRole("button", { name: "Schedule maintenance" }));
    await page.goto(`${service.url}/maintenances/new`);
    await page.getByLabel("Title").fill("Upgrade");
    await page.getByLabel("Begins").fill("2026-11-30T23:30");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-01T00:30");
    await plan();
    expect(await page.locator(".mistakes li").allInnerTexts()).toEqual([
      "Monitors must be chosen, or locations, or a status page.",
    ]);
    await page.locator('input[name="monitor_ids"]').first().check();
    await page.getByLabel("Ends").fill("2026-12-01T01:00");
    await page.getByLabel("Begins").fill("2026-11-30T23:00");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-01T01:00");
    await plan();
    expect(new URL(page.url()).search).toBe("?notice=planned");
  },
);
