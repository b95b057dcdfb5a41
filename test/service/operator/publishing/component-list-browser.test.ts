import { expect, test } from "vitest";
import { sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

/* The list of a page's components and groups, as a person sees it. */

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the buttons of all components are below each other and cover no word, on a desk and on a phone",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    for (const size of [sizes.desktop, sizes.phone]) {
      await page.setViewportSize(size);
      const boxes = async (found: string) => {
        const all = await page.locator(found).all();
        return Promise.all(all.map((one) => one.boundingBox()));
      };
      for (const found of [".arrow:not(.arrow ~ .arrow)", ".arrow ~ .arrow", ".moves", ".asked"]) {
        const lefts = (await boxes(`.component .acts ${found}`)).map((box) =>
          Math.round(box?.x ?? 0),
        );
        expect([found, lefts.length, new Set(lefts).size]).toEqual([found, 6, 1]);
      }
      const acts = await boxes(".component > .acts");
      for (const words of [".mark", ".name"])
        for (const [index, box] of (await boxes(`.component > ${words}`)).entries()) {
          const act = acts[index];
          if (box === null || act === null || act === undefined) throw new Error("it is not shown");
          const isBeside =
            box.x + box.width <= act.x ||
            box.y + box.height <= act.y ||
            act.y + act.height <= box.y;
          expect([size.width, words, index, isBeside]).toEqual([size.width, words, index, true]);
        }
    }
  },
);

test.skipIf(!browser.isThere)(
  "a list that begins with a group has the corners of its border there, too",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1`);
    await page.getByRole("button", { name: "Move Shop down" }).click();
    const head = page.locator(".components > :first-child > .group-head");
    await head.waitFor();
    const corners = `(() => { const { borderTopLeftRadius: left, borderTopRightRadius: right } = getComputedStyle(document.querySelector(".components > :first-child > .group-head")); return [left, right]; })()`;
    expect(await page.evaluate(corners)).toEqual(["9px", "9px"]);
  },
);
