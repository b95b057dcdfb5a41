import type { BrowserContextOptions, Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { complaints, overhang, sizes } from "../../../support/browser.ts";
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
    // Whoever prints without margins has room at both sides as well: 14 mm.
    const sides = await page
      .getByRole("heading", { level: 1 })
      .evaluate((heading) => heading.getBoundingClientRect().left);
    expect(Math.round(sides)).toBe(53);
    await page.context().close();
  });
  test("has the day on which it was made on paper, and nothing for programs", async () => {
    const page = await open();
    const made = page.locator(".asof");
    const programs = page.getByText("The same for programs");
    expect(await programs.isVisible()).toBe(true);
    expect(await made.innerText()).not.toContain("Nov");
    await page.emulateMedia({ media: "print" });
    expect(await programs.isVisible()).toBe(false);
    expect(await made.innerText()).toMatch(/^As of 22\u00a0Nov, 12:00 UTC$/);
    await page.context().close();
  });
  test("is of the last days by a link, and of a quarter by choosing it", async () => {
    const page = await open();
    await page.getByRole("link", { name: "Last 7 days" }).click();
    await page.getByText("16 to 22 November 2026: all monitors").waitFor();
    await page.getByLabel("Period").selectOption("Last quarter");
    await page.getByText("July to September 2026: all monitors").waitFor();
    await page.getByLabel("Period").selectOption("November 2026");
    await page.getByText("November 2026: all monitors", { exact: true }).waitFor();
    expect(page.url()).toContain("period=2026-11");
    await page.context().close();
  });
  test("shows what is chosen at once, and by a button if no script may run", async () => {
    const page = await open();
    const show = page.getByRole("button", { name: "Show" });
    expect(await show.isVisible()).toBe(false);
    await page.getByLabel("Label").selectOption("team:data");
    await page.getByText("November 2026: team:data").waitFor();
    const programs = page.locator("footer").getByRole("link");
    await expect.poll(() => programs.getAttribute("href")).toContain("label=team%3Adata");
    await page.context().close();
    const plain = await open({ javaScriptEnabled: false });
    expect(await plain.getByRole("button", { name: "Print" }).isVisible()).toBe(false);
    await plain.getByLabel("Label").selectOption("team:data");
    await plain.getByRole("button", { name: "Show" }).click();
    expect(await plain.locator(".lede").textContent()).toBe("November 2026: team:data");
    await plain.context().close();
  });
  test("is a card for each monitor on a phone, and nothing of it is cut or scrolled sideways", async () => {
    const page = await open({ viewport: sizes.phone });
    expect(await overhang(page)).toBeLessThanOrEqual(0);
    const table = page.getByRole("region", { name: "Table of monitors" });
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    const row = table.locator("tbody tr", { hasText: "Billing API" });
    const edge = await row.evaluate((one) => one.getBoundingClientRect().right);
    for (const cell of await row.locator("td").all()) {
      expect(await cell.isVisible()).toBe(true);
      expect(await cell.evaluate((one) => one.getBoundingClientRect().right)).toBeLessThanOrEqual(
        edge,
      );
    }
    expect(await complaints(page, "all")).toEqual([]);
    await page.context().close();
  });
  test("offers the months since its oldest monitor was made, and the one that an address names", async () => {
    const page = await open();
    const periods = page.getByLabel("Period").locator("option");
    const months = async (): Promise<readonly string[]> =>
      (await periods.allTextContents()).filter((words) => / \d{4}$/.test(words));
    expect(await months()).toEqual(["November 2026"]);
    await page.goto("/uptime?month=2026-08");
    expect(await months()).toEqual(["November 2026", "August 2026"]);
    await page.context().close();
  });
});
