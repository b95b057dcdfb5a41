import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byAccount } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;

async function sceneOf(pages: "local" | "signed in" = "local") {
  const scene = await operatorScene({ days: 0, pages });
  for (const name of ["web 1", "web 2", "mail"])
    await scene.service.admin.createMonitor(
      { ...httpDefaults, name, periodicity: "1m", url: "https://shop.example", active: true },
      "management",
    );
  await scene.service.admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} });
  return scene;
}

const press = (page: Page, name: string): Promise<void> =>
  follow(page.getByRole("button", { name, exact: true }));
const said = async (page: Page): Promise<string> =>
  (await page.locator("main [role=status] p, main p[role=status]").innerText()).replaceAll(
    /\s+/g,
    " ",
  );
const silencing = (page: Page) => page.locator(".many summary", { hasText: "Silence" });

test.skipIf(!isThere)(
  "selected monitors are silenced together by one silence, which ends for all of them, without scripts",
  async () => {
    const { service, get } = await sceneOf();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const isSilenced = async (id: number): Promise<boolean> =>
      (await (await get(`/monitors/${id}`)).text()).includes("Silenced for");
    await page.goto(`${service.url}/?text=web`);
    await page.getByLabel("Select web 1").check();
    await page.getByLabel("Select web 2").check();
    await silencing(page).click();
    await page.getByLabel("Reason (optional)").fill("moving racks");
    await page.getByLabel("4 hours").check();
    await press(page, "Silence");
    expect(await said(page)).toBe(
      "2 monitors are silenced. Nothing new is sent until 22 Nov, 16:00:00 UTC. Incidents still open and close.",
    );
    expect(new URL(page.url()).searchParams.get("text")).toBe("web");
    expect(await Promise.all([1, 2, 3].map(isSilenced))).toEqual([true, true, false]);
    await page.goto(`${service.url}/monitors/1`);
    expect(await page.locator(".silenced").innerText()).toContain("moving racks");
    await page.getByRole("button", { name: "End silence of 2 monitors" }).waitFor();
    await page.goBack();
    await press(page, "End silence of 2 monitors");
    expect(await said(page)).toMatch(
      /^The silence is over: what lasts is sent\. You can undo this/,
    );
    expect(await Promise.all([1, 2, 3].map(isSilenced))).toEqual([false, false, false]);
    await page.getByLabel("Select all 2").check();
    await silencing(page).click();
    expect(await page.getByLabel("Number").isVisible()).toBe(false);
    await page.getByLabel("Other…").check();
    await page.getByLabel("Number").fill("3");
    await page.getByLabel("Unit").selectOption("d");
    await press(page, "Silence");
    expect(await said(page)).toContain("2 monitors are silenced. Nothing new is sent until 25");
    // A wrong number that is out of view again is in the way of nothing.
    await page.getByLabel("Select all 2").check();
    await silencing(page).click();
    await page.getByLabel("Other…").check();
    await page.getByLabel("Number").fill("0");
    await page.getByLabel("1 hour").check();
    await press(page, "Silence");
    expect(await said(page)).toContain("Nothing new is sent until 22 Nov, 13:00:00 UTC");
  },
);

test.skipIf(!isThere)(
  "a responder selects monitors and silences them, is offered nothing else, and Enter does nothing",
  async () => {
    const scene = await sceneOf("signed in");
    const { cookie } = await byAccount(scene, "ann@example.com", "responder");
    const [name = "", value = ""] = cookie.split("=");
    await using context = await browser.newContext();
    await context.addCookies([{ name, value, url: scene.service.url }]);
    const page = await context.newPage();
    await page.goto(scene.service.url);
    await page.getByLabel("Select web 1").check();
    const offered = page.locator(".many").locator(":is(button, summary):visible");
    expect(await offered.allInnerTexts()).toEqual(["Silence"]);
    const loaded = page.waitForEvent("load");
    await page.getByLabel("Select web 1").press("Enter");
    await loaded;
    expect(await said(page)).toMatch(/^Nothing is done yet/);
    await page.goto(scene.service.url);
    await page.getByLabel("Select web 1").check();
    await silencing(page).click();
    for (const colorScheme of ["light", "dark"] as const)
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height });
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
        await snap(page, `many-silence-responder-${colorScheme}-${width}`);
      }
    await page.getByLabel("30 min").check();
    await press(page, "Silence");
    expect(await said(page)).toMatch(/^1 monitor is silenced\./);
    await press(page, "End silence");
    expect(await said(page)).toMatch(
      /^The silence is over: what lasts is sent\. You can undo this/,
    );
  },
);

test.skipIf(!isThere)(
  "a number that no silence has is said at its field, where the selection and the reason still are, without scripts",
  async () => {
    const { service } = await sceneOf();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/?text=web`);
    await page.getByLabel("Select web 2").check();
    await silencing(page).click();
    await page.getByLabel("Other…").check();
    await page.getByLabel("Number").fill("1000");
    await page.getByLabel("Unit").selectOption("m");
    await page.getByLabel("Reason (optional)").fill("moving racks");
    await press(page, "Silence");
    const wrong = page.getByText("Number must be a whole number from 1 to 999.");
    expect(await wrong.isVisible()).toBe(true);
    expect(await page.getByLabel("Select web 2").isChecked()).toBe(true);
    expect(await page.getByLabel("Select web 1").isChecked()).toBe(false);
    expect(await page.getByLabel("Select mail").count()).toBe(0);
    expect(await page.getByLabel("Reason (optional)").inputValue()).toBe("moving racks");
    await page.getByLabel("Number").fill("90");
    await press(page, "Silence");
    expect(await said(page)).toContain("1 monitor is silenced. Nothing new is sent until 22 Nov");
  },
);

test.skipIf(!isThere)(
  "a refused number has the cursor, in the panel that stays open, on the list and on a monitor's page",
  async () => {
    const { service } = await sceneOf();
    await using context = await browser.newContext();
    const page = await context.newPage();
    for (const path of ["/", "/monitors/1"]) {
      await page.goto(`${service.url}${path}`);
      if (path === "/") await page.getByLabel("Select all 3").check();
      const panel = page.locator("details", { has: page.getByLabel("Reason (optional)") });
      await panel.locator("summary").click();
      await page.getByLabel("Other…").check();
      await page.getByLabel("Number").fill("0");
      await press(page, "Silence");
      expect(await page.locator("input[name=count]:focus").inputValue()).toBe("0");
      // The field has the ring of the focus, and its label none around both.
      const outline = await page
        .locator(".own-length label")
        .first()
        .evaluate((label) => Reflect.get(globalThis, "getComputedStyle")(label).outlineStyle);
      expect(outline).toBe("none");
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          expect(await complaints(page, "all")).toEqual([]);
          expect(await overhang(page)).toBe(0);
          await snap(
            page,
            `silence-refused-${path === "/" ? "many" : "one"}-${colorScheme}-${width}`,
          );
        }
    }
  },
);

test.skipIf(!isThere)(
  "Enter in the panel of a silence silences what is selected; without scripts it keeps what was typed",
  async () => {
    const { service } = await sceneOf();
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({ javaScriptEnabled });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      for (const field of ["Reason (optional)", "Number"]) {
        await page.goto(service.url);
        await page.getByLabel("Select web 1").check();
        await silencing(page).click();
        await page.getByLabel("Other…").check();
        await page.getByLabel("Number").fill("3");
        await page.getByLabel("Reason (optional)").fill("moving racks");
        const loaded = page.waitForEvent("load");
        await page.getByLabel(field).press("Enter");
        await loaded;
        if (javaScriptEnabled) {
          expect(await said(page)).toMatch(/^1 monitor is silenced\./);
          continue;
        }
        expect(await said(page)).toMatch(/^Nothing is done yet/);
        expect(await page.getByLabel("Select web 1").isChecked()).toBe(true);
        expect(await page.getByLabel("Number").inputValue()).toBe("3");
        expect(await page.getByLabel("Reason (optional)").inputValue()).toBe("moving racks");
      }
    }
  },
);
