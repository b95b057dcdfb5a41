import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

async function apps(count: number): Promise<OperatorScene["service"]> {
  const { service } = await operatorScene({ days: 0 });
  for (const number of Array.from({ length: count }, (_, index) => index + 1)) {
    const name = `app-${String(number).padStart(3, "0")}`;
    const url = `https://${name}.example`;
    const monitor = { ...httpDefaults, name, periodicity: "1m", url, active: true } as const;
    await service.admin.createMonitor(monitor, "management");
  }
  return service;
}

/** Types it, and waits until the list is of it. */
async function search(page: Page, text: string): Promise<void> {
  await page.getByLabel("Search").fill(text);
  const links = text === "" ? '[href="/"]' : `:is([href$="text=${text}"], [href*="text=${text}&"])`;
  await page.locator(`#many a.clear${links}`).waitFor({ state: "attached" });
}

const rows = (page: Page): Promise<readonly string[]> => page.locator(".line h3").allInnerTexts();
const ticked = (page: Page): Promise<number> => page.locator(".line .pick:checked").count();
/** What the bar says next to the number, which a style counts. */
const outside = (page: Page): Promise<string | null> =>
  page.locator(".picked").getAttribute("data-outside");

describe("monitors that are selected while a person searches on", () => {
  test.skipIf(!isThere)(
    "are shown and acted on as far as the search finds them, and are ticked again when it finds the rest",
    async () => {
      const service = await apps(24);
      await using context = await browser.newContext();
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/?view=compact`);
      await search(page, "app-");
      await page.getByLabel("Select all 24").check();
      await page.locator("#many summary", { hasText: "Label" }).click();
      await page.locator("#many input[name=key]").fill("team");
      await search(page, "app-02");
      const found = ["app-020", "app-021", "app-022", "app-023", "app-024"];
      expect(await rows(page)).toEqual(found);
      expect([await ticked(page), await outside(page)]).toEqual([
        5,
        " 19 outside this search are left out",
      ]);
      expect(await page.getByLabel("Select all 5").isChecked()).toBe(true);
      // What was typed in the bar stays.
      expect(await page.locator("#many input[name=key]").inputValue()).toBe("team");
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [1280, 390]) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 844 });
          expect(await complaints(page, "all")).toEqual([]);
          expect(await overhang(page)).toBe(0);
          await snap(page, `many-search-${colorScheme}-${width}`);
        }
      await page.setViewportSize({ width: 1280, height: 844 });
      await search(page, "nothing");
      await search(page, "app-");
      expect([await ticked(page), await outside(page)]).toEqual([24, ""]);
      await search(page, "app-02");
      await page.getByLabel("Select app-020").uncheck();
      await page.keyboard.press("Escape");
      await follow(page.getByRole("button", { name: "Delete", exact: true }));
      expect(await page.locator("h1").innerText()).toBe("Delete 4 monitors?");
      await follow(page.getByRole("link", { name: "Cancel" }));
      expect(new URL(page.url()).searchParams.get("text")).toBe("app-02");
      expect(new URL(page.url()).searchParams.get("view")).toBe("compact");
      expect([await rows(page), await ticked(page)]).toEqual([found, 4]);
    },
  );

  test.skipIf(!isThere)("are cleared in the search that is in the field", async () => {
    const service = await apps(12);
    await using context = await browser.newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(service.url);
    await search(page, "app-");
    await page.getByLabel("Select all 12").check();
    await search(page, "app-01");
    await follow(page.getByRole("link", { name: "Clear" }));
    expect(await page.getByLabel("Search").inputValue()).toBe("app-01");
    expect([await rows(page), await ticked(page)]).toEqual([["app-010", "app-011", "app-012"], 0]);
    await search(page, "app-");
    expect(await ticked(page)).toBe(0);
  });

  test.skipIf(!isThere)(
    "on several pages are all that a narrower search finds, and none of what another one does",
    async () => {
      const service = await apps(102);
      await using context = await browser.newContext();
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select all 102").check();
      await search(page, "app-10");
      expect(await rows(page)).toEqual(["app-100", "app-101", "app-102"]);
      expect([await ticked(page), await page.getByLabel("Select all 3").isChecked()]).toEqual([
        3,
        true,
      ]);
      await search(page, "");
      await page.getByLabel("Select all 102").check();
      await search(page, "app-1");
      await follow(page.getByRole("button", { name: "Delete", exact: true }));
      expect(await page.locator("h1").innerText()).toBe("Delete 3 monitors?");
      await page.goto(service.url);
      await search(page, "app-0");
      await page.goto(`${service.url}/?text=app`);
      await page.getByLabel("Select all 102").check();
      await search(page, "ex");
      expect(await ticked(page)).toBe(0);
    },
  );
});
