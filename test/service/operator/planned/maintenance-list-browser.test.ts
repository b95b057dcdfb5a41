import { expect, test } from "vitest";
import { complaints, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const browser = fileBrowser();

/** A service with work that is under way, planned and past, and a silence of one monitor. */
async function sceneWithWork() {
  const scene = await operatorScene();
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const work = { form, time_zone: "UTC", repeat: "once", monitor_ids: "2" };
  for (const [title, from, to] of [
    ["Later", "2026-11-26T22:00", "2026-11-26T23:00"],
    ["Sooner", "2026-11-24T22:00", "2026-11-24T23:00"],
    ["Under way", "2026-11-22T11:30", "2026-11-22T14:00"],
    ["Over", "2026-11-20T11:30", "2026-11-20T14:00"],
  ] as const) {
    const sent = { ...work, title, from, to };
    const asked = await (await scene.post("/maintenances/new", sent)).text();
    // What is over before it is planned is asked about.
    const [, known] = /name="known" value="([^"]+)"/.exec(asked) ?? [];
    if (known !== undefined) await scene.post("/maintenances/new", { ...sent, known });
  }
  await scene.post("/monitors/1/silence", { form, length: "1h", reason: "moving racks" });
  return scene;
}

test.skipIf(!browser.isThere)(
  "what is now, planned and past is apart, and a silence is extended and ended by the keyboard, with a script and without",
  async () => {
    for (const javaScriptEnabled of [true, false]) {
      const { service } = await sceneWithWork();
      await using context = await browser.newContext({ javaScriptEnabled });
      context.setDefaultTimeout(8_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/maintenances`);
      const titles = (section: string) =>
        page.locator(`section[aria-labelledby="${section}"] h3`).allInnerTexts();
      const sections = () => Promise.all(["now", "planned", "past"].map(titles));
      expect(await sections()).toEqual([
        ["Under way", "Silence by a person on this machine"],
        ["Sooner", "Later"],
        ["Over"],
      ]);
      const silence = page.locator("li", { hasText: "moving racks" });
      expect(await silence.locator(".when p").first().innerText()).toBe("1\u00a0h left");
      expect(await silence.getByRole("link", { name: "Shop" }).getAttribute("href")).toBe(
        "/monitors/1",
      );
      const press = async (name: string): Promise<void> => {
        const loaded = page.waitForEvent("load");
        await page.getByRole("button", { name }).press("Enter");
        await loaded;
      };
      await page.getByLabel("Extend silence of Shop by").selectOption("4 hours");
      await press("Extend: silence of Shop");
      expect(await page.locator("main .undo").innerText()).toContain("Extended");
      expect(await silence.locator(".when p").first().innerText()).toBe("5\u00a0h left");
      await press("Extend: Under way");
      const work = page.locator("li", { has: page.getByRole("heading", { name: "Under way" }) });
      expect(await work.locator(".when p").first().innerText()).toBe(
        "3\u00a0h left of 3\u00a0h\u00a030\u00a0min",
      );
      await press("End now: silence of Shop");
      await press("End now: Under way");
      expect(await sections()).toEqual([[], ["Sooner", "Later"], ["Under way", "Over"]]);
      // Said once.
      const said = await page.locator("main").innerText();
      expect(said.match(/Nothing is under way/g)).toHaveLength(1);
    }
  },
);

test.skipIf(!browser.isThere)(
  "the list and the page of one are right for axe and fit, wide and narrow",
  async () => {
    const { service } = await sceneWithWork();
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await using context = await browser.newContext({
          colorScheme,
          viewport: { width, height },
        });
        context.setDefaultTimeout(8_000);
        const page = await context.newPage();
        for (const [path, name] of [
          ["/maintenances", "maintenances"],
          ["/maintenances/3", "maintenance-under-way"],
        ] as const) {
          await page.goto(`${service.url}${path}`);
          expect(await complaints(page, "all")).toEqual([]);
          expect(await overhang(page)).toBe(0);
          await snap(page, `${name}-${colorScheme}-${width}`);
        }
      }
  },
);
