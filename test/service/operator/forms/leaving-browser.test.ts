import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const title = (page: Page): Promise<string> => page.locator("h1").first().innerText();
const channels = (page: Page) =>
  page.locator("#pages").getByRole("link", { name: "Channels", exact: true });

test.skipIf(!isThere)(
  "the browser asks whoever leaves a form with changes, and no one else",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    let isLeft = false;
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void (isLeft ? dialog.accept() : dialog.dismiss());
    });
    const edit = async (): Promise<void> => {
      await page.goto(`${service.url}/monitors/1/edit`);
      await page.locator('[name="name"]').click();
    };

    // Changed, and kept: the form is there with what was typed.
    await edit();
    const name = await page.locator('[name="name"]').inputValue();
    await page.keyboard.press("End");
    await page.keyboard.type(" two");
    const question = page.waitForEvent("dialog");
    await channels(page).click();
    await question;
    expect(asked).toEqual(["beforeunload"]);
    expect(await page.locator('[name="name"]').inputValue()).toBe(`${name} two`);

    // As it was: nothing is lost.
    await page.locator('[name="name"]').fill(name);
    await follow(channels(page));
    expect(await title(page)).toBe("Channels");

    // Saved: nothing is lost.
    await edit();
    await page.keyboard.press("End");
    await page.keyboard.type(" three");
    await follow(page.getByRole("button", { name: "Save", exact: true }));
    expect(await title(page)).toContain(`${name} three`);

    // A search is no form of an object.
    await page.goto(service.url);
    await page.locator('main input[type="search"]').first().click();
    await page.keyboard.type("x");
    await follow(channels(page));
    expect(asked).toEqual(["beforeunload"]);

    // Left on purpose.
    isLeft = true;
    await edit();
    await page.keyboard.type("x");
    await follow(channels(page));
    expect([asked.length, await title(page)]).toEqual([2, "Channels"]);
  },
);

test.skipIf(!isThere)(
  "a browser asks before an edited form of a status page's tab is left, and not about one that is sent",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const tab = (name: string) =>
      page.getByRole("navigation", { name: "Status page" }).getByRole("link", { name });
    for (const path of ["/settings", "/look", "/access", "?add=parts"]) {
      await page.goto(`${service.url}/status-pages/1${path}`);
      const radio = page.locator('.tab form.form input[type="radio"]:not(:checked)').first();
      if (path === "/access") await radio.check();
      else {
        const texts =
          "input:not([type=hidden], [type=radio], [type=checkbox], [type=color], [type=file])";
        await page.locator(`.tab form.form ${texts}:visible`).first().click();
        await page.keyboard.type("7");
      }
      const question = page.waitForEvent("dialog");
      await tab("Reports").click();
      await question;
      expect(new URL(page.url()).pathname).not.toContain("reports");
      await page.evaluate(() => {
        for (const form of Reflect.get(globalThis, "document").forms) form.reset();
      });
    }
    expect(asked).toHaveLength(4);
    await page.goto(`${service.url}/status-pages/1/settings`);
    await page.locator('[name="title"]').fill("Shop of all");
    await follow(page.getByRole("button", { name: "Save the page" }));
    expect(asked).toHaveLength(4);
    expect(await page.locator("h1").innerText()).toBe("Shop of all");
  },
);

test.skipIf(!isThere)(
  "a browser asks before a refused form is left, and the way back to it shows the form",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    let answers: "stay" | "leave" = "stay";
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void (answers === "leave" ? dialog.accept() : dialog.dismiss());
    });
    await page.goto(`${service.url}/monitors/1/edit`);
    const name = page.locator('[name="name"]');
    const saved = await name.inputValue();
    await name.fill("Mine");
    await page.locator('[name="url"]').fill("ftp://shop.example/");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await follow(save);
    expect(await page.locator(".mistakes li").count()).toBe(1);
    const question = page.waitForEvent("dialog");
    await channels(page).click();
    await question;
    expect(await name.inputValue()).toBe("Mine");
    answers = "leave";
    await follow(channels(page));
    expect(asked).toEqual(["beforeunload", "beforeunload"]);
    await page.goBack();
    expect(await title(page)).toBe(`Edit ${saved}`);
    expect(await page.locator(".mistakes").count()).toBe(0);
    await follow(channels(page));
    expect(asked).toHaveLength(2);

    // Refused, corrected and sent: nothing is lost.
    await page.goto(`${service.url}/monitors/1/edit`);
    await name.fill("");
    await page.locator('[name="url"]').fill("ftp://shop.example/");
    await follow(save);
    await name.fill("Corrected");
    await page.locator('[name="url"]').fill("https://shop.example/");
    await follow(save);
    expect(await title(page)).toContain("Corrected");
    expect(asked).toHaveLength(2);
  },
);
