import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { fileBrowser } from "../../support/file-browser.ts";
import { statusScene } from "./status-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;
const locales = ["en", "fr", "de", "tr", "hi", "ko"] as const;

/** A page with reports that ended near midnight of UTC, and one over two days; nothing is open. */
async function pageWithPast() {
  const here = await statusScene();
  await here.call("CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    locales: locales.map((one) => `LOCALE_${one.toUpperCase()}`),
  });
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
    .locator("section[data-days] > :not(h2)")
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
  "past reports are under the days of the reader's zone, and under those of UTC without a script",
  async () => {
    await using here = await pageWithPast();
    const shown = async (timezoneId: string, javaScriptEnabled: boolean) => {
      await using context = await browser.newContext({ timezoneId, javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${here.service.url}/status/acme`);
      return await linesOf(page);
    };
    expect(await shown("America/Chicago", false)).toEqual([
      "19 Nov – 22 Nov: No reports",
      "18 Nov 2026",
      "Late 18 Nov 2026, 23:30 UTC",
      "Early 18 Nov 2026, 03:30 UTC",
      "13 Nov – 17 Nov: No reports",
      "12 Nov 2026",
      "Long 12 Nov 2026, 23:30 UTC",
      "8 Nov – 9 Nov: No reports",
    ]);
    expect(await shown("America/Chicago", true)).toEqual([
      "19 Nov – 22 Nov: No reports",
      "18 Nov 2026",
      "Late 18 Nov 2026, 17:30 CST",
      "17 Nov 2026",
      "Early 17 Nov 2026, 21:30 CST",
      "13 Nov – 16 Nov: No reports",
      "12 Nov 2026",
      "Long 12 Nov 2026, 17:30 CST",
      "8 Nov – 9 Nov: No reports",
    ]);
    expect(await shown("Europe/Berlin", true)).toEqual([
      "20 Nov – 22 Nov: No reports",
      "19 Nov 2026",
      "Late 19 Nov 2026, 00:30 CET",
      "18 Nov 2026",
      "Early 18 Nov 2026, 04:30 CET",
      "14 Nov – 17 Nov: No reports",
      "13 Nov 2026",
      "Long 13 Nov 2026, 00:30 CET",
      "8 Nov – 9 Nov: No reports",
    ]);
  },
);

test.skipIf(!isThere)(
  "the days that a script makes are in the words of the page in each language, also after a renewal",
  async () => {
    await using here = await pageWithPast();
    const days = async (javaScriptEnabled: boolean) => {
      // Its clock is that of UTC under another name, so that the script makes days that are the same.
      await using context = await browser.newContext({
        timezoneId: "Africa/Abidjan",
        javaScriptEnabled,
      });
      const page = await context.newPage();
      const all = [];
      for (const locale of locales) {
        await page.goto(`${here.service.url}/status/acme/${locale}`);
        all.push((await linesOf(page)).filter((line) => !/^(Early|Late|Long)/.test(line)));
      }
      return all;
    };
    const made = await days(true);
    expect(made).toEqual(await days(false));
    expect(made).toHaveLength(6);
    await using context = await browser.newContext({ timezoneId: "America/Chicago" });
    const page = await context.newPage();
    await page.clock.install({ time: "2026-11-22T12:00:00Z" });
    await page.goto(`${here.service.url}/status/acme`);
    const before = await linesOf(page);
    const heading = page.locator("h1");
    await here.call("CreateStatusReport", {
      title: "Down",
      pageId: "1",
      pageComponentIds: ["1"],
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "We look into it.",
      date: "2026-11-22T11:30:00Z",
    });
    const was = await heading.innerText();
    await page.clock.runFor(20_000);
    await expect.poll(() => heading.innerText()).not.toBe(was);
    expect(await linesOf(page)).toEqual(["19 Nov – 21 Nov: No reports", ...before.slice(1)]);
  },
);
