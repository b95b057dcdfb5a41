import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();

describe.skipIf(!browser.isThere)("the uptime report in a browser", () => {
  let scene: OperatorScene;
  beforeEach(async () => {
    scene = await operatorScene();
  });
  const open = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ baseURL: scene.service.url, ...options });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto("/uptime");
    return page;
  };

  test("is printed by a button, and has neither buttons nor fields on paper", async () => {
    const page = await open();
    await page.evaluate("print = () => { document.title = 'printed'; }");
    const button = page.getByRole("button", { name: "Print" });
    await button.click();
    expect(await page.title()).toBe("printed");
    await page.emulateMedia({ media: "print" });
    expect(await button.isVisible()).toBe(false);
    expect(await page.getByRole("combobox").filter({ visible: true }).count()).toBe(0);
    expect(await page.getByRole("table").isVisible()).toBe(true);
    await page.context().close();
  });
  test("shows what is chosen at once, and by a button if no script may run", async () => {
    const page = await open();
    const show = page.getByRole("button", { name: "Show" });
    expect(await show.isVisible()).toBe(false);
    await page.getByLabel("Label").selectOption("team:data");
    await page.getByText("November 2026: team:data").waitFor();
    await page.context().close();
    const plain = await open({ javaScriptEnabled: false });
    expect(await plain.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    await plain.getByLabel("Label").selectOption("team:data");
    await plain.getByRole("button", { name: "Show" }).click();
    expect(await plain.locator(".lede").textContent()).toBe("November 2026: team:data");
    await plain.context().close();
  });
  test("offers the months since its oldest monitor was made, and the one that an address names", async () => {
    const page = await open();
    const months = page.getByLabel("Month").locator("option");
    expect(await months.allTextContents()).toEqual(["November 2026"]);
    await page.goto("/uptime?month=2026-08");
    expect(await months.allTextContents()).toEqual(["November 2026", "August 2026"]);
    await page.context().close();
  });
});
