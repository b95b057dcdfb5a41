import { expect, test } from "vitest";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "buttons of a form work on after it was sent and no other page came",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    // As if the loading was stopped, or the answer was a file.
    await page.route("**/monitors/new", (route) =>
      route.request().postDataJSON()?.fill === undefined && route.request().method() === "POST"
        ? route.fulfill({ status: 204 })
        : route.continue(),
    );
    await page.goto(`${service.url}/monitors/new`);
    const url = page.getByLabel("URL", { exact: true });
    await url.fill("https://shop.example/");
    const sent = page.waitForResponse((one) => one.status() === 204);
    await page.getByRole("button", { name: "Create monitor", exact: true }).click();
    await sent;
    for (const [kind, fills] of [
      ["mouse", () => page.mouse.click(2, 2)],
      ["keys", () => page.keyboard.press("Shift")],
    ] as const) {
      await url.fill(`curl https://shop.example/${kind}`);
      await fills();
      await url.evaluate((one) => one.dispatchEvent(new Event("paste", { bubbles: true })));
      await expect
        .poll(() => url.inputValue(), { timeout: 20_000 })
        .toBe(`https://shop.example/${kind}`);
    }
  },
);
