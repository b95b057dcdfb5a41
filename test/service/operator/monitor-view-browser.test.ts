import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { fileBrowser } from "../../support/file-browser.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const browser = fileBrowser();

test.skipIf(!browser.isThere)(
  "the parts of a monitor's page have one left and one right edge for each of two columns, and one of all on a phone",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const edges = async (path: string, width: number) => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${service.url}${path}`);
      const boxes = await page.locator("main .columns section, main .tiles").all();
      const found = new Set<string>();
      for (const one of boxes) {
        const { x = 0, width: wide = 0 } = (await one.boundingBox()) ?? {};
        found.add(`${x} ${x + wide}`);
      }
      return [...found].map((one) => one.split(" ").map(Number));
    };
    for (const path of ["/monitors/1", "/monitors/2"]) {
      const [whole, wider, other, ...more] = await edges(path, 1_280);
      expect(more).toEqual([]);
      expect([wider?.[0], other?.[1]]).toEqual(whole);
      expect(await edges(path, 390)).toHaveLength(1);
    }
  },
);

test.skipIf(!browser.isThere)(
  "a monitor's acts are in one row, on a phone below the one that stands out, and Copy is in view or in the menu",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const rows = async (width: number): Promise<readonly string[]> => {
      await page.setViewportSize({ width, height: 900 });
      const acts = page.locator(".monitor-head > .acts > *").filter({ visible: true });
      const found = new Map<number, string[]>();
      for (const one of await acts.all()) {
        const { y = 0 } = (await one.boundingBox()) ?? {};
        const words = (await one.innerText()).split("\n")[0] ?? "";
        found.getOrInsertComputed(Math.round(y), () => []).push(words.trim());
      }
      return [...found.values()].map((words) => words.join(", "));
    };
    await page.goto(`${service.url}/monitors/2`);
    const daily = "Check now, Silence, Edit, Pause";
    expect(await rows(1_280)).toEqual([`Acknowledge, ${daily}, Copy, ⋯`]);
    expect(await rows(390)).toEqual(["Acknowledge", `${daily}, ⋯`]);
    const copy = page.getByRole("link", { name: "Copy" });
    expect(await copy.count()).toBe(0);
    await page.locator(".acts-menu > summary").click();
    expect(await copy.getAttribute("href")).toBe("/monitors/2/copy");
    await page.goto(`${service.url}/monitors/1`);
    expect(await rows(390)).toEqual([`${daily}, ⋯`]);
  },
);

test.skipIf(!browser.isThere)(
  "the times below a chart are apart from each other, on a phone, too",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    for (const width of [390, 1_280])
      for (const [from, to] of [
        ["11:40:00", "11:50:00"],
        ["11:40:00", "11:41:00"],
        ["11:00:00", "12:00:00"],
      ]) {
        await page.setViewportSize({ width, height: 900 });
        const day = "2026-11-22T";
        const query = `range=custom&from=${day}${from ?? ""}&to=${day}${to ?? ""}`;
        await page.goto(`${service.url}/monitors/1?${query}`);
        const labels = page.locator("[data-chart] .chart > .tick + text").filter({ visible: true });
        const boxes = await Promise.all((await labels.all()).map((one) => one.boundingBox()));
        expect(boxes.length).toBeGreaterThan(2);
        for (const [index, box] of boxes.entries()) {
          const before = boxes[index - 1];
          const gap = (box?.x ?? 0) - (before?.x ?? -100) - (before?.width ?? 0);
          expect(gap, `${width} px, ${from ?? ""} to ${to ?? ""}`).toBeGreaterThan(4);
        }
      }
  },
);

test.skipIf(!browser.isThere)(
  "no card of a monitor's page is higher than what it says, in each of its states",
  async () => {
    const { service } = await operatorScene();
    const definition = { ...httpDefaults, url: "https://new.test/", periodicity: "30s" };
    const { id } = await service.admin.createMonitor(
      { ...definition, name: "new", active: true },
      "management",
    );
    await service.admin.createPrivateLocation({ name: "Depot", monitorIds: [id], metadata: {} });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    for (const width of [1_280, 1_440])
      for (const path of ["/monitors/1", "/monitors/2", "/monitors/9", `/monitors/${id}`]) {
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`${service.url}${path}`);
        const spare = await page
          .locator(".columns.level > div:not(.whole) > section")
          .evaluateAll((cards) =>
            cards.map((card) => {
              const shown = [...card.children].map((one) => one.getBoundingClientRect().bottom);
              return card.getBoundingClientRect().bottom - Math.max(...shown);
            }),
          );
        expect(spare.length).toBeGreaterThan(3);
        expect(Math.max(...spare), `${path} at ${width}`).toBeLessThan(40);
        // One that was made now has the hours of a day.
        const bars = await page.locator(".day-bars li").count();
        expect(bars === 24, path).toBe(path === `/monitors/${id}`);
      }
  },
);

test("a monitor whose locations never had an agent says so, and leads to the command that starts one", async () => {
  const { service, get } = await operatorScene({ days: 0 });
  const definition = { ...httpDefaults, url: "https://new.test/", periodicity: "30s" };
  const monitors = await Promise.all(
    ["alone", "nowhere"].map((name) =>
      service.admin.createMonitor({ ...definition, name, active: true }, "management"),
    ),
  );
  const [alone = "", nowhere = ""] = monitors.map(({ id }) => id);
  const place = { name: "Depot", monitorIds: [alone], metadata: {} };
  const { id: depot } = await service.admin.createPrivateLocation(place);
  const textOf = async (id: string): Promise<string> =>
    (await (await get(`/monitors/${id}`)).text()).replaceAll(/\s+/g, " ");
  const page = await textOf(alone);
  expect(page).toContain("Nothing checks this monitor yet: no agent has called from Depot.");
  expect(page).toContain(`<a href="/locations/${depot}/start">Start an agent</a>`);
  expect(page).toContain("No check was made yet: no agent runs at its locations.");
  // Not "for 0 s": it has no data yet.
  expect(page.replaceAll(/<[^>]+>/g, "").replaceAll(/\s+/g, " ")).toContain("No data yet");
  expect(page).not.toMatch(/>for <|for 0/);
  const other = await textOf(nowhere);
  expect(other).toContain("Nothing checks this monitor: it has no location.");
  expect(other).not.toContain("no agent");
});
