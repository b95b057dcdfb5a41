import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { silentLogger } from "#base/log";
import { httpDefaults } from "#check/definition";
import { purgeEvery, undoneWithin } from "#limits/service-limits";
import { startService } from "#service/server";
import { follow } from "../../../support/browser.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { goneAtOnce } from "../../../support/gone-at-once.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { quickFolder } from "../../../support/running-service.ts";
import { sendingNowhere } from "../../../support/sending-nowhere.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** What the trash of a database has, as it is written there. */
function trashOf(file: string): readonly string[] {
  using database = new DatabaseSync(file, { readOnly: true });
  return database
    .prepare("SELECT kind, kept FROM trash ORDER BY kind")
    .all()
    .map((row) => `${String(row["kind"])} ${String(row["kept"])}`);
}

test.skipIf(!isThere)(
  "what was deleted can be undone after a restart, for ten minutes, and its secrets are kept no plainer than before",
  async () => {
    const database = path.join(quickFolder(), "service.sqlite");
    const clock = new FakeClock();
    const start = (port: number) =>
      startService({
        database,
        host: "127.0.0.1",
        port,
        clock,
        log: silentLogger,
        pages: "local",
        sender: sendingNowhere([], []),
        opensStore: openStoreHere,
      });
    const first = await start(0);
    const { url, port, admin } = first;
    await admin.createMonitor(
      { ...httpDefaults, name: "Shop", url: "https://shop.test/", periodicity: "1m" },
      "management",
    );
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${url}/channels/new/webhook`);
    await page.getByLabel("Name", { exact: true }).fill("Operations");
    await page
      .getByLabel(/^(Endpoint|URL)/)
      .first()
      .fill("https://hook.test/planted-in-url");
    await follow(page.getByRole("button", { name: "Create channel" }));
    const remove = async (of: string) => {
      await page.goto(`${url}${of}/delete`);
      await follow(page.getByRole("button", { name: /^Delete/ }).last());
      return page.url();
    };
    const undoMonitor = await remove("/monitors/1");
    const undoChannel = await remove("/channels/1");
    await goneAtOnce(first);
    const [channel = "", monitor = ""] = trashOf(database);
    // A monitor is as plain as it was in its own table, and a channel as sealed.
    expect(monitor).toContain("https://shop.test/");
    expect(channel).toContain("sealed");
    expect(channel).not.toContain("planted");
    expect(readFileSync(database).includes("planted-in-url")).toBe(false);
    const second = await start(port);
    await page.goto(undoMonitor);
    await follow(page.getByRole("button", { name: "Undo" }));
    expect(await page.locator("main").innerText()).toContain("Shop");
    await goneAtOnce(second);
    clock.suspend(undoneWithin);
    const third = await start(port);
    await page.goto(undoChannel);
    expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
    await clock.advance(2 * purgeEvery);
    await goneAtOnce(third);
    expect(trashOf(database)).toEqual([]);
  },
);
