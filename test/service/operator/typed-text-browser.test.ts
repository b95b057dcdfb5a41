import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { follow } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { generatedPage } from "../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** How often the script of the pages renews them. */
const renewal = 10_000;

/** The page of a report, with the browser's own timers in the hand of the test. */
async function openReport(url: string, context: { newPage: () => Promise<Page> }): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${url}/reports/1`);
  return page;
}

/** Passes the time after which the script renews the page, and tells the part that it replaces from the new one. */
async function passRenewal(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.get(globalThis, "document").querySelector("main").dataset.old = "yes";
  });
  await page.clock.runFor(renewal);
}

describe("what a person types in the operator's pages", () => {
  test.skipIf(!isThere)(
    "keeps its lines on the public page, in feeds and for programs",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/reports/1`);
      await page.getByLabel("Message (Markdown)").click();
      await page.keyboard.type("First paragraph.\n\nSecond one:\n\n- one\n- two\n");
      await follow(page.getByRole("button", { name: "Publish the update" }));
      const read = async (path: string): Promise<string> =>
        (await fetch(`${service.url}${path}`)).text();
      await page.goto(`${service.url}/status/acme/events/report/1`);
      expect(await page.locator("main li li").allInnerTexts()).toEqual(["one", "two"]);
      const { updates } = JSON.parse(await read("/reports/1.json"));
      expect(updates.at(0).message).toBe("First paragraph.\n\nSecond one:\n\n- one\n- two");
      const public_ = ["events/report/1", "feed/atom", "feed/rss", "feed/json", "summary.json"];
      const shown = await Promise.all(public_.map((path) => read(`/status/acme/${path}`)));
      expect(shown.filter((text) => /\ufffd|\r|\\r/.test(text))).toEqual([]);
    },
  );

  test.skipIf(!isThere)(
    "stays while it differs from what was served, and the page is renewed once it does not",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext();
      const page = await openReport(service.url, context);
      const renewals: string[] = [];
      page.on("request", (request) => renewals.push(request.url()));
      const message = page.getByLabel("Message (Markdown)");
      const state = page.getByLabel("State");
      const parts = page.getByLabel("About");
      const sent = page.getByLabel("Send it to the page's subscribers");
      const leave = () => page.locator("h1").click();
      const served = await state.inputValue();
      for (const [change, undo] of [
        [() => message.fill("We look into it."), () => message.fill("")],
        [() => state.selectOption("resolved"), () => state.selectOption(served)],
        [() => parts.selectOption({ index: 1 }), () => parts.selectOption([])],
        [() => sent.check(), () => sent.uncheck()],
      ] as const) {
        await change();
        await leave();
        await passRenewal(page);
        await undo();
        await leave();
      }
      // The cursor alone is a reason, too.
      await message.focus();
      await passRenewal(page);
      expect(await page.locator("main[data-old]").count()).toBe(1);
      await leave();
      await passRenewal(page);
      await page.locator("main:not([data-old])").waitFor();
      expect(renewals).toEqual([`${service.url}/reports/1`]);
    },
  );

  test.skipIf(!isThere)("stays in the filter after it was left", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(service.url);
    const renewals: string[] = [];
    page.on("request", (request) => renewals.push(request.url()));
    await page.getByLabel("Text").fill("billing");
    await page.locator("h1").click();
    await passRenewal(page);
    expect(await page.getByLabel("Text").inputValue()).toBe("billing");
    await page.getByLabel("Text").fill("");
    await page.locator("h1").click();
    await passRenewal(page);
    await page.locator("main:not([data-old])").waitFor();
    expect(renewals).toEqual([`${service.url}/`]);
  });
});
