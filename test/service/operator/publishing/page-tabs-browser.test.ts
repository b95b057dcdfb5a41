import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the tabs of a status page fit a phone, and have no scroll bar",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    const tabs = page.getByRole("navigation", { name: "Status page" });
    const { wider, bar } = await tabs.evaluate((nav) => ({
      wider: nav.scrollWidth - nav.clientWidth,
      bar: String(Reflect.get(globalThis, "getComputedStyle")(nav).scrollbarWidth),
    }));
    expect([wider, bar]).toEqual([0, "none"]);
  },
);

test.skipIf(!browser.isThere)(
  "a new group is made of components that are chosen, without scripts",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1?add=groups`);
    await page.locator("#add [name=name]").fill("Front");
    await page.getByRole("checkbox", { name: "Shop" }).check();
    await page.getByRole("checkbox", { name: "Support desk" }).check();
    await page.getByRole("button", { name: "Add group" }).click();
    const group = page.locator('.component-group:has(h3:text-is("Front"))');
    await group.waitFor();
    expect(await group.locator(".component strong").allInnerTexts()).toEqual([
      "Shop",
      "Support desk",
    ]);
  },
);

test.skipIf(!browser.isThere)(
  "the button that saves a tab stays in view, on a desk and on a phone",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    for (const viewport of [
      { width: 1280, height: 700 },
      { width: 390, height: 700 },
    ]) {
      await using context = await browser.newContext({ viewport });
      const page = await context.newPage();
      for (const [tab, words] of [
        ["settings", "Save the page"],
        ["look", "Save the look"],
        ["access", "Save the access"],
      ]) {
        await page.goto(`${service.url}/status-pages/1/${tab}`);
        const box = await page.getByRole("button", { name: words ?? "" }).boundingBox();
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(viewport.height);
      }
    }
  },
);
