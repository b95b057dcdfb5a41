import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

const names = async (page: Page): Promise<readonly string[]> =>
  page.locator('[data-group="1"] h3').allInnerTexts();

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
    await follow(page.getByRole("button", { name: "Move Intranet up" }));
    expect(await names(page)).toEqual(["Intranet", "Billing API"]);
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
