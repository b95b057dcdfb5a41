import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

/** The colour behind everything in the frame of the preview. */
const framedGround = (page: Page): Promise<string> =>
  page
    .frameLocator("iframe")
    .locator("body")
    .evaluate((body) => Reflect.get(globalThis, "getComputedStyle")(body).backgroundColor);

test.skipIf(!browser.isThere)(
  "the preview and the contrast follow a colour that is picked or typed, before it is saved",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const saved = await framedGround(page);
    const [ground, text] = [
      page.getByLabel("Background in light", { exact: true }),
      page.getByLabel("Text in light", { exact: true }),
    ];
    const steps = await page.evaluate("history.length");
    const [links, pick] = [
      page.getByLabel("Accent in light", { exact: true }),
      page.getByLabel("Pick: primary in light"),
    ];
    const own = await links.getAttribute("placeholder");
    await page.getByLabel("Ocean (blue)").check();
    await expect.poll(() => links.getAttribute("placeholder")).not.toBe(own);
    expect(await pick.inputValue()).toBe(await links.getAttribute("placeholder"));
    await page.locator('[type=radio][value="default"]').check();
    await expect.poll(() => links.getAttribute("placeholder")).toBe(own);
    await page
      .locator('[data-picks]:has([name$="light.--background"]) > [type=color]')
      .fill("#fff0c0");
    expect(await ground.inputValue()).toBe("#fff0c0");
    await expect.poll(() => framedGround(page)).toBe("rgb(255, 240, 192)");
    await text.fill("#ccbb88");
    await page
      .getByText("Text on background in light: the contrast is 1.6 to 1, and needs 4.5 to 1.")
      .waitFor();
    const note = page.locator('.field:has([name="custom_theme.light.--foreground"]) .doubt');
    expect(await note.allTextContents()).toEqual([
      "Hard to read on background: 1.6 to 1.",
      "Hard to read on cards: 1.9 to 1.",
    ]);
    expect(await page.getByLabel("Pick: foreground in light").inputValue()).toBe("#ccbb88");
    await text.fill("");
    await page.getByText("Contrast: all text of the page is easy to read.").waitFor();
    expect(await note.count()).toBe(0);
    expect(await page.evaluate("history.length")).toBe(steps);
    await follow(page.getByRole("button", { name: "Save the look" }));
    expect(await ground.inputValue()).toBe("#fff0c0");
    expect(saved).not.toBe(await framedGround(page));
    const style = await (await fetch(`${service.url}/status/acme/style.css`)).text();
    expect(style).toContain("--ground: #fff0c0");
    // A refusal is as wide as the form.
    await text.fill("notacolor");
    await follow(page.getByRole("button", { name: "Save the look" }));
    expect(await text.inputValue()).toBe("notacolor");
    const widthOf = async (selector: string): Promise<number> =>
      (await page.locator(selector).first().boundingBox())?.width ?? 0;
    expect(await widthOf(".mistakes")).toBeGreaterThan(
      (await widthOf(".with-preview form.form")) * 0.9,
    );
  },
);

test.skipIf(!browser.isThere)(
  "without scripts a button shows a look that is not saved, by the keyboard alone",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/look`);
    const frame = (): Promise<string | null> => page.locator("iframe").getAttribute("src");
    expect(await frame()).toBe("/status-pages/1/preview");
    const links = page.getByLabel("Accent in light", { exact: true });
    const own = await links.getAttribute("placeholder");
    await page.getByLabel("Ocean (blue)").check();
    await page.getByLabel("Background in light", { exact: true }).focus();
    await page.keyboard.type("#fff0c0");
    await page.getByLabel("Text in light", { exact: true }).focus();
    await page.keyboard.type("#ccbb88");
    await page.getByRole("button", { name: "Preview", exact: true }).focus();
    const loaded = page.waitForEvent("load");
    await page.keyboard.press("Enter");
    await loaded;
    const background = page.getByLabel("Background in light", { exact: true });
    expect(await background.inputValue()).toBe("#fff0c0");
    expect(await links.getAttribute("placeholder")).not.toBe(own);
    expect(await page.locator(".contrast").innerText()).toContain("Text on background in light");
    const shown = await (await fetch(`${service.url}${await frame()}`)).text();
    const [, sheet = ""] = /href="([^"]*style\.css[^"]*)"/.exec(shown) ?? [];
    const style = await (await fetch(`${service.url}${sheet.replaceAll("&amp;", "&")}`)).text();
    expect(style).toContain("--ground: #fff0c0");
    const readers = await (await fetch(`${service.url}/status/acme/style.css`)).text();
    expect(readers).not.toContain("#fff0c0");
    const note = page.locator('.field:has([name="custom_theme.light.--foreground"]) .doubt');
    expect(await note.innerText()).toContain("Hard to read on background: 1.6 to 1.");
    await follow(page.getByRole("button", { name: "Save the look" }));
    expect(await page.locator(".notice.warn").innerText()).toMatch(
      /Saved, but hard to read: text on background in light.*Choose colours that differ more\./,
    );
    expect(await note.innerText()).toContain("Hard to read on background");
  },
);
