import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const longName = "Payments of the shop in the north, by card and by invoice, as customers see them";
const longTarget = `https://artefacts.example/${"releases/of/every/branch/".repeat(6)}picket/latest.json`;

/** Three monitors of two teams; the first has a long name, a long target, and more labels than a line shows. */
async function labelledScene() {
  const scene = await operatorScene({ days: 0 });
  for (const [name, url, labels] of [
    [longName, longTarget, { team: "shop", env: "production", a: "1", b: "2", c: "3", d: "4" }],
    ["mail", "https://mail.example/", { team: "office" }],
    ["till", "https://till.example/health", { team: "shop" }],
  ] as const)
    await scene.service.admin.createMonitor(
      { ...httpDefaults, name, url, labels, periodicity: "1m", active: true },
      "management",
    );
  return scene;
}

const names = (page: Page): Promise<readonly string[]> => page.locator(".line h3").allInnerTexts();

test.skipIf(!isThere)(
  "a label of a monitor's line shows the monitors that have it, keeps what else is chosen, and shows all again, without scripts",
  async () => {
    const { service } = await labelledScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=name&state=unknown`);
    expect(await names(page)).toEqual(["mail", longName, "till"]);
    const label = (of: string) =>
      page.locator(".line", { hasText: of }).getByRole("link", { name: "team:shop", exact: true });
    await follow(label("till.example"));
    expect(await names(page)).toEqual([longName, "till"]);
    expect(new URL(page.url()).search).toBe("?state=unknown&label=team%3Ashop&sort=name");
    await page.getByLabel("Select all 2").check();
    expect(await label("till.example").getAttribute("aria-current")).toBe("true");
    await follow(label("till.example"));
    expect(new URL(page.url()).search).toBe("?state=unknown&sort=name");
    // Of more labels than fit, the others are in a title.
    const more = page.locator(".line", { hasText: longName }).getByText("+2", { exact: true });
    expect(await more.getAttribute("title")).toMatch(/^\w:\d, \w:\d$/);
  },
);

test.skipIf(!isThere)(
  "a long name is whole, a long target is cut in its middle, and a selected line is marked: light and dark, on a desk and on a phone",
  async () => {
    const { service } = await labelledScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=name`);
    await page.getByLabel("Select mail").check();
    const line = page.locator(".line", { hasText: longName });
    const target = line.locator(".target");
    expect(await target.getAttribute("title")).toBe(longTarget);
    expect(await target.innerText()).toBe(longTarget.replace("https://", ""));
    // Labels are next to a short name, above its target, and bars are as high as both lines together.
    const short = page.locator(".line", { hasText: "till" });
    const [name, label, about, bar] = await Promise.all(
      ["h3", ".labels", ".target", ".bar svg"].map((part) => short.locator(part).boundingBox()),
    );
    expect(label?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0));
    expect(label?.y).toBeLessThan(about?.y ?? 0);
    expect(bar?.height).toBe(28);
    expect(bar?.y).toBeLessThan(about?.y ?? 0);
    expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeGreaterThan(about?.y ?? 0);
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect(await line.locator("h3 a").innerText()).toBe(longName);
        expect(await line.locator("h3").evaluate((h3) => h3.scrollWidth - h3.clientWidth)).toBe(0);
        expect(await overhang(page)).toBe(0);
        expect(await complaints(page, "all")).toEqual([]);
        await snap(page, `line-about-${colorScheme}-${width}`);
        const grounds = await page
          .locator(".line")
          .evaluateAll((all) =>
            all.map((one) => Reflect.get(globalThis, "getComputedStyle")(one).backgroundColor),
          );
        expect(new Set(grounds).size).toBe(2);
        expect(await target.isVisible()).toBe(width === 1280);
        if (width !== 1280) continue;
        const cut = line.locator(".begins");
        expect(await cut.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
        expect(await target.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
        // It takes the room that there is.
        const [own, room] = await Promise.all([
          target.boundingBox(),
          line.locator(".kind").boundingBox(),
        ]);
        expect(own?.width).toBeGreaterThan((room?.width ?? 0) * 0.8);
      }
  },
);

test.skipIf(!isThere)(
  "a compact line has its target in one piece, all of it in a title, and the whole word of its state",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    for (const name of ["orders", "returns"])
      await service.admin.createMonitor(
        {
          ...httpDefaults,
          name,
          url: `https://shop.internal.example/api/v2/${name}`,
          periodicity: "1m",
          active: true,
        },
        "management",
      );
    await using context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=name&view=compact`);
    const line = page.locator(".line", { hasText: "returns" });
    const target = line.locator(".target");
    expect(await target.innerText()).toBe("shop.internal.example/api/v2/returns");
    expect(await target.getAttribute("title")).toBe("https://shop.internal.example/api/v2/returns");
    const mark = line.locator(".mark");
    await mark.evaluate((one) => one.lastChild?.replaceWith("Recovering"));
    const [high, word] = await mark.evaluate((one) => {
      const range = one.ownerDocument.createRange();
      range.selectNodeContents(one.lastChild ?? one);
      return [range.getClientRects().length, range.toString()];
    });
    expect([high, word]).toEqual([1, "Recovering"]);
  },
);

test.skipIf(!isThere)(
  "a compact line of a monitor from a file is one line high, and its target is cut at its end",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    const targets = ["http://127.0.0.1:25100/api34", "http://127.0.0.1:25100/shop/api/v2/orders"];
    await applyFile(service, {
      owner: "files",
      monitors: targets.map((url, at) => ({
        config: { http: { name: `api ${at}`, url, periodicity: "PERIODICITY_1M" } },
      })),
    });
    await using context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/?sort=name&view=compact`);
    for (const [at, url] of targets.entries()) {
      const line = page.locator(".line", { hasText: `api ${at}` });
      const [cell, target] = [line.locator(".kind"), line.locator(".target")];
      const [row, room, end] = await Promise.all([
        line.boundingBox(),
        cell.boundingBox(),
        target.boundingBox(),
      ]);
      expect(row?.height).toBeLessThanOrEqual(40);
      expect(`http://${await target.innerText()}`).toBe(url);
      expect((end?.x ?? 0) + (end?.width ?? 0)).toBeLessThanOrEqual(
        (room?.x ?? 0) + (room?.width ?? 0),
      );
      expect(await cell.innerText()).not.toContain("http://");
      expect(await line.locator(".chip.files").isVisible()).toBe(false);
      expect(await line.locator(".target").getAttribute("title")).toBe(`${url}, managed by files`);
    }
    await snap(page, "line-about-compact-files");
  },
);
