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
    await page.locator("select[name=theme]").selectOption("dark");
    const form = page.getByRole("search", { name: "Choose a badge" });
    const show = form.getByRole("button", { name: "Show" });
    expect(await show.isVisible()).toBe(!javaScriptEnabled);
    if (!javaScriptEnabled) await show.click();
    await page.locator('.badge-shown.dark img[src*="theme=dark&size=xl"]').waitFor();
    const address = await page.getByLabel("Address of the picture", { exact: true }).inputValue();
    expect(address).toMatch(/\/status\/acme\/badge\/\d+\?label=name&theme=dark&size=xl$/);
    const badge = page.getByAltText("The badge as it is now");
    await expect.poll(async () => (await badge.boundingBox())?.height).toBe(40);
    await page.getByLabel("Theme of the box").selectOption("light");
    const box = page.getByRole("search", { name: "Choose a state box" });
    if (!javaScriptEnabled) await box.getByRole("button", { name: "Show" }).click();
    await page.locator('iframe[src$="/preview/embed?theme=light"]').waitFor();
    const frame = page.frameLocator('iframe[title="The state box as it is now"]');
    await frame.getByRole("link", { name: "Acme" }).waitFor();
    expect(await page.locator("#shared-box").inputValue()).toContain("/embed?theme=light");
    // What was chosen of the badge stays.
    expect(await page.getByLabel("Size").inputValue()).toBe("xl");
  },
);
