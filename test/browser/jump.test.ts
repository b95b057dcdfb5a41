import { expect, test } from "vitest";
import { bestFirst } from "#browser/best-named";
import { scriptTexts } from "#web/script-texts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the command box does by a verb and a name what a monitor's page does, and says below the field that nothing is found",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents`);
    await page.keyboard.press("Control+k");
    const box = page.getByRole("dialog");
    const field = page.getByRole("combobox", { name: "Find a monitor, a page or an action" });
    await field.fill("no such thing");
    await page.getByText("Nothing is found.").waitFor();
    expect(await box.getByRole("option").count()).toBe(0);
    await field.press("ArrowDown");
    await field.press("Enter");
    expect(await field.inputValue()).toBe("no such thing");
    await field.fill("pause billing");
    await box.getByRole("option", { name: "Pause Billing API" }).waitFor();
    expect(await page.getByText("Nothing is found.").isVisible()).toBe(false);
    const loaded = page.waitForEvent("load");
    await field.press("Enter");
    await loaded;
    expect(new URL(page.url()).pathname).toBe("/monitors/2");
    await page.getByText("Paused: nothing is checked").waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("edit shop");
    await box
      .getByRole("option", { name: /^Edit Shop/ })
      .first()
      .click();
    await page.locator("h1", { hasText: "Edit Shop" }).waitFor();
    await page.keyboard.press("Control+k");
    await field.fill("ware");
    await box.getByRole("option", { name: /^Warehouse/ }).click();
    await page.waitForURL("**/locations/2");
  },
);

test.skipIf(!browser.isThere)(
  "the command box lists each act of an incident once, at any width",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const field = page.getByRole("combobox", { name: "Find a monitor, a page or an action" });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${service.url}/incidents/7`);
      await page.keyboard.press("Control+k");
      await field.fill("check now");
      await page.getByRole("option", { name: /^Check now/ }).waitFor();
      expect(await page.getByRole("option", { name: "On this page" }).count()).toBe(1);
    }
  },
);

test("the box orders by how well a text names something, and acts that do not begin so come last", () => {
  const item = (words: string, isAct = false) => ({ words, isAct });
  const found = [
    item("DNS shop"),
    item("shop d"),
    item("Pause shop d", true),
    item("Shops and data"),
    item("shop db"),
  ];
  const wordsFor = (text: string) => bestFirst(found, text).map(({ words }) => words);
  expect(wordsFor("shop d")).toEqual([
    "shop d",
    "shop db",
    "Shops and data",
    "DNS shop",
    "Pause shop d",
  ]);
  expect(wordsFor("pause shop")[0]).toBe("Pause shop d");
});

test("the service and the command box rank names by one file, which browsers are sent", () => {
  const files = scriptTexts();
  expect(files.get("best-named.js")).toContain('from "./name-rank.js"');
  expect(files.get("name-rank.js")).toContain('from "./searched-as.js"');
  expect(files.get("searched-as.js")).toContain("toLowerCase");
});
