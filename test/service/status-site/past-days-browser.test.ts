import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { statusScene } from "./status-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** A page with reports that ended near midnight of UTC, and one over two days; nothing is open. */
async function pageWithPast() {
  const here = await statusScene();
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
  let id = 0;
  const said = async (title: string, first: string, last: string): Promise<void> => {
    id += 1;
    await here.call("CreateStatusReport", {
      title,
      pageId: "1",
      pageComponentIds: ["1"],
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "We look into it.",
      date: first,
    });
    await here.call("AddStatusReportUpdate", {
      statusReportId: String(id),
      status: "STATUS_REPORT_STATUS_RESOLVED",
      message: "It is over.",
      date: last,
    });
  };
  await said("Early", "2026-11-18T02:00:00Z", "2026-11-18T03:30:00Z");
  await said("Late", "2026-11-18T22:30:00Z", "2026-11-18T23:30:00Z");
  await said("Long", "2026-11-10T12:00:00Z", "2026-11-12T23:30:00Z");
  return here;
}

/** What stands below the heading, each report as its title and the time of its end. */
async function linesOf(page: Page): Promise<readonly string[]> {
  const lines = await page
    .locator('section[aria-labelledby="past"] > :not(h2)')
    .evaluateAll((all) =>
      all.map((one) =>
        one.localName === "article"
          ? `${one.querySelector("h4 a")?.textContent} ${one.querySelector("time")?.textContent}`
          : one.textContent,
      ),
    );
  return lines.map((line) => line.replaceAll(/\s+/g, " ").trim());
}

test.skipIf(!isThere)(
  "past reports are under the days of the bars for each reader, and their times in the zone of the reader",
  async () => {
    await using here = await pageWithPast();
    const shown = async (timezoneId: string, javaScriptEnabled: boolean) => {
      await using context = await browser.newContext({ timezoneId, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${here.service.url}/status/acme`);
      return await linesOf(page);
    };
    const under = (late: string, early: string, long: string) => [
      "19 Nov – 22 Nov: No reports",
      "18 Nov 2026",
      `Late ${late}`,
      `Early ${early}`,
      "13 Nov – 17 Nov: No reports",
      "12 Nov 2026",
      `Long ${long}`,
      "8 Nov – 9 Nov: No reports",
      "All days on this page begin at midnight UTC.",
    ];
    expect(await shown("America/Chicago", false)).toEqual(
      under(
        "18 Nov 2026, 22:30 – 23:30 UTC",
        "18 Nov 2026, 02:00 – 03:30 UTC",
        "10 Nov 2026, 12:00 – 12 Nov 2026, 23:30 UTC",
      ),
    );
    expect(await shown("America/Chicago", true)).toEqual(
      under(
        "18 Nov 2026, 16:30–17:30 CST",
        "17 Nov 2026, 20:00–21:30 CST",
        "10 Nov 2026, 06:00 CST – 12 Nov 2026, 17:30 CST",
      ),
    );
    expect(await shown("Europe/Berlin", true)).toEqual(
      under(
        "18 Nov 2026, 23:30 CET – 19 Nov 2026, 00:30 CET",
        "18 Nov 2026, 03:00–04:30 CET",
        "10 Nov 2026, 13:00 CET – 13 Nov 2026, 00:30 CET",
      ),
    );
  },
);
