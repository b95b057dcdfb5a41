import { expect, test } from "vitest";
import { fileBrowser } from "../../../../support/file-browser.ts";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { generatedPage } from "../../../../support/status-page-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere).each([true, false])(
  "a badge that is chosen is shown with its snippets, with scripts at once (scripts: %s)",
  async (javaScriptEnabled) => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ javaScriptEnabled });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/share`);
    await page.getByLabel("State of").selectOption({ label: "Shop" });
    await page.getByLabel("Size").selectOption("xl");
    await page.getByLabel("Theme").selectOption("dark");
    const show = page.getByRole("button", { name: "Show", exact: true });
    expect(await show.isVisible()).toBe(!javaScriptEnabled);
    if (!javaScriptEnabled) await show.click();
    await page.locator('.badge-shown.dark img[src*="theme=dark&size=xl"]').waitFor();
    const address = await page.getByLabel("Address of the picture", { exact: true }).inputValue();
    expect(address).toMatch(/\/status\/acme\/badge\/\d+\?label=name&theme=dark&size=xl$/);
    const badge = page.getByAltText("The badge as it is now");
    await expect.poll(async () => (await badge.boundingBox())?.height).toBe(40);
    expect(await page.getByLabel("Size").inputValue()).toBe("xl");
  },
);
