import { expect, test } from "vitest";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "an answer that comes while a page is scrolled by touch is shown as soon as the finger scrolls",
  async () => {
    const { service } = await operatorScene();
    const viewport = { width: 390, height: 844 };
    await using context = await browser.newContext({ hasTouch: true, isMobile: true, viewport });
    const page = await context.newPage();
    const asked = Promise.withResolvers<undefined>();
    const answered = Promise.withResolvers<undefined>();
    await page.route("**/monitors/new", async (route) => {
      if (route.request().postDataJSON()?.fill === undefined) return route.continue();
      const response = await route.fetch();
      asked.resolve(undefined);
      await answered.promise;
      return route.fulfill({ response });
    });
    await page.goto(`${service.url}/monitors/new`);
    const url = page.getByLabel("URL", { exact: true });
    await url.fill("curl https://shop.example/pasted");
    await url.evaluate((one) => one.dispatchEvent(new Event("paste", { bubbles: true })));
    await asked.promise;
    const finger = await context.newCDPSession(page);
    const touch = (type: "touchStart" | "touchMove", y: number) =>
      finger.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x: 8, y }] });
    await touch("touchStart", 700);
    const filled = page.waitForResponse((one) => one.request().postDataJSON()?.fill === "yes");
    answered.resolve(undefined);
    await (await filled).finished();
    for (let y = 680; y > 400; y -= 40) await touch("touchMove", y);
    await expect
      .poll(() => url.inputValue(), { timeout: 20_000 })
      .toBe("https://shop.example/pasted");
  },
);

test.skipIf(!browser.isThere)(
  "an answer does not wait for the end of a press that opened a menu",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    const url = page.getByLabel("URL", { exact: true });
    await page.getByRole("button", { name: "Create monitor", exact: true }).hover();
    await page.mouse.down({ button: "right" });
    await url.evaluate((one) => {
      Reflect.set(one, "value", "curl https://shop.example/pasted");
      one.dispatchEvent(new Event("paste", { bubbles: true }));
    });
    await expect
      .poll(() => url.inputValue(), { timeout: 20_000 })
      .toBe("https://shop.example/pasted");
  },
);
