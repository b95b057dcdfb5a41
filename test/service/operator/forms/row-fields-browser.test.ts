import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Presses each button that adds a row, one after the other. */
async function addRows(page: Page): Promise<number> {
  const buttons = page.locator('button[name="row"][value^="add "]');
  const count = await buttons.count();
  for (let index = 0; index < count; index++) {
    const button = buttons.nth(index);
    await button.evaluate((one) => one.closest("details")?.setAttribute("open", ""));
    const rows = await page.locator(".form .row").count();
    await button.click();
    await page.locator(".form .row").nth(rows).waitFor({ state: "attached" });
  }
  return count;
}

/** Fields and buttons of one row that overlap, by the names of both. */
const overlaps = (page: Page): Promise<readonly string[]> =>
  page.locator(".form .row").evaluateAll((rows) =>
    rows.flatMap((row) => {
      const all = [...row.querySelectorAll("input:not([type=hidden]), select, textarea, button")];
      const boxes = all.map((one) => one.getBoundingClientRect());
      return all.flatMap((one, index) =>
        all.slice(index + 1).flatMap((other, step) => {
          const [a, b] = [boxes[index], boxes[index + 1 + step]];
          if (a === undefined || b === undefined) return [];
          const isApart =
            a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
          return isApart ? [] : [`${one.id} ${other.id}`];
        }),
      );
    }),
  );

describe("the rows of rules in a monitor's form", () => {
  for (const [kind, count] of [
    ["http", 5],
    ["dns", 1],
    ["icmp", 2],
    ["grpc", 1],
  ] as const)
    test.skipIf(!isThere)(`no two fields of a row of ${kind} overlap`, async () => {
      const { service } = await operatorScene({ days: 0 });
      await using context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/new?kind=${kind}`);
      expect(await addRows(page)).toBeGreaterThanOrEqual(count);
      for (const width of [1_280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await overlaps(page)).toEqual([]);
      }
    });
  test.skipIf(!isThere)("a rule that is added begins at what is compared", async () => {
    const { service } = await operatorScene({ days: 0 });
    const page = await browser.sharedPage();
    await page.goto(`${service.url}/monitors/new`);
    const add = page.locator('button[value="add status_code_assertions"]');
    await add.evaluate((one) => one.closest("details")?.setAttribute("open", ""));
    await add.click();
    await page.locator('[name="status_code_assertions[0].target"]:focus').waitFor();
    expect(await page.locator(":focus").getAttribute("name")).toBe(
      "status_code_assertions[0].target",
    );
  });
});
