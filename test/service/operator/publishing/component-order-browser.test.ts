import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

const names = async (page: Page): Promise<readonly string[]> =>
  page.locator('[data-group="1"] strong').allInnerTexts();

test.skipIf(!browser.isThere)(
  "the components of a status page are ordered by buttons without scripts, and by dragging with one",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    const path = `${service.url}/status-pages/1`;
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(path);
    expect(await names(page)).toEqual(["Billing API", "Intranet"]);
    await follow(page.getByRole("button", { name: "Move Intranet up" }));
    expect(await names(page)).toEqual(["Intranet", "Billing API"]);
    expect(await page.getByRole("button", { name: "Move Intranet up" }).count()).toBe(0);
    await using scripted = await browser.newContext();
    const other = await scripted.newPage();
    await other.goto(path);
    const row = (name: string) =>
      other.locator("[data-component]").filter({ has: other.getByText(name, { exact: true }) });
    const loaded = other.waitForEvent("load");
    await row("Billing API").first().dragTo(row("Intranet").first());
    await loaded;
    expect(await names(other)).toEqual(["Billing API", "Intranet"]);
    const shown = await (await fetch(`${service.url}/status/acme`)).text();
    expect(shown.indexOf("Billing API</a>")).toBeLessThan(shown.indexOf("Intranet"));
  },
);

test.skipIf(!browser.isThere)(
  "a component is moved, edited and removed, and a group deleted, by the keyboard alone without scripts",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using plain = await browser.newContext({ javaScriptEnabled: false });
    const page = await plain.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    const focused = () => page.locator(":focus").getAttribute("aria-label");
    const press = async (): Promise<void> => {
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    await page.getByRole("button", { name: "Move Shop down" }).focus();
    await press();
    expect(await focused()).toBe("Move Shop up");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Edit Shop");
    await press();
    expect(await page.getByLabel("Position").isVisible()).toBe(false);
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").innerText()).toBe("Monitor Shop");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Move Shop up");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Edit Shop");
    await page.keyboard.press("Tab");
    expect(await page.locator(":focus").getAttribute("name")).toBe("name");
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await press();
    expect(await page.locator(".component strong").allInnerTexts()).toContain("Shops");
    await page.getByRole("link", { name: "Edit Shops" }).focus();
    await press();
    await page.getByRole("button", { name: "Remove from the page: Shops" }).focus();
    await press();
    expect(await page.locator("[data-group=''] strong").allInnerTexts()).toEqual(["Support desk"]);
    expect(await page.locator(".group-head h3").allInnerTexts()).toEqual([
      "Payments and staff",
      "Data",
    ]);
    await page.getByRole("button", { name: /^Delete group Data/ }).focus();
    await press();
    expect(await page.locator("[data-group=''] strong").allInnerTexts()).toContain("Wiki");
  },
);
