import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import type { Service } from "#service/server";
import { applyFile } from "../../../support/applied-file.ts";
import { complaints, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const ofFiles = (service: Service, owner: string, names: readonly string[]): Promise<void> =>
  applyFile(service, {
    owner,
    monitors: names.map((name) => ({
      config: { http: { name, url: "https://till.example/", periodicity: "PERIODICITY_1M" } },
    })),
  });

const note = (page: Page) => page.locator(".files-note");
const spoken = async (page: Page): Promise<string> =>
  (await note(page).locator(".dropped").innerText()).replaceAll(/\s+/g, " ");
const heightOf = async (page: Page): Promise<number> =>
  (await page.locator(".many").boundingBox())?.height ?? 0;

async function isAboveBar(page: Page, one: Locator): Promise<boolean> {
  const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
  return y + height <= ((await page.locator(".many").boundingBox())?.y ?? 0);
}

test.skipIf(!isThere)(
  "the bar of a selection with monitors of files is one line at 961 and 1280 px, and says what its acts leave before one is pressed",
  async () => {
    const { service } = await operatorScene();
    await ofFiles(service, "shop", ["till 1", "till 2"]);
    await ofFiles(service, "depot", ["gate"]);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(service.url);
    await page.getByLabel("Select Billing API").check();
    const oneLine = await heightOf(page);
    expect(oneLine).toBeLessThan(60);
    expect(await note(page).isVisible()).toBe(false);
    for (const name of ["till 1", "till 2"]) await page.getByLabel(`Select ${name},`).check();
    expect(await heightOf(page)).toBe(oneLine);
    await note(page).locator("summary").click();
    expect(await spoken(page)).toBe(
      "Pause, Resume, Label, Location and Delete leave those from files as they are: change them in the files. All that you selected can be silenced and acknowledged here. To let people change them, take them from their files with: picket import monitor 'till 1' 'till 2' --release --from shop Copy",
    );
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 800],
        [1000, 800],
        [390, 844],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
        await snap(page, `many-files-${colorScheme}-${width}`);
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    // Nothing of this has an incident: Acknowledge cannot be pressed, and is not named.
    await page.getByLabel("Select Billing API").uncheck();
    await note(page).locator("summary").click();
    expect(await spoken(page)).toContain("All that you selected can be silenced here.");
    expect(await heightOf(page)).toBe(oneLine);
    await page.getByLabel("Select all 15").check();
    // On a small window it has less room around its buttons, and is one line still.
    for (const width of [961, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await heightOf(page)).toBe(oneLine);
    }
    await note(page).locator("summary").click();
    expect(await note(page).locator("code").allInnerTexts()).toEqual([
      "picket import monitor gate --release --from depot",
      "picket import monitor 'till 1' 'till 2' --release --from shop",
    ]);
  },
);

test.skipIf(!isThere)(
  "the bar never covers a row that the keyboard or the end of the page shows",
  async () => {
    const { service } = await operatorScene();
    await ofFiles(service, "shop", ["till 1", "till 2"]);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const [width, height] of [
      [1280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.goto(service.url);
      await page.getByLabel("Select Billing API").check();
      const boxes = page.locator(".line-head + .watched > .line .pick");
      for (let turn = 0; turn < (await boxes.count()); turn += 1) {
        await boxes.nth(turn).focus();
        await expect.poll(() => isAboveBar(page, boxes.nth(turn))).toBe(true);
      }
      await page.keyboard.press("End");
      const last = page.locator(".line-head + .watched > li").last();
      await expect.poll(() => isAboveBar(page, last)).toBe(true);
    }
  },
);

test.skipIf(!isThere)("the bar names no act that the page does not have", async () => {
  const { service } = await operatorScene({ days: 0 });
  await ofFiles(service, "shop", ["till"]);
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(service.url);
  await page.getByLabel("Select all 1").check();
  await note(page).locator("summary").click();
  expect(await page.locator(".many").getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
  expect(await note(page).innerText()).not.toMatch(/acknowledge|location/i);
});
