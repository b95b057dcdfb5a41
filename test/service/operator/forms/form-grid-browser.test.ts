import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openAll } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Fields whose labels are on one line, and the lines in their order. */
async function lines(page: Page, labels: readonly string[]): Promise<readonly string[]> {
  const tops = new Map<number, readonly string[]>();
  for (const label of labels) {
    const { y = -1 } = (await page.getByText(label, { exact: true }).first().boundingBox()) ?? {};
    const top = Math.round(y);
    tops.set(top, [...(tops.get(top) ?? []), label]);
  }
  return [...tops].toSorted(([a], [b]) => a - b).map(([, one]) => one.join(" | "));
}

const bar = (page: Page): Locator => page.locator(".actions.stays .buttons");

/** Fields that are under the bar while the cursor is in them. */
async function covered(page: Page): Promise<readonly string[]> {
  const found: string[] = [];
  for (const field of await page.locator(".form .group :is(input, select, textarea)").all()) {
    if (!(await field.isVisible()) || !(await field.isEnabled())) continue;
    await field.focus();
    const { y = 0, height = 0 } = (await field.boundingBox()) ?? {};
    const { y: top = 0 } = (await bar(page).boundingBox()) ?? {};
    if (y + height > top) found.push((await field.getAttribute("name")) ?? "");
  }
  return found;
}

test.skipIf(!isThere)(
  "short fields of a group are next to each other on a desk, and a method and its URL also on a phone",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/1/edit`);
    await openAll(page);
    const alerting = [
      "Failed checks in a row",
      "Slow checks in a row",
      "Good checks in a row",
      "Locations that agree",
      "Severity",
    ];
    expect(await lines(page, ["Method", "URL"])).toEqual(["Method | URL"]);
    expect(await lines(page, ["Name", "Interval"])).toEqual(["Name | Interval"]);
    expect(await lines(page, ["Timeout", "Retries"])).toEqual(["Timeout | Retries"]);
    expect(await lines(page, alerting)).toEqual([
      "Failed checks in a row | Slow checks in a row | Good checks in a row",
      "Locations that agree | Severity",
    ]);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await lines(page, ["Method", "URL"])).toEqual(["Method | URL"]);
    expect(await lines(page, ["Timeout", "Retries"])).toHaveLength(2);
    await page.goto(`${service.url}/channels/new/slack`);
    await page.setViewportSize({ width: 1280, height: 900 });
    const times = ["Quiet hours", "Time zone", "Wait before the first message", "Repeat every"];
    expect(await lines(page, times)).toEqual([
      "Quiet hours | Time zone",
      "Wait before the first message | Repeat every",
    ]);
  },
);

test.skipIf(!isThere)(
  "the bar of the main button covers no field with the cursor in it, and casts no shadow at the end of the form",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1280, height: 700 } });
    const page = await context.newPage();
    const shadow = () =>
      bar(page).evaluate((one) => Reflect.get(globalThis, "getComputedStyle")(one).boxShadow);
    for (const path of ["/monitors/1/edit", "/channels/new/webhook", "/locations/new"]) {
      await page.goto(`${service.url}${path}`);
      await openAll(page);
      expect([path, await covered(page)]).toEqual([path, []]);
    }
    await page.goto(`${service.url}/monitors/1/edit`);
    await expect.poll(shadow).not.toBe("none");
    await page.locator("footer").scrollIntoViewIfNeeded();
    await expect.poll(shadow).toBe("none");
  },
);
