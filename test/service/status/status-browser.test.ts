import { expect, test } from "vitest";
import { follow, openAll, watchPage } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { pageFaults } from "../../support/page-faults.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a status page is accessible and fits: light and dark, on a desk and on a phone, at 400 %, in forced colours, without scripts",
  { timeout: 90_000 },
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const seen = watchPage(context, service.url);
    const page = await context.newPage();
    for (const path of [
      "/status/acme",
      "/status/acme/de",
      "/status/acme/hi/events",
      "/status/closed",
    ]) {
      await page.goto(`${service.url}${path}`);
      await openAll(page);
      const name = path.slice(1).replaceAll("/", "-");
      expect([path, await pageFaults(page, name)]).toEqual([path, []]);
    }
    await page.getByLabel("Password").fill("sesame");
    await follow(page.getByRole("button", { name: "Open" }));
    expect(await page.locator("h1").innerText()).toBe("All systems are operational");
    // The refusal of a page without its password is a console's complaint.
    expect(seen.filter((one) => !one.includes("403"))).toEqual([]);
  },
);
