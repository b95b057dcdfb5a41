import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const group = /^Select 3 monitors: The name server/;

/** What the bar says is selected, as those hear it who cannot see it: a style counts, so no text of the page has it. */
async function counted(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  const texts = nodes.filter(({ role }) => role?.value === "StaticText");
  const words = texts.map(({ name }) => String(name?.value ?? ""));
  const at = words.indexOf(" selected");
  return words.slice(at - 1, at + 1).join("");
}

test.skipIf(!isThere)(
  "the box before a row of one cause selects its monitors, each once, without scripts",
  async () => {
    const { service, get } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const paused = async (): Promise<readonly string[]> => {
      const { monitors } = JSON.parse(await (await get("/overview.json?state=inactive")).text());
      return monitors.map(({ name }: { readonly name: string }) => name);
    };
    const before = await paused();
    await page.goto(service.url);
    const row = page.locator(".cause");
    await row.locator("summary").click();
    const own = await row.locator(".line h3").allInnerTexts();
    expect(own.length).toBe(3);
    await row.locator(".line .pick").first().check();
    await page.getByLabel(group).check();
    // A line of a row that is selected has no choice of its own.
    expect(await row.locator(".line .pick").first().isVisible()).toBe(false);
    expect(await page.getByLabel(group).locator("xpath=ancestor::summary").count()).toBe(0);
    const other = page.locator(".line-head + .watched > .line .pick").first();
    await other.check();
    await page.locator(".many").waitFor();
    await follow(page.getByRole("button", { name: "Pause", exact: true }));
    expect(await page.locator("main [role=status] p").first().innerText()).toMatch(
      /^4 monitors are paused\./,
    );
    expect(await paused()).toEqual(expect.arrayContaining([...before, ...own]));
  },
);

const middle = async (one: Locator): Promise<number> => {
  const { y, height } = (await one.boundingBox()) ?? { y: 0, height: 0 };
  return y + height / 2;
};

test.skipIf(!isThere)(
  "the bar counts the monitors of a row, and its box and those of its lines go together",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(service.url);
    const box = page.getByLabel(group);
    const row = page.locator(".cause");
    const fold = () =>
      page.evaluate<string>(
        'getComputedStyle(document.querySelector(".cause summary > strong"), "::after").content',
      );
    expect(await fold()).toBe('"▸"');
    const lines = row.locator(".line .pick");
    await row.locator("summary").click();
    expect(await fold()).toBe('"▾"');
    // For how long it lasts is in the row, before its monitors.
    await row.locator("summary .why", { hasText: /^For / }).waitFor();
    await lines.first().check();
    expect(await counted(page)).toBe("1 selected");
    await box.check();
    expect(await counted(page)).toBe("3 selected");
    expect(await lines.first().isChecked()).toBe(false);
    await page.locator(".many summary", { hasText: "Silence" }).click();
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
        const mark = page.locator(".cause > details > summary .mark");
        expect(Math.abs((await middle(box)) - (await middle(mark)))).toBeLessThan(3);
        const buttons = [{ hasText: "Silence" }, { hasText: "Label" }].map((one) =>
          page.locator(".many summary", one),
        );
        const [silence = 0, label = 0] = await Promise.all(buttons.map(middle));
        if (width === 1280) expect(silence).toBe(label);
        await snap(page, `many-groups-${colorScheme}-${width}`);
      }
    const all = page.locator(".pick-all .pick");
    await all.check();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    expect(await all.isChecked()).toBe(false);
    expect(
      await lines.evaluateAll((boxes) => boxes.filter((one) => one.matches(":checked"))),
    ).toEqual([]);
  },
);
