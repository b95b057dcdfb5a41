import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { complaints, overhang, snap } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { formTokenIn } from "../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** Where the fields and buttons of the search are, in whole pixels. */
async function boxes(page: Page): Promise<ReadonlyMap<string, readonly number[]>> {
  const all = page.locator(".found :is(input[type=search], select, summary, button)");
  const found = new Map<string, readonly number[]>();
  for (const one of await all.all()) {
    const box = await one.boundingBox();
    if (box === null || !(await one.isVisible())) continue;
    const name = (await one.getAttribute("name")) ?? (await one.innerText());
    const { x, y, width, height } = box;
    found.set(name, [x, y, x + width, height].map(Math.round));
  }
  return found;
}

test.skipIf(!isThere)(
  "what is searched by lines up on a phone, and opens below the field without moving it, without scripts",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${service.url}/?label=team:web`);
    const before = await boxes(page);
    expect([...before.keys()]).toEqual(["text", "Filter: 1"]);
    await page.locator("#more-choices > summary").press("Enter");
    const opened = await boxes(page);
    for (const [name, box] of before) expect(opened.get(name)).toEqual(box);
    expect([...opened.keys()]).toEqual([...before.keys(), "location", "label", "sort", "Search"]);
    // Two columns between the same edges, and one height.
    const edges = [...opened.values()].map(([begin = 0, , end = 0, height = 0]) => [
      begin,
      end,
      height,
    ]);
    expect(new Set(edges.map(([, , height]) => height)).size).toBe(1);
    const all = [
      Math.min(...edges.map(([begin = 0]) => begin)),
      Math.max(...edges.map(([, end = 0]) => end)),
    ];
    const row = (...two: readonly string[]) =>
      two.map((name, index) => opened.get(name)?.[index === 0 ? 0 : 2]);
    for (const two of [
      ["text", "Filter: 1"],
      ["location", "label"],
      ["sort", "Search"],
    ])
      expect(row(...two)).toEqual(all);
    expect(opened.get("location")?.[2]).toBe(opened.get("sort")?.[2]);
  },
);

test.skipIf(!isThere)(
  "what is searched by is one row on a desk, and its button is there only if no script acts at once",
  async () => {
    const { service } = await operatorScene();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.setViewportSize({ width: 1280, height: 844 });
      await page.goto(`${service.url}/?label=team:web`);
      if (javaScriptEnabled) await page.locator(".scripted").waitFor();
      const found = await boxes(page);
      const names = ["text", "location", "label", "sort"];
      expect([...found.keys()]).toEqual(javaScriptEnabled ? names : [...names, "Search"]);
      const rows = [...found.values()].map(([, top, , height]) => `${top} ${height}`);
      expect(new Set(rows).size).toBe(1);
      // Choosing is all that it takes.
      if (!javaScriptEnabled) continue;
      await page.getByLabel("Sort by").selectOption("name");
      await page.waitForURL((url) => url.searchParams.get("sort") === "name");
    }
  },
);

/** The generated past, in which nothing is sent about two monitors. */
async function silencedScene() {
  const scene = await operatorScene();
  const { admin, url } = scene.service;
  const { key } = await admin.createApiKey({ name: "plan", scope: "write" });
  const { incidents } = connectManagement(url, key, directWay());
  await incidents.createSilence({ monitorIds: ["1", "2"], until: "2026-11-22T13:15:00Z" });
  return scene;
}

test.skipIf(!isThere)(
  "what is silenced is one press away, by the keyboard alone and without scripts",
  async () => {
    const { service } = await silencedScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(service.url);
    const tile = page.getByRole("link", { name: "Silenced 2" });
    for (const words of ["All 12", "Failing 4", "Degraded 1", "Passing 7"]) {
      await page.getByRole("link", { name: words }).focus();
      await page.keyboard.press("Tab");
    }
    expect(await tile.evaluate((one) => one.matches(":focus"))).toBe(true);
    const loaded = page.waitForEvent("load");
    await page.keyboard.press("Enter");
    await loaded;
    expect(await page.locator(".line h3 a").allInnerTexts()).toEqual(["Billing API", "Shop"]);
    expect(await page.locator(".line .until").count()).toBe(2);
    expect(await tile.getAttribute("aria-current")).toBe("true");
    // The search is among them.
    await page.getByLabel("Search").fill("shop");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("text") === "shop");
    expect(new URL(page.url()).searchParams.get("planned")).toBe("silenced");
    expect(await page.locator(".line h3 a").allInnerTexts()).toEqual(["Shop"]);
  },
);

test.skipIf(!isThere)(
  "the search takes the room that there is, and axe has no complaint: light and dark, on a desk and on a phone",
  async () => {
    const { service } = await silencedScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/?label=team:web`);
    await page.locator("#more-choices").evaluate((one) => one.setAttribute("open", ""));
    for (const colorScheme of ["light", "dark"] as const)
      for (const width of [1280, 700, 390]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 844 });
        const ends = [...(await boxes(page)).values()].map(([, , end = 0]) => end);
        const list = await page.locator(".watched").first().boundingBox();
        expect(Math.max(...ends)).toBe(Math.round((list?.x ?? 0) + (list?.width ?? 0)));
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
        await snap(page, `overview-filters-${colorScheme}-${width}`);
      }
  },
);

test.skipIf(!isThere)("five tiles fill their rows on a phone", async () => {
  const { service, get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/monitors/1")).text());
  await post("/monitors/1/pause", { form });
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(8_000);
  const page = await context.newPage();
  await page.goto(service.url);
  const rows = Map.groupBy(
    await page
      .locator(".choices.found li")
      .evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect()).map(({ top, right }) => ({ top, right })),
      ),
    ({ top }) => top,
  );
  const ends = [...rows.values()].map((row) =>
    Math.round(Math.max(...row.map((one) => one.right))),
  );
  expect([...rows.values()].map((row) => row.length)).toEqual([2, 3]);
  expect(new Set(ends).size).toBe(1);
});

test.skipIf(!isThere)("four tiles, and more, have whole words on a phone", async () => {
  const { service } = await operatorScene();
  await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  context.setDefaultTimeout(8_000);
  const page = await context.newPage();
  for (const [path, perRow] of [
    ["/", [2, 2]],
    ["/?planned=maintenance", [2, 3]],
  ] as const) {
    await page.goto(`${service.url}${path}`);
    const tiles = page.locator(".choices.found li");
    const tops = await tiles.evaluateAll((all) =>
      all.map((one) => one.getBoundingClientRect().top),
    );
    const rows = Map.groupBy(tops, (top) => top);
    expect([...rows.values()].map((row) => row.length)).toEqual(perRow);
    // The word of a tile, which is before its number, is in one piece.
    const lines = await tiles.locator("a").evaluateAll((all) =>
      all.map((one) => {
        const range = Reflect.get(globalThis, "document").createRange();
        range.selectNode(one.firstChild);
        return range.getClientRects().length;
      }),
    );
    expect(new Set(lines)).toEqual(new Set([1]));
  }
});

test("the list names the days of its figures, why a new monitor has no median, and each kind", async () => {
  const { service, get } = await operatorScene();
  await service.admin.createMonitor(
    { ...httpDefaults, name: "new", url: "https://new.test/", periodicity: "30s", active: true },
    "management",
  );
  const page = await (await get("/?text=new")).text();
  expect(page).toMatch(/Uptime 30 d\s*</);
  expect(page).toMatch(/Median 7 d\s*</);
  expect(page).toContain("No check has passed today or on the 7 days before");
  expect(page).toContain('<span class="tag">HTTP</span>');
});
