import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { byAccount } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();

/** A person with an account, whose browser is in Tokyo. */
async function annIn(scene: OperatorScene, javaScriptEnabled: boolean): Promise<BrowserContext> {
  const { cookie } = await byAccount(scene, "ann@example.com", "owner");
  const [name = "", value = ""] = cookie.split("=");
  const context = await browser.newContext({ javaScriptEnabled, timezoneId: "Asia/Tokyo" });
  await context.addCookies([{ name, value, url: scene.service.url }]);
  context.setDefaultTimeout(8_000);
  return context;
}

async function choose(page: Page, url: string, zone: string): Promise<string> {
  await page.goto(`${url}/settings`);
  await page.getByLabel("Time zone").selectOption(zone);
  const loaded = page.waitForEvent("load");
  await page.locator('form[action="/settings/profile"] button.main').press("Enter");
  await loaded;
  return page.locator("main .notice").innerText();
}

/** When an incident opened, today's time, and what the page says of its zone. */
async function timesOf(page: Page, url: string): Promise<readonly (string | null)[]> {
  await page.goto(`${url}/incidents/2`);
  const opened = page.locator(".tiles time").first();
  const footer = await page.locator("[data-zone-note]").innerText();
  return [
    await opened.innerText(),
    await opened.getAttribute("title"),
    await page.locator(".asof time.unprinted").innerText(),
    footer,
  ].map((one) => one?.replaceAll("\u00a0", " ") ?? null);
}

test.skipIf(!browser.isThere)(
  "all pages show times in the zone that a person chose, whatever their browser's is, with a script and without",
  async () => {
    for (const javaScriptEnabled of [true, false]) {
      const scene = await operatorScene({ pages: "signed in" });
      const { url } = scene.service;
      await using context = await annIn(scene, javaScriptEnabled);
      const page = await context.newPage();
      await page.clock.setFixedTime("2026-11-22T12:00:00Z");
      expect(await choose(page, url, "America/New_York")).toBe("Saved.");
      expect(await timesOf(page, url)).toEqual([
        "16 Nov, 06:25:00 EST",
        "16 Nov, 11:25:00 UTC",
        "07:00:00 EST",
        "Times are those of America/New York; point at one for UTC. Days are UTC.",
      ]);
      await page.goto(`${url}/changes`);
      expect(await page.locator("[data-zone-note]").innerText()).toBe(
        "Times and days are those of America/New York; point at a time for UTC.",
      );
      await page.goto(`${url}/maintenances/new`);
      const planned = ["Begins", "Ends", "Time zone"].map((one) =>
        page.getByLabel(one, { exact: true }).inputValue(),
      );
      expect(await Promise.all(planned)).toEqual([
        "2026-11-22T07:05",
        "2026-11-22T08:05",
        "America/New_York",
      ]);
      await choose(page, url, "UTC");
      expect(await timesOf(page, url)).toEqual([
        "16 Nov, 11:25:00 UTC",
        null,
        "12:00:00 UTC",
        "Times and days are UTC.",
      ]);
      await choose(page, url, "");
      await page.goto(`${url}/incidents/2`);
      const own = javaScriptEnabled ? "20:25:00 GMT+9" : "11:25:00 UTC";
      await expect.poll(() => page.locator(".tiles time").first().innerText()).toContain(own);
    }
  },
);

test("the preview of a status page has the times that its readers get, whatever zone a person chose", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  await generatedPage(scene.service);
  const ann = await byAccount(scene, "ann@example.com", "owner");
  await ann.send("/settings/profile", { time_zone: "Europe/Berlin" });
  const timesIn = (text: string): readonly string[] => text.match(/<time [^]*?<\/time\s*>/g) ?? [];
  const [published, preview] = [
    await ann.text("/status/acme/de"),
    await ann.text("/status-pages/1/preview/de"),
  ].map(timesIn);
  expect(published).toContain(
    '<time datetime="2026-11-22T12:00:00.000Z">22.11.2026, 12:00 UTC</time>',
  );
  expect(preview).toEqual(published);
});

test("a zone that no system knows is refused, and the audit log has the one that is chosen", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byAccount(scene, "ann@example.com", "reader");
  const refused = await ann.send("/settings/profile", { time_zone: "Mars" });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("must be an IANA name"),
  ]);
  await ann.send("/settings/profile", { time_zone: "Europe/Berlin" });
  const log = await ann.text("/changes?kind=person");
  expect(log.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ")).toContain(
    "Time zone – Europe/Berlin",
  );
});
