import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a new page's name in the address follows the title until a person types one, which is made one as they leave it",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/new`);
    const title = page.getByLabel("Title");
    const name = page.getByLabel("Name in the address");
    await title.pressSequentially("Two Wörds");
    expect(await name.inputValue()).toBe("two-woerds");
    await title.fill("Three Words");
    expect(await name.inputValue()).toBe("three-words");
    await page.getByText("/status/three-words").waitFor();
    await name.fill("Bad Slug!");
    await title.focus();
    expect(await name.inputValue()).toBe("bad-slug");
    await page.getByText("/status/bad-slug").waitFor();
    await title.pressSequentially(" more");
    expect(await name.inputValue()).toBe("bad-slug");
    await page.getByRole("button", { name: "Create status page" }).click();
    await page.waitForURL(/\/status-pages\/\d+\?/);
    // An address that readers know does not follow the title.
    await page.goto(`${page.url().replace(/\?.*/, "")}/settings`);
    await page.getByLabel("Title").fill("Another");
    expect(await page.getByLabel("Name in the address").inputValue()).toBe("bad-slug");
    await page.getByLabel("Name in the address").fill("Shop EU");
    await page.getByLabel("Title").focus();
    expect(await page.getByLabel("Name in the address").inputValue()).toBe("shop-eu");
  },
);

test.skipIf(!isThere)(
  "without a script a name that is refused is offered as it is taken",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/new`);
    await page.getByLabel("Title").fill("Acme");
    await page.getByLabel("Name in the address").fill("Two Words");
    await page.getByRole("button", { name: "Create status page" }).click();
    await page.getByRole("button", { name: "Use two-words" }).click();
    expect(await page.getByLabel("Name in the address").inputValue()).toBe("two-words");
    expect(await page.getByLabel("Title").inputValue()).toBe("Acme");
    await page.getByRole("button", { name: "Create status page" }).click();
    await page.waitForURL(/\/status-pages\/\d+\?/);
  },
);

test.skipIf(!isThere)(
  "a new page begins with the zone of the browser, and without a script with UTC",
  async () => {
    const { service } = await operatorScene();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        timezoneId: "Europe/Berlin",
        javaScriptEnabled,
      });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/new`);
      const zone = javaScriptEnabled ? "Europe/Berlin" : "UTC";
      expect(await page.getByLabel("Time zone").inputValue()).toBe(zone);
      await page.getByLabel("Title").fill(`Acme ${zone}`);
      await page.getByRole("button", { name: "Create status page" }).click();
      await page.waitForURL(/\/status-pages\/\d+\?/);
      await page.goto(`${page.url().replace(/\?.*/, "")}/settings`);
      expect(await page.getByLabel("Time zone").inputValue()).toBe(zone);
    }
  },
);
