import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Holds the next answer to a button of the form until it is let go, or lost. What the form asks by itself is answered. */
async function heldAnswer(page: Page, path: string, button: string) {
  const asked = Promise.withResolvers<void>();
  const open = Promise.withResolvers<"continue" | "abort">();
  let isHeld = false;
  await page.route(`**${path}`, async (route) => {
    if (isHeld || route.request().postData()?.includes(button) !== true) return route.fallback();
    isHeld = true;
    asked.resolve();
    return (await open.promise) === "abort" ? route.abort() : route.continue();
  });
  return {
    asked: asked.promise,
    letGo: () => open.resolve("continue"),
    lose: () => open.resolve("abort"),
  };
}

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => Reflect.get(globalThis, "document").activeElement?.name ?? "");

test.skipIf(!isThere)(
  "what is typed while Now, for 1 h is on its way stays with the cursor in it, and the times are filled in",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "UTC" });
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const { asked, letGo } = await heldAnswer(page, "/maintenances/new", "now=");
    await page.getByRole("button", { name: "Now, for 1 h" }).click();
    await asked;
    await page.getByLabel("Message").fill("The shop is read-only.");
    await page.locator('input[name="monitor_ids"]').first().check();
    await page.getByLabel("Title").click();
    await page.keyboard.type("Upgade");
    for (let step = 0; step < 3; step += 1) await page.keyboard.press("ArrowLeft");
    letGo();
    await expect.poll(() => page.getByLabel("Begins").inputValue()).toBe("2026-11-22T12:00");
    expect(await focused(page)).toBe("title");
    await page.keyboard.type("r");
    expect(await page.getByLabel("Title").inputValue()).toBe("Upgrade");
    expect(await page.getByLabel("Message").inputValue()).toBe("The shop is read-only.");
    expect(await page.locator('input[name="monitor_ids"]').first().isChecked()).toBe(true);
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-11-22T13:00");
  },
);

test.skipIf(!isThere)(
  "what is typed while a row is added stays, and whoever typed nothing continues in the new row",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/webhook`);
    const { asked, letGo } = await heldAnswer(page, "/channels/new/webhook", "row=add");
    const add = page.getByRole("button", { name: "Add header" });
    await add.click();
    await asked;
    await page.getByLabel("Name", { exact: true }).first().click();
    await page.keyboard.type("On call");
    letGo();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    expect(await focused(page)).toBe("name");
    await page.keyboard.type(" team");
    expect(await page.getByLabel("Name", { exact: true }).first().inputValue()).toBe(
      "On call team",
    );
    await add.click();
    await expect.poll(() => page.locator(".row").count()).toBe(2);
    await expect.poll(() => focused(page)).toMatch(/\[1\]\.key$/);
    await page.keyboard.type("X-Second");

    // The rows after one that is removed have other numbers.
    const removed = await heldAnswer(page, "/channels/new/webhook", "row=remove");
    await page.getByRole("button", { name: "Remove header 1" }).click();
    await removed.asked;
    await page.locator(".row").nth(1).locator("input:not([type=hidden])").nth(1).click();
    await page.keyboard.type("two");
    removed.letGo();
    await expect.poll(() => page.locator(".row").count()).toBe(1);
    const row = page.locator(".row input:not([type=hidden])");
    expect([await row.nth(0).inputValue(), await row.nth(1).inputValue()]).toEqual([
      "X-Second",
      "two",
    ]);
    expect(await focused(page)).toMatch(/\[0\]\.value$/);
  },
);

test.skipIf(!isThere)(
  "what is typed at the button Now, for 1 h is in the empty title once the answer is there",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    for (const press of ["click", "Enter", "Space"]) {
      const page = await context.newPage();
      await page.goto(`${service.url}/maintenances/new`);
      const { asked, letGo } = await heldAnswer(page, "/maintenances/new", "now=");
      const button = page.getByRole("button", { name: "Now, for 1 h" });
      if (press === "click") await button.click();
      else await button.press(press);
      await asked;
      await page.keyboard.type("Two wordz");
      await page.keyboard.press("Backspace");
      await page.keyboard.press("Control+b");
      await page.keyboard.type("s");
      letGo();
      await expect.poll(() => focused(page)).toBe("title");
      expect(await page.getByLabel("Title").inputValue()).toBe("Two words");
      await page.keyboard.type(" more");
      expect(await page.getByLabel("Title").inputValue()).toBe("Two words more");
      await page.close();
    }
  },
);

test.skipIf(!isThere)("what is typed at the button Add header is in the new row", async () => {
  const { service } = await operatorScene();
  await using context = await browser.newContext();
  for (const press of ["click", "Enter"]) {
    const page = await context.newPage();
    await page.goto(`${service.url}/channels/new/webhook`);
    const { asked, letGo } = await heldAnswer(page, "/channels/new/webhook", "row=add");
    const add = page.getByRole("button", { name: "Add header" });
    if (press === "click") await add.click();
    else await add.press(press);
    await asked;
    await page.keyboard.type("X-Team");
    letGo();
    await expect.poll(() => focused(page)).toMatch(/\[0\]\.key$/);
    expect(await page.locator(":focus").inputValue()).toBe("X-Team");
    // It counts as a change: the browser asks before it is lost.
    const asking = page.waitForEvent("dialog");
    const leaving = page.close({ runBeforeUnload: true });
    const dialog = await asking;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.accept();
    await leaving;
  }
});

test.skipIf(!isThere)(
  "what is typed at a button that waits for another answer is in the new row, and no key of the page acts",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const path = `${service.url}/monitors/new`;
    await page.goto(path);
    const { asked, letGo } = await heldAnswer(page, "/monitors/new", "fill=");
    const add = page.locator('button[value="add status_code_assertions"]');
    await add.evaluate((one) => one.closest("details")?.setAttribute("open", ""));
    const url = page.getByLabel("URL", { exact: true });
    await url.fill("shop.example:8080/health");
    // The form is sent as the cursor leaves the field.
    await url.press("Tab");
    await asked;
    await add.click();
    // As in a browser that puts no focus on a button that is clicked.
    await add.evaluate((one) => Reflect.get(one, "blur").call(one));
    await page.keyboard.type("n20/4");
    letGo();
    await expect.poll(() => focused(page)).toBe("status_code_assertions[0].target");
    expect(await page.locator(":focus").inputValue()).toBe("n20/4");
    expect([page.url(), await page.locator(".row").count()]).toEqual([path, 1]);
  },
);

test.skipIf(!isThere)(
  "what is typed at a button is dropped if no text comes next, if a person continues in another field, and if no answer comes",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "UTC" });
    const page = await context.newPage();
    const path = `${service.url}/maintenances/new`;
    await page.goto(path);
    const title = page.getByLabel("Title");
    const message = page.getByLabel("Message");
    await title.fill("Upgrade");
    await message.fill("We restart.");
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST" && request.postData()?.includes("now=") === true)
        sent.push(request.url());
    });
    const press = async (length: string) => {
      const held = await heldAnswer(page, "/maintenances/new", "now=");
      await page.getByRole("button", { name: `Now, for ${length}` }).click();
      await held.asked;
      await page.keyboard.type("n j ");
      return held;
    };
    const ends = page.getByLabel("Ends");
    const stayed = await press("1 h");
    stayed.letGo();
    await expect.poll(() => ends.inputValue()).toBe("2026-11-22T13:00");
    const monitors = page.getByRole("group", { name: "Monitors" });
    expect(await monitors.evaluate((one) => one.matches(":focus"))).toBe(true);
    // At the button it would send the form again.
    await page.keyboard.press("Space");

    await title.fill("");
    const left = await press("2 h");
    await message.click();
    left.letGo();
    await expect.poll(() => ends.inputValue()).toBe("2026-11-22T14:00");
    expect([await title.inputValue(), await message.inputValue()]).toEqual(["", "We restart."]);
    expect(await focused(page)).toBe("message");
    expect(sent).toHaveLength(2);
    expect(page.url()).toBe(path);

    const { asked, lose } = await heldAnswer(page, "/maintenances/new", "now=");
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Now, for 30 min" }).click();
    await asked;
    await page.keyboard.type("lost");
    lose();
    // The service answers again, so the browser itself sends the form.
    await loaded;
    expect([await title.inputValue(), await message.inputValue()]).toEqual(["", "We restart."]);
  },
);
