import { describe, expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

describe("the folded parts of a form that is refused", () => {
  test.skipIf(!isThere)("stay open or closed as the person left them", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    await page.locator("#group-alerts > summary").click();
    await page.locator("#group-attempts > summary").click();
    await page.getByLabel("Timeout").fill("7 s");
    await page.locator("#group-attempts > summary").click();
    await follow(page.getByRole("button", { name: "Create monitor" }));
    const open = await page
      .locator("details.group[open]")
      .evaluateAll((all) => all.map(({ id }) => id));
    expect(open).toEqual(["group-alerts"]);
    await page.locator("#group-alerts > summary").click();
    await follow(page.getByRole("button", { name: "Create monitor" }));
    expect(await page.locator("details.group[open]").count()).toBe(0);
    expect(await page.getByLabel("Timeout").inputValue()).toBe("7 s");
  });

  test.skipIf(!isThere)(
    "are open without a script if something in them is not as it was at first",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const open = () =>
        page.locator("details.group[open]").evaluateAll((all) => all.map(({ id }) => id));
      await page.goto(`${service.url}/monitors/new?kind=tcp`);
      await page.locator("#group-alerts > summary").click();
      await page.locator("#group-attempts > summary").click();
      await page.getByLabel("Timeout").fill("7 s");
      await follow(page.getByRole("button", { name: "Create monitor" }));
      expect(await open()).toEqual(["group-attempts"]);
      // Twice: what it is compared with is what the form began with.
      await follow(page.getByRole("button", { name: "Create monitor" }));
      expect(await open()).toEqual(["group-attempts"]);
      await page.goto(`${service.url}/monitors/1/edit`);
      await page.locator("#group-notes > summary").click();
      await page.getByLabel("Note", { exact: true }).fill("The shop.");
      await page.getByLabel("URL", { exact: true }).fill("https://shop.example/ /");
      await follow(page.getByRole("button", { name: "Save", exact: true }));
      expect(await open()).toEqual(["group-notes"]);
    },
  );
});
