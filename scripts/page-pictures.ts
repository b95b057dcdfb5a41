import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { httpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import type { OidcSettings } from "#service/oidc/oidc-provider";
import { type Service, startService } from "#service/server";
import { epochMillis, minutes } from "#base/units";
import { agentBeat } from "../test/support/agent-beat.ts";
import { startBrowser } from "../test/support/browser.ts";
import { FakeClock } from "../test/support/fake-clock.ts";
import { generateHistory } from "../test/support/generated-history.ts";
import { sendingNowhere } from "../test/support/sending-nowhere.ts";
import { generatedPage } from "../test/support/status-page-scene.ts";

/**
 * docs/pictures/pages-*.png: every page of the service, taken by the system's chromium from a running service. Its three
 * weeks of history are generated, and the page that shows the pictures says so.
 */
const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(tmpdir(), "picket-pictures-"));
const database = path.join(folder, "service.sqlite");
const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const width = 1_280;

/** The same clock each time, so that pictures change only when the pages do. Nothing leaves this machine. */
const open = (
  pages: "local" | "signed in",
  oidc?: OidcSettings,
  of: string = database,
): Promise<Service> =>
  startService({
    ...(oidc === undefined ? {} : { oidc }),
    database: of,
    host: "127.0.0.1",
    port: 0,
    clock: new FakeClock(now),
    log: silentLogger,
    pages,
    sender: sendingNowhere([]),
  });

/** A long page is cut: what is below its beginning is on the page itself. */
async function take(page: Page, name: string, heightMax = 1_400): Promise<void> {
  // What was filled in last may have been far below.
  await page.evaluate("scrollTo(0, 0)");
  const before = page.viewportSize() ?? { width, height: 800 };
  const whole = await page.locator("body").evaluate((body) => body.scrollHeight);
  const height = Math.min(whole, heightMax);
  // The bar of a form is at the end of the screen: in a picture that is longer than that it would lie over the form.
  await page.setViewportSize({ width, height });
  await page.screenshot({
    path: path.join(root, `docs/pictures/pages-${name}.png`),
    fullPage: true,
    clip: { x: 0, y: 0, width, height },
  });
  await page.setViewportSize(before);
}

async function takePages(browser: Browser): Promise<void> {
  await using service = await open("local");
  const page = await browser.newPage({ viewport: { width, height: 800 } });
  await planWork(page, service.url);
  await generatedPage(service);
  for (const [name, to] of [
    ["overview", "/"],
    ["monitor", "/monitors/2?range=24h"],
    ["incidents", "/incidents"],
    ["incident", "/incidents/7"],
    ["channels", "/channels"],
    ["channel", "/channels/2"],
    ["maintenance", "/maintenances"],
    ["status-page", "/status-pages/1"],
    ["location", "/locations/2"],
    ["channel-new", "/channels/new/slack"],
  ] as const) {
    await page.goto(`${service.url}${to}`);
    await take(page, name);
  }
  await page.goto(`${service.url}/monitors/new`);
  await page.getByLabel("URL", { exact: true }).fill("https://shop.example/health");
  await page.locator("summary", { hasText: "Assertions" }).click();
  await page.getByRole("button", { name: "Add JSON rule" }).click();
  await page.getByLabel("Path").fill("$.status");
  await page.getByRole("checkbox", { name: "Office" }).check();
  await page.getByRole("checkbox", { name: "Operations" }).check();
  // Its buttons stay at the end of what is in view.
  await page.setViewportSize({ width, height: 1_100 });
  await take(page, "monitor-new", 1_100);
  await page.setViewportSize({ width, height: 800 });
  await page.goto(`${service.url}/locations/new`);
  await page.getByLabel("Name", { exact: true }).fill("Berlin");
  await page.getByRole("button", { name: "Create location" }).click();
  await take(page, "location-start");
  await page.close();
}

/** A service that has a monitor and an agent, and no channel. */
async function takeFirstSteps(browser: Browser): Promise<void> {
  await using service = await open("local", undefined, path.join(folder, "first.sqlite"));
  const { id } = await service.admin.createMonitor(
    { ...httpDefaults, name: "shop", url: "https://shop.test/", periodicity: "30s", active: true },
    "management",
  );
  const location = { name: "Berlin", monitorIds: [id], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(location);
  await agentBeat(service.url, token);
  const page = await browser.newPage({ viewport: { width, height: 520 } });
  await page.goto(`${service.url}/start`);
  await take(page, "start");
  await page.close();
}

/** By the form, as a person does it. */
async function planWork(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/maintenances/new`);
  await page.getByLabel("Title", { exact: true }).fill("Database upgrade");
  await page.getByLabel("Message").first().fill("The shop is read-only.");
  await page.getByLabel("Begins").fill("2026-11-24T22:00");
  await page.getByLabel("Ends").fill("2026-11-24T23:30");
  await page.getByLabel("Time zone").selectOption("Europe/Berlin");
  await page.getByRole("checkbox", { name: "Shop", exact: true }).check();
  await page.getByRole("checkbox", { name: "Database primary" }).check();
  await page.getByRole("button", { name: "Schedule maintenance" }).click();
}

async function takeSignIn(browser: Browser, name: string, oidc?: OidcSettings): Promise<void> {
  await using service = await open("signed in", oidc);
  const page = await browser.newPage({ viewport: { width, height: 400 } });
  await page.goto(`${service.url}/sign-in`);
  await take(page, name);
  await page.close();
}

/** It is only named: no one signs in. */
const someProvider: OidcSettings = {
  issuer: "https://id.example.com/realms/staff",
  clientId: "picket",
  clientSecret: null,
  scopes: "openid",
  groupsClaim: "groups",
  rules: { reader: ["*"], responder: [], editor: [], owner: [] },
  callbackUrl: "https://picket.example.com/sign-in/callback",
};

mkdirSync(path.join(root, "docs/pictures"), { recursive: true });
const browser = await startBrowser();
try {
  await generateHistory({ database, now, days: 21, spacing: minutes(30) });
  await takePages(browser);
  await takeFirstSteps(browser);
  await takeSignIn(browser, "sign-in");
  await takeSignIn(browser, "sign-in-provider", someProvider);
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}
