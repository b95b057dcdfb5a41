import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { complaints, looks, overhang, snap, sizes, watchPage } from "../support/browser.ts";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** What it says of where the cursor is, for those who do not see it. */
const readout = async (page: Page): Promise<string> =>
  (await page.locator("[data-chart]").getAttribute("aria-valuetext")) ?? "";

/** A line of the card: a name and how long it took. */
const timed = (name: string): unknown =>
  expect.stringMatching(new RegExp(`^${name}\\s+[\\d.]+\\sm?s$`));

/** A monitor's page, once its chart is drawn. */
async function openChart(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator(".plot .u-over").first().waitFor();
}

describe("a monitor's chart", () => {
  test.skipIf(!isThere)(
    "says the time, the values and the phases under the pointer, and is fit for everyone",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const seen = watchPage(context, service.url);
      const page = await context.newPage();
      for (const { colorScheme, size, rules } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(sizes[size]);
        await openChart(page, `${service.url}/monitors/2?range=24h`);
        await page
          .locator(".plot .u-over")
          .first()
          .hover({ position: { x: 90, y: 60 } });
        expect(await readout(page)).toMatch(
          /^2[12]\sNov, \d\d:\d\d UTC.*, 15\smin: Median .*\sms · p95 .*\sms · \d+ passed · dns .* · Office .*, Warehouse /,
        );
        const card = page.locator(".readout");
        expect(await card.locator("li").allInnerTexts()).toEqual(
          expect.arrayContaining(
            ["Median", "p95", "Office", "Warehouse", "dns", "wait"].map(timed),
          ),
        );
        await snap(page, `chart-${size}`);
        expect(await complaints(page, rules)).toEqual([]);
        expect(await overhang(page)).toBeLessThanOrEqual(0);
      }
      expect(seen).toEqual([]);
    },
  );

  test.skipIf(!isThere)("has the times of the reader's zone, with UTC behind them", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "Asia/Kolkata" });
    const page = await context.newPage();
    await openChart(page, `${service.url}/monitors/2?range=24h`);
    await page.locator("[data-chart]").focus();
    await page.keyboard.press("End");
    const [, own = 0, , universal = 0] =
      / (\d\d):(\d\d) \S+ \(.* (\d\d):\d\d UTC\)/.exec(await readout(page))?.map(Number) ?? [];
    expect((own - universal + 24) % 24).toBeOneOf([5, 6]);
  });

  test.skipIf(!isThere)(
    "without a check that passed marks the failures and has no figures",
    async () => {
      const { service } = await operatorScene();
      const query = "range=custom&from=2026-11-22T11:47:00&to=2026-11-22T12:00:00";
      await using context = await browser.newContext();
      const page = await context.newPage();
      await openChart(page, `${service.url}/monitors/2?${query}`);
      await page.getByText("No check passed in this range", { exact: true }).waitFor();
      await page.locator("[data-chart]").focus();
      await page.keyboard.press("End");
      expect(await readout(page)).toMatch(/: failed at Office, Warehouse: response timeout/);
      await using still = await browser.newContext({ javaScriptEnabled: false });
      const picture = await still.newPage();
      await picture.goto(`${service.url}/monitors/2?${query}`);
      const chart = picture.locator("[data-chart] svg.chart");
      expect(await chart.locator("text").allTextContents()).toContain(
        "No check passed in this range",
      );
      expect((await chart.locator("text").allTextContents()).join(" ")).not.toContain("ms");
      expect(await chart.locator("path.error").count()).toBeGreaterThan(0);
    },
  );

  test.skipIf(!isThere)("is read and its range is chosen by keys alone", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await openChart(page, `${service.url}/monitors/2?range=7d`);
    await page.locator("[data-chart]").focus();
    await page.keyboard.press("End");
    const newest = await readout(page);
    await page.keyboard.press("ArrowLeft");
    expect(await readout(page)).not.toBe(newest);
    await page.keyboard.press("Escape");
    expect(await page.locator(".readout").isHidden()).toBe(true);
    // It has left the chart, which takes the next key only once it has the focus again.
    expect(await page.evaluate("document.activeElement?.localName")).toBe("body");
    await page.keyboard.press("End");
    expect(await page.locator(".readout").isHidden()).toBe(true);
    await page.locator("[data-chart]").focus();
    await page.keyboard.press("End");
    expect(await page.locator(".readout").isVisible()).toBe(true);
    await page.keyboard.press("Shift+PageUp");
    await page.keyboard.press("Enter");
    await page.waitForURL(/range=custom/);
    const { searchParams: query } = new URL(page.url());
    const length = Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "");
    // Ten steps of two hours, as near as two points of a screen can say.
    expect(Math.abs(length / 3_600_000 - 20)).toBeLessThan(0.5);
  });

  test.skipIf(!isThere)("leaves the page its keys while it has the focus", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await openChart(page, `${service.url}/monitors/2?range=7d`);
    await page.locator("[data-chart]").focus();
    await page.keyboard.press("?");
    await page.locator("dialog.key-help[open]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[data-chart]").focus();
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.waitForURL(/\/incidents/);
    expect(await page.locator("h1").innerText()).toBe("Incidents");
  });

  test.skipIf(!isThere)(
    "shows a range that is dragged, in whole minutes, with the figures of it",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await openChart(page, `${service.url}/monitors/2?range=7d&location=1`);
      await page.locator(".plot .u-over").first().scrollIntoViewIfNeeded();
      const box = await page.locator(".plot .u-over").first().boundingBox();
      if (box === null) throw new Error("the plot has no size");
      const at = (share: number) => box.x + box.width * share;
      await page.mouse.move(at(0.2), box.y + 50);
      await page.mouse.down();
      await page.mouse.move(at(0.4), box.y + 50, { steps: 4 });
      await page.mouse.up();
      await page.waitForURL(/range=custom/);
      const { searchParams: query } = new URL(page.url());
      expect(query.get("location")).toBe("1");
      for (const end of ["from", "to"])
        expect(query.get(end)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/);
      await page.locator(".plot .u-over").first().waitFor();
      expect(await page.locator(".charts .words").first().innerText()).toMatch(
        /^This range: \d+ passed/,
      );
    },
  );

  test.skipIf(!isThere)("keeps the seconds of a range of less than five minutes", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const range = "range=custom&from=2026-11-22T11:47:00Z&to=2026-11-22T12:00:00Z";
    await openChart(page, `${service.url}/monitors/2?${range}`);
    await page.locator(".plot .u-over").first().scrollIntoViewIfNeeded();
    const box = await page.locator(".plot .u-over").first().boundingBox();
    if (box === null) throw new Error("the plot has no size");
    const at = (share: number) => box.x + box.width * share;
    await page.mouse.move(at(0.4), box.y + 50);
    await page.mouse.down();
    await page.mouse.move(at(0.5), box.y + 50, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL((url) => !decodeURIComponent(url.search).includes("11:47"));
    const { searchParams: query } = new URL(page.url());
    const length = Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "");
    // A tenth of 13 minutes, as near as a point of a screen can say.
    expect(Math.abs(length - 78_000)).toBeLessThan(4_000);
    expect(await page.locator(".own-range summary").innerText()).toMatch(
      /11:52:\d\d to (?:22\sNov, )?11:53:\d\d/,
    );
  });

  test.skipIf(!isThere)(
    "says how a finger reads it, and what it says is above the plot",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({
        hasTouch: true,
        isMobile: true,
        viewport: sizes.phone,
      });
      const page = await context.newPage();
      await openChart(page, `${service.url}/monitors/2?range=24h`);
      expect(await page.locator(".hint").innerText()).toBe(
        "Tap the chart to read it, drag for a range.",
      );
      const over = page.locator(".plot .u-over").first();
      await over.scrollIntoViewIfNeeded();
      await over.tap({ position: { x: 200, y: 60 } });
      await snap(page, "chart-tapped");
      const [card, plot] = [await page.locator(".readout").boundingBox(), await over.boundingBox()];
      if (card === null || plot === null) throw new Error("the card or the plot has no size");
      expect(card.y + card.height).toBeLessThanOrEqual(plot.y);
      expect(card.x).toBeGreaterThanOrEqual(0);
      expect(card.x + card.width).toBeLessThanOrEqual(sizes.phone.width);
      expect(await overhang(page)).toBeLessThanOrEqual(0);
    },
  );

  test.skipIf(!isThere).each([
    [900, "start", "below"],
    [480, "end", "above"],
    [300, "end", "beside"],
  ] as const)(
    "in a window of %i px with the plot at its %s has the card %s what is under the pointer",
    async (height, block, place) => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ viewport: { width: 1280, height } });
      const page = await context.newPage();
      await openChart(page, `${service.url}/monitors/2?range=24h&compare=before`);
      const over = page.locator(".plot .u-over").first();
      await over.evaluate((plot, block) => plot.scrollIntoView({ block }), block);
      const at = { x: 90, y: 60 };
      await over.hover({ position: at });
      const [card, plot] = [await page.locator(".readout").boundingBox(), await over.boundingBox()];
      if (card === null || plot === null) throw new Error("the card or the plot has no size");
      const pointed = plot.x + at.x;
      const isThereNow = {
        below: card.y >= plot.y + plot.height && card.y + card.height <= height,
        above: card.y >= 0 && card.y + card.height <= plot.y,
        beside: card.x > pointed || card.x + card.width < pointed,
      };
      expect(isThereNow[place]).toBe(true);
    },
  );

  test.skipIf(!isThere)("follows a finger", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ hasTouch: true, viewport: sizes.phone });
    const page = await context.newPage();
    await openChart(page, `${service.url}/monitors/2?range=24h`);
    const over = page.locator(".plot .u-over").first();
    await over.scrollIntoViewIfNeeded();
    await over.tap({ position: { x: 60, y: 40 } });
    const first = await readout(page);
    await over.tap({ position: { x: 160, y: 40 } });
    expect(first).toMatch(/Median .*\sms/);
    expect(await readout(page)).not.toBe(first);
  });

  test.skipIf(!isThere)("is a picture, links, a form and lists if no script may run", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/2`);
    expect(await page.locator(".plot svg[role=img]").count()).toBe(2);
    expect(await page.locator(".plot .marked.error title").first().textContent()).toMatch(
      /^Incident/,
    );
    await page.getByText("Custom range").click();
    await page.getByLabel("From (UTC)").fill("2026-11-16T10:00");
    await page.getByLabel("To (UTC)").fill("2026-11-16T14:00");
    await page.getByRole("button", { name: "Show" }).click();
    await page.waitForURL(/from=2026-11-16T10%3A00/);
    expect(await page.locator(".charts .words").first().innerText()).toMatch(
      /^This range: \d+ passed/,
    );
    const choices = (name: string) => page.getByRole("navigation", { name, exact: true });
    await choices("Location").getByRole("link", { name: "Office" }).click();
    await page.getByText("Compare with").click();
    await choices("Compare with").getByRole("link", { name: "Warehouse" }).click();
    expect(page.url()).toContain("compare=");
  });

  test.skipIf(!isThere)(
    "has bars of days that say what happened, by pointer, focus and list",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/2`);
      const bad = page.locator(".day-bars [tabindex]").first();
      await bad.focus();
      expect(await page.locator(".day-bars .tip:visible").innerText()).toMatch(
        /^16\sNov down for .*; Incident \d+$/,
      );
      await page.locator(".day-bars li").nth(-3).hover();
      expect(await page.locator(".day-bars .tip:visible").last().innerText()).toMatch(/checks$/);
      await page.locator(".bad-days a").first().click();
      expect(page.url()).toContain("range=custom");
    },
  );
});
