import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { complaints, follow, overhang } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

interface PartsFacts {
  height: number;
  hidden: number;
  letters: string;
  broken: string[];
}

/** The least height of the links to the parts, how much of them is out of view, and those whose word is broken. */
const tabsOf = (page: Page): Promise<PartsFacts> =>
  page.locator("nav.parts").evaluate((nav) => ({
    height: Math.min(
      ...[...nav.children].map((link: { getBoundingClientRect: () => { height: number } }) =>
        Math.round(link.getBoundingClientRect().height),
      ),
    ),
    hidden: nav.scrollWidth - nav.clientWidth,
    broken: [...nav.children].flatMap((link: { textContent: string }) => {
      const range = Reflect.get(globalThis, "document").createRange();
      range.selectNodeContents(link);
      const lines = new Set([...range.getClientRects()].map(({ top }) => top));
      return !link.textContent.trim().includes(" ") && lines.size > 1 ? [link.textContent] : [];
    }),
    letters: Reflect.get(globalThis, "getComputedStyle")(nav).fontSize,
  }));

test.skipIf(!isThere)(
  "the parts of the settings and of a status page are in view on a phone, each as high as a finger needs",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    for (const path of ["/settings/keys", "/changes", "/status-pages/1/subscribers"])
      for (const width of [390, 360, 352, 320]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(`${service.url}${path}`);
        const tabs = { height: 44, hidden: 0, letters: "15px", broken: [] };
        expect(await tabsOf(page), `${path} at ${width}`).toEqual(tabs);
        expect(await overhang(page), path).toBe(0);
      }
  },
);

test.skipIf(!isThere)(
  "what a form did has the focus without a ring, and a field that is wrong has one",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext();
    const page = await context.newPage();
    const focused = () =>
      page.evaluate(() => {
        const { activeElement } = Reflect.get(globalThis, "document");
        const { outlineStyle } = Reflect.get(globalThis, "getComputedStyle")(activeElement);
        return `${activeElement.name ?? activeElement.className}: ${outlineStyle}`;
      });
    await page.goto(`${service.url}/channels/new/webhook`);
    await page.getByLabel("URL", { exact: true }).fill("hooks.test");
    await follow(page.getByRole("button", { name: "Create channel" }));
    expect(await focused()).toBe("endpoint: solid");
    await page.getByLabel("URL", { exact: true }).fill("https://hooks.test/planted");
    await follow(page.getByRole("button", { name: "Create channel" }));
    await page.goto(`${service.url}/channels/1?notice=saved`);
    expect(await focused()).toBe("undo: none");
  },
);

test.skipIf(!isThere)(
  "on a phone the name of a setting is in one line, and groups of a form are equally far apart",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/settings/service`);
    expect(await complaints(page, "all")).toEqual([]);
    const lines = await page
      .locator(".settled code")
      .evaluateAll((names) => names.map((name) => name.getClientRects().length));
    expect(new Set(lines)).toEqual(new Set([1]));
    await page.goto(`${service.url}/status-pages/1/look`);
    const gaps = await page.locator(".form[action$=look] .group").evaluateAll((groups) =>
      groups.slice(1).map((group, before) => {
        const above = groups[before]?.getBoundingClientRect().bottom ?? 0;
        return Math.round(group.getBoundingClientRect().top - above);
      }),
    );
    expect(gaps).toEqual([16, 16, 16]);
  },
);

test.skipIf(!isThere)(
  "a page with one form to type in has the cursor in its first field",
  async () => {
    const { service } = await operatorScene({ days: 0 });
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const [path, field] of [
      ["/channels/new", "Paste a URL or an e-mail address, or choose below"],
      ["/settings/people/new?self=1", "Name"],
      ["/settings/keys/new", "Name"],
    ] as const) {
      await page.goto(`${service.url}${path}`);
      const typedIn = page.getByLabel(field, { exact: true }).and(page.locator(":focus"));
      await typedIn.waitFor();
      expect(await typedIn.count(), path).toBe(1);
    }
  },
);
