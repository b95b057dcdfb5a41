import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { epochMillis, minutes } from "#base/units";
import { startBrowser } from "../test/support/browser.ts";
import { FakeClock } from "../test/support/fake-clock.ts";
import { generateHistory } from "../test/support/generated-history.ts";
import { generatedPage } from "../test/support/status-page-scene.ts";

/** Without these a browser draws boxes in place of letters: on Debian, fonts-noto-core and fonts-nanum have them. */
for (const language of ["en", "fr", "de", "tr", "hi", "ko"])
  if (execFileSync("fc-list", [`:lang=${language}`, "family"]).length === 0)
    throw new Error(
      `no font has the letters of ${language}: install fonts-noto-core and fonts-nanum`,
    );

/** docs/pictures/status-page….png: pages of a running service whose two months of history are generated. */
const pictures = path.resolve(import.meta.dirname, "../docs/pictures");
const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const folder = mkdtempSync(path.join(tmpdir(), "picket-picture-"));
const database = path.join(folder, "service.sqlite");
await generateHistory({ database, now, days: 60, spacing: minutes(60) });
const listen = { host: "127.0.0.1", port: 0 };
const clock = new FakeClock(now);
const service = await startService({ database, ...listen, clock, log: silentLogger });
const browser = await startBrowser();
try {
  await generatedPage(service);
  // What was added at this very moment has no day yet.
  await clock.advance(minutes(1));
  const page = await browser.newPage({ viewport: { width: 860, height: 800 } });
  for (const [name, to] of [
    ["status-page", ""],
    ["status-page-monitor", "/monitors/2"],
  ]) {
    await page.goto(`${service.url}/status/acme${to}`);
    await page.screenshot({ path: path.join(pictures, `${name}.png`), fullPage: true });
  }
} finally {
  await browser.close();
  await service[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
}
