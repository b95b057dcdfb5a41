import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  browserIsThere,
  complaints,
  follow,
  looks,
  openAll,
  overhang,
  sizes,
  snap,
  startBrowser,
  watchPage,
} from "../../support/browser.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const isThere = browserIsThere();
let browser: Browser;
beforeAll(async () => {
  if (isThere) browser = await startBrowser();
});
afterAll(async () => {
  if (isThere) await browser.close();
});

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
      for (const { colorScheme, size, rules } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(sizes[size]);
        await snap(page, `${name}-${colorScheme}-${size}`);
        expect([path, await complaints(page, rules)]).toEqual([path, []]);
        expect(await overhang(page)).toBe(0);
      }
      await page.setViewportSize({ width: 320, height: 256 });
      expect(await overhang(page)).toBe(0);
      await page.emulateMedia({ forcedColors: "active" });
      await snap(page, `${name}-forced`);
      await page.emulateMedia({ forcedColors: "none" });
    }
    await page.getByLabel("Password").fill("sesame");
    await follow(page.getByRole("button", { name: "Open" }));
    expect(await page.locator("h1").innerText()).toBe("All systems are operational");
    // The refusal of a page without its password is a console's complaint.
    expect(seen.filter((one) => !one.includes("403"))).toEqual([]);
  },
);
