import path from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { silentLogger } from "#base/log";
import { epochMillis } from "#base/units";
import { type Service, startService } from "#service/server";
import { complaints } from "../../../support/browser.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { goneAtOnce } from "../../../support/gone-at-once.ts";
import { quickFolder } from "../../../support/running-service.ts";

const browser = fileBrowser();

/** A service that can be stopped, and started again at its port with its database. */
async function restartable(pages: "local" | "signed in" = "local") {
  const database = path.join(quickFolder(), "service.sqlite");
  const clock = new FakeClock(epochMillis(Date.parse("2026-11-22T12:00:00Z")));
  const start = (port: number): Promise<Service> =>
    startService({ database, host: "127.0.0.1", port, clock, log: silentLogger, pages });
  let service: Service | null = await start(0);
  const { url, port } = service;
  const stop = async (): Promise<void> => {
    const running = service;
    service = null;
    if (running !== null) await goneAtOnce(running);
  };
  onTestFinished(stop);
  return {
    url,
    stop,
    start: async (): Promise<void> => {
      service = await start(port);
    },
  };
}

const alert = (page: Page) => page.getByRole("alert");
const names = (page: Page) => page.locator("main h3 a").allInnerTexts();

test.skipIf(!browser.isThere)(
  "the form of an HTTP monitor, which has a field called method, waits for the service, too",
  async () => {
    const service = await restartable();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new`);
    await page.getByLabel("URL", { exact: true }).fill("https://shop.example/health");
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await service.stop();
    await page.getByRole("button", { name: "Create monitor" }).click();
    await alert(page).waitFor();
    await service.start();
    await page.locator("h1", { hasText: "Shop" }).waitFor();
    expect(page.url()).toMatch(/\/monitors\/1\b/);
  },
);

test.skipIf(!browser.isThere)(
  "a form that is sent while the service restarts waits in the page, and is then sent once",
  async () => {
    const service = await restartable();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    await page.getByLabel("Host and port").fill("db.example:5432");
    await page.getByLabel("Name", { exact: true }).fill("Orders");
    await service.stop();
    await page.getByRole("button", { name: "Create monitor" }).click();
    await alert(page).waitFor();
    expect(await alert(page).locator("p").innerText()).toBe(
      "The service does not answer. What you typed is still here; the service is asked again every few seconds.",
    );
    expect(await complaints(page, "all")).toEqual([]);
    // What is corrected meanwhile is sent.
    await page.getByLabel("Name", { exact: true }).fill("Orders database");
    await service.start();
    await page.locator("h1", { hasText: "Orders database" }).waitFor();
    await page.goto(service.url);
    expect(await names(page)).toEqual(["Orders database"]);
  },
);

test.skipIf(!browser.isThere)(
  "a form that waits can be tried at once or cancelled, and a refusal is shown in it",
  async () => {
    const service = await restartable();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    const target = page.getByLabel("Host and port");
    await target.fill("db.example");
    await service.stop();
    const create = page.getByRole("button", { name: "Create monitor" });
    await create.click();
    await alert(page).getByRole("button", { name: "Cancel" }).click();
    await alert(page).waitFor({ state: "detached" });
    expect(await target.inputValue()).toBe("db.example");
    await create.click();
    const again = alert(page).getByRole("button", { name: "Ask again" });
    await again.waitFor();
    await service.start();
    // The clock of the page stands, so that nothing but the button sends it.
    await again.click();
    await page.locator(".mistakes").waitFor();
    expect(await page.getByLabel("Host and port").inputValue()).toBe("db.example");
    await page.goto(service.url);
    expect(await names(page)).toEqual([]);
  },
);

test.skipIf(!browser.isThere)(
  "a button that only changes a form waits for the service as well, and the form keeps what was typed",
  async () => {
    const service = await restartable();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/new?kind=http`);
    await page.getByLabel("Name", { exact: true }).fill("Shop");
    await service.stop();
    await page.getByRole("button", { name: "TCP", exact: true }).click();
    await alert(page).waitFor();
    await service.start();
    await page.getByLabel("Host and port").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Shop");
  },
);

test.skipIf(!browser.isThere)(
  "whoever types while the service is away is asked to continue, until it is back",
  async () => {
    const service = await restartable();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${service.url}/monitors/new?kind=tcp`);
    await page.getByLabel("Host and port").fill("db.example:5432");
    await service.stop();
    const note = page.getByText("The service does not answer at the moment; keep typing.");
    await expect
      .poll(async () => {
        await page.clock.runFor(1000);
        return note.count();
      })
      .toBe(1);
    await service.start();
    await expect
      .poll(async () => {
        await page.clock.runFor(1000);
        return note.count();
      })
      .toBe(0);
    expect(await page.getByLabel("Host and port").inputValue()).toBe("db.example:5432");
  },
);

test.skipIf(!browser.isThere)(
  "the form of whoever is not signed in waits for the service, too",
  async () => {
    const service = await restartable("signed in");
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/sign-in`);
    await page.locator("[name=secret]").fill("osk_not_a_key");
    await service.stop();
    await page.locator("[name=secret]").press("Enter");
    await alert(page).waitFor();
    await service.start();
    await page.locator(".wrong-line, .mistakes, main [role=alert]").first().waitFor();
    // What is refused is what was typed.
    expect(new URL(page.url()).pathname).toBe("/sign-in");
  },
);
