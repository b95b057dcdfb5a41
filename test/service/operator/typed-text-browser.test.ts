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

/** Passes the time after which the script renews the page, until it has: the mark is in no answer of the service. */
async function passRenewal(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.get(globalThis, "document").querySelector("main").dataset.old = "yes";
  });
  await page.clock.runFor(renewal);
  await page.locator("main:not([data-old])").waitFor();
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
      await page.getByLabel("Message", { exact: true }).click();
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
    "stays in the answer to a form, which is at no address that it could be renewed from",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(`${service.url}/monitors/new`);
      await page.getByLabel("URL", { exact: true }).fill("https://shop.example/ /");
      await page.getByLabel("Name", { exact: true }).fill("shop");
      await follow(page.getByRole("button", { name: "Create monitor" }));
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await page.clock.runFor(6 * renewal);
      // What the script had asked for by now would be before this one.
      await page.evaluate(() => fetch("/icon.svg"));
      expect(asked).toEqual([`${service.url}/icon.svg`]);
      expect(await page.getByLabel("URL", { exact: true }).inputValue()).toBe(
        "https://shop.example/ /",
      );
      expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("shop");
      expect(await page.locator("main").innerText()).toContain("space");
    },
  );

  test.skipIf(!isThere)(
    "stays while the page is renewed around it, until it is what was served",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext();
      const page = await openReport(service.url, context);
      const message = page.getByLabel("Message", { exact: true });
      const state = page.getByLabel("State");
      const part = page.getByRole("group", { name: "Components" }).getByRole("checkbox").first();
      const sent = page.getByLabel("Send it to the subscribers of the page");
      const served = await state.inputValue();
      const kept: unknown[] = [];
      for (const [change, read, undo] of [
        [
          () => message.fill("We look into it."),
          () => message.inputValue(),
          () => message.fill(""),
        ],
        [
          () => state.selectOption("resolved"),
          () => state.inputValue(),
          () => state.selectOption(served),
        ],
        [() => part.uncheck(), () => part.isChecked(), () => part.check()],
        [() => sent.check(), () => sent.isChecked(), () => sent.uncheck()],
      ] as const) {
        await change();
        await page.locator("h1").click();
        await passRenewal(page);
        kept.push(await read());
        await undo();
        await page.locator("h1").click();
      }
      expect(kept).toEqual(["We look into it.", "resolved", false, true]);
      await message.pressSequentially("We lok");
      await page.keyboard.press("ArrowLeft");
      await passRenewal(page);
      await page.keyboard.type("o");
      expect(await message.inputValue()).toBe("We look");
    },
  );

  test.skipIf(!isThere)("stays in the filter after it was left", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(service.url);
    await page.getByLabel("Search").fill("billing");
    await page.locator("h1").click();
    await passRenewal(page);
    expect(await page.getByLabel("Search").inputValue()).toBe("billing");
  });
});
