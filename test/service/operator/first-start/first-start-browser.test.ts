import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "#base/clock";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { notifyingDirectly } from "#service/service-rooms";
import { agentBeat } from "../../../support/agent-beat.ts";
import { follow, watchPage } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { keyboardFaults, pageFaults } from "../../../support/page-faults.ts";
import { startPicket } from "../../../support/running-picket.ts";
import { quickFolder, temporaryFolder } from "../../../support/running-service.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** A server of the test's own; `onBody` gets what is posted to it. */
async function ownServer(
  onBody: (body: string) => void,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request: IncomingMessage, response) => {
    void text(request).then((body) => {
      onBody(body);
      response.end("fine");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}/`, close };
}

/** The types of the events that a receiver got, in order. */
class Receiver {
  readonly #types: string[] = [];
  #wake = (): void => {};

  take(body: string): void {
    this.#types.push(JSON.parse(body).type);
    this.#wake();
  }

  async got(type: string, times = 1): Promise<void> {
    while (this.#types.filter((one) => one === type).length < times)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }
}

const press = (page: Page, name: string): Promise<void> =>
  follow(page.getByRole("button", { name, exact: true }));
const go = (page: Page, name: string): Promise<void> =>
  follow(page.getByRole("link", { name, exact: true }));

test.skipIf(!isThere)(
  "from an empty service a person is notified of an outage within five minutes, with one command for the agent",
  async () => {
    const receiver = new Receiver();
    const hook = await ownServer((body) => receiver.take(body));
    const target = await ownServer(() => {});
    await using service = await startService({
      database: path.join(quickFolder(), "service.sqlite"),
      host: "127.0.0.1",
      port: 0,
      clock: systemClock,
      log: silentLogger,
      pages: "local",
      notifying: { ...notifyingDirectly, httpAllowed: true },
    });
    await using context = await browser.newContext();
    const seen = watchPage(context, service.url);
    const page = await context.newPage();
    const begun = performance.now();
    await page.goto(service.url);
    expect(await page.locator("h1").innerText()).toBe("Three steps to the first message");
    await go(page, "Create monitor");
    await page.getByLabel("URL", { exact: true }).fill(target.url);
    await page.getByLabel("Interval").selectOption("30s");
    await press(page, "Create monitor");
    await go(page, "Create location");
    await page.getByLabel("Name", { exact: true }).fill("Home");
    await press(page, "Create location");
    const commands = await page.locator("#way-here").innerText();
    const [, PICKET_TOKEN = "", SERVICE_API_URL = ""] =
      /PICKET_TOKEN=(\S+) SERVICE_API_URL=(\S+) sh$/m.exec(commands) ?? [];
    const PICKET_STATE_DIR = temporaryFolder();
    const PICKET_LISTEN = "off";
    const agent = startPicket(["agent"], {
      PICKET_TOKEN,
      SERVICE_API_URL,
      PICKET_STATE_DIR,
      PICKET_LISTEN,
    });
    await page.getByText("The agent has come").waitFor();
    await go(page, "Back to first steps");
    await go(page, "Create channel");
    await go(page, "Webhook");
    await page.getByLabel("URL", { exact: true }).fill(hook.url);
    await page.getByRole("button", { name: "Send a test message" }).click();
    await page.getByText("accepted the test message").waitFor();
    await receiver.got("test");
    await press(page, "Create channel");
    await go(page, "Back to first steps");
    await page.getByRole("heading", { name: "Everything is set up" }).waitFor();
    await go(page, "Rehearse an outage");
    expect(await page.locator(".filled").innerText()).not.toContain("Changed from");
    await press(page, "Create monitor");
    await page.getByRole("heading", { name: "Everything is set up" }).waitFor();
    expect(await page.locator("p.notice").innerText()).toMatch(
      /Rehearsal made: .* in about 10 s|The rehearsal fails, as it is to/,
    );
    await page.getByText("The rehearsal fails, as it is to").waitFor();
    await receiver.got("monitor.error");
    expect(await page.locator(".set-list").first().innerText()).toContain("Rehearsal");
    await go(page, "See the overview");
    await page.getByText("1 passing").first().waitFor();
    target.close();
    await receiver.got("monitor.error", 2);
    expect((performance.now() - begun) / 60_000).toBeLessThan(5);
    await agent.stop();
    expect(seen).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "the first steps are accessible and fit with none, some and all of them done, and show a step by itself",
  async () => {
    const { service, clock } = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    await context.route("**/live.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    const page = await context.newPage();
    const faults: string[] = [];
    const judge = async (name: string): Promise<void> => {
      const found = [...(await pageFaults(page, `start-${name}`)), ...(await keyboardFaults(page))];
      faults.push(...found.map((one) => `${name}: ${one}`));
    };
    const done = (): Promise<number> => page.locator(".first-steps .done").count();
    await page.goto(service.url);
    expect(await done()).toBe(0);
    await judge("none");
    const { id } = await service.admin.createMonitor(
      {
        ...httpDefaults,
        name: "shop",
        url: "https://shop.test/",
        periodicity: "30s",
        active: true,
      },
      "management",
    );
    await page.goto(service.url);
    expect(await page.locator(".steps-line").innerText()).toBe(
      "1 of 3 steps to the first message is done. Continue",
    );
    await judge("overview");
    const location = { name: "Home", monitorIds: [], metadata: {} };
    const { token } = await service.admin.createPrivateLocation(location);
    expect(await agentBeat(service.url, token)).toBe(200);
    await clock.advance(limits.pictureShownFor);
    await go(page, "Continue");
    expect(await done()).toBe(2);
    expect(await page.getByText("1 monitor runs nowhere yet").count()).toBe(1);
    expect(await page.locator(".steps-done").innerText()).toBe("2 of 3 done");
    await page.setViewportSize({ width: 1280, height: 900 });
    const heights = await page
      .locator(".first-steps > li")
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(new Set(heights).size).toBe(1);
    await judge("some");
    await service.admin.updatePrivateLocation("1", { monitorIds: [id] });
    await page.goto(`${service.url}/channels/new/slack?next=/start`);
    await page.getByLabel("Webhook URL").fill("https://hooks.slack.test/planted");
    await press(page, "Create channel");
    expect(await page.locator("h1").innerText()).toBe("Everything is set up");
    await judge("all");
    await page.goto(service.url);
    expect(await page.locator(".steps-line").count()).toBe(0);
    expect(faults.join("\n")).toBe("");
  },
);
