import { expect, test } from "vitest";
import * as limits from "#limits/pages-limits";
import { agentBeat } from "../../../support/agent-beat.ts";
import { follow, watchPage } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { judgedPages } from "../../../support/judged-pages.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { tabTo } from "../../../support/page-faults.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "every page of locations is accessible and fits, in each of its states",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const { page, faults, seen, judge } = await judgedPages(context, service.url, "location");
    await page.goto(`${service.url}/locations`);
    await judge("list");
    await follow(page.getByRole("link", { name: "New location" }));
    await judge("new");
    await page.getByRole("checkbox").first().check();
    await follow(page.getByRole("button", { name: "Create location" }));
    expect(await page.getByRole("alert").innerText()).toContain("Enter a name.");
    await judge("refused");
    await page.getByLabel("Name").fill("Berlin office");
    await follow(page.getByRole("button", { name: "Create location" }));
    expect(await page.locator("h1").innerText()).toBe("Start an agent of Berlin office");
    await judge("start");
    await page.goto(`${new URL(page.url()).origin}${new URL(page.url()).pathname}`);
    await judge("start-without-token");
    await page.goto(`${service.url}/locations/1`);
    await judge("one");
    await page.goto(`${service.url}/locations/1/edit`);
    await judge("edit");
    await page.goto(`${service.url}/locations/1/delete`);
    await judge("delete");
    // The browser says of a refusal that it is one, and of a hand that is quicker than a field's own focus.
    const odd = seen.filter((one) => !/422|Autofocus/.test(one));
    expect([...faults, ...odd].join("\n")).toBe("");
  },
);

test.skipIf(!isThere)(
  "a location is made with the keyboard alone and without a script, and its page shows the agent that came",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const press = async (name: string): Promise<void> => {
      await tabTo(page, page.getByRole("button", { name }));
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
    };
    await page.goto(`${service.url}/locations`);
    await tabTo(page, page.getByRole("link", { name: "New location" }));
    const opened = page.waitForEvent("load");
    await page.keyboard.press("Enter");
    await opened;
    await tabTo(page, page.getByLabel("Name", { exact: true }));
    await page.keyboard.type("Berlin");
    await press("Create location");
    expect(await page.getByRole("status").innerText()).toContain("Waiting for an agent");
    const commands = await page.locator("#way-here").innerText();
    const [, token = ""] = /PICKET_TOKEN=(\S+) /.exec(commands) ?? [];
    expect(commands).toBe(
      `(curl -fsS ${service.url}/agent/start.sh || echo exit 1) | PICKET_TOKEN=${token} SERVICE_API_URL=${service.url} sh`,
    );
    expect(await agentBeat(service.url, token, { monitorCount: 3 })).toBe(200);
    await page.reload();
    expect(await page.getByRole("status").innerText()).toMatch(
      /The agent has come\s+gw-1, version 0.1.0: it runs 3 monitors./,
    );
  },
);

test.skipIf(!isThere)(
  "the page of a new token turns green by itself when the agent comes, and its commands are copied",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    const { token } = await service.admin.createPrivateLocation({
      name: "Berlin",
      monitorIds: [],
      metadata: {},
    });
    await using context = await browser.newContext();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const seen = watchPage(context, service.url);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/locations/1/start`);
    await page.getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate(() =>
      Reflect.get(Reflect.get(globalThis, "navigator"), "clipboard").readText(),
    );
    expect(copied).toContain("/agent/start.sh ||");
    expect(await agentBeat(service.url, token)).toBe(200);
    await page.clock.runFor(limits.waitingLookEvery);
    await page.getByText("The agent has come").waitFor();
    expect(seen).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "a phone shows all of an agent without scrolling sideways, and a location without one leads to its start",
  async () => {
    const { service } = await operatorScene();
    const { token } = await service.admin.createPrivateLocation({
      name: "Empty",
      monitorIds: ["1", "2"],
      metadata: {},
    });
    await using context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/locations/1`);
    const table = page.getByRole("region", { name: "Table of agents" });
    expect(await table.getByRole("row").last().locator("[data-label]").count()).toBe(7);
    expect(await table.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.goto(`${service.url}/locations/3`);
    expect(await page.locator(".next-step").innerText()).toContain(
      "No agent has run here yet. 2 monitors are not checked from here.",
    );
    await follow(page.locator(".next-step").getByRole("link", { name: "Start an agent" }));
    expect(await page.locator(".saved-token").innerText()).toContain(
      "The commands need the token that you saved",
    );
    expect(await page.locator(".ways .help").first().innerText()).toContain(
      "downloads 120 MB if the machine has no Node.js 26",
    );
    await follow(page.getByRole("button", { name: "Create a new token" }));
    expect(await page.locator(".saved-token").count()).toBe(0);
    expect(await page.locator("#way-here").innerText()).toMatch(/PICKET_TOKEN=pkt_/);
    expect(await agentBeat(service.url, token)).toBe(200);
  },
);
