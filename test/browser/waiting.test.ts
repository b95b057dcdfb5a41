import net from "node:net";
import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { listenLocally } from "../servers/listen-locally.ts";
import { follow } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";
import { smtpOnThisMachine } from "../support/smtp-account.ts";

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

test.skipIf(!browser.isThere)(
  "a test that waits for a mail server counts up and says for how long at most, in the settings and at a channel",
  async () => {
    const sockets = new Set<net.Socket>();
    const server = net.createServer((socket) => {
      sockets.add(socket.on("error", () => {}));
    });
    const smtp = smtpOnThisMachine(await listenLocally(server), "picket@example.com");
    const accounts = { ...noAccounts, smtp };
    const { service } = await operatorScene({ days: 0, sends: "really", accounts });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const button = page.locator("[data-trying]");
    const counts = async (): Promise<void> => {
      const before = await button.innerText();
      // The browser says nothing else of a page that it is about to leave.
      await page.evaluate(`{
        const button = document.querySelector("[data-trying]");
        const say = () => console.log(button.textContent);
        new MutationObserver(say).observe(button, { childList: true });
      }`);
      const said = (words: RegExp) =>
        page.waitForEvent("console", { predicate: (message) => words.test(message.text()) });
      const all = [
        said(/^Trying… 0\u00a0s, up to 45\u00a0s$/),
        said(/^Trying… [1-9]\u00a0s, up to 45\u00a0s$/),
      ];
      await page.evaluate("document.querySelector('[data-trying]').click()");
      await Promise.all(all);
      await expect.poll(() => sockets.size).toBeGreaterThan(0);
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await page.getByText("failed").first().waitFor();
      expect(await button.innerText()).toBe(before);
    };
    await page.goto(`${service.url}/settings/mail`);
    await page.getByLabel("To", { exact: true }).fill("ann@example.com");
    await counts();
    await page.goto(`${service.url}/channels/new/email`);
    await page.getByLabel("E-mail address").fill("ops@example.com");
    await follow(page.getByRole("button", { name: "Create channel" }));
    await counts();
    server.close();
  },
);
