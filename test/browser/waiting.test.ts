import { expect, test } from "vitest";
import { follow } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "a test's button counts down after a test, keeps its width, and is free again at the end or once the form is changed",
  async () => {
    const scene = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${scene.service.url}/channels/new/slack`);
    await page.getByLabel("Webhook URL").fill("https://hooks.slack.test/services/T0/B0/planted");
    const button = page.locator('button[name="test"]');
    const before = await button.evaluate((one) => one.getBoundingClientRect().width);
    await button.click();
    await page.getByText("Slack accepted the test message").waitFor();
    await page.clock.runFor(1_000);
    expect(await button.innerText()).toMatch(/^Send again in (10|9) s$/);
    expect(await button.evaluate((one) => one.getBoundingClientRect().width)).toBe(before);
    await button.click({ force: true });
    expect(scene.sent).toHaveLength(1);
    await page.getByLabel("Webhook URL").fill("https://hooks.slack.test/services/T0/B0/other");
    expect(await button.innerText()).toBe("Send a test message");
    await button.click();
    await page.clock.runFor(1_000);
    await page.getByText("Send again in").waitFor();
    expect(scene.sent).toHaveLength(2);
    await page.clock.runFor(10_000);
    expect(await button.innerText()).toBe("Send a test message");
    expect(await button.getAttribute("aria-disabled")).toBeNull();
    await follow(page.getByRole("button", { name: "Create channel" }));
  },
);
