import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { minutes } from "#base/units";
import { httpDefaults } from "#check/definition";
import { complaints, follow, overhang, snap } from "../../../support/browser.ts";
import { applyFile } from "../../../support/applied-file.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** A service with monitors of these names and no others. */
async function monitorsNamed(names: readonly string[]): Promise<OperatorScene> {
  const scene = await operatorScene({ days: 0 });
  for (const name of names) await addMonitor(scene.service, name);
  await scene.service.admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} });
  return scene;
}

const monitorNamed = (name: string) => {
  const url = `https://${name.replace(" ", "-")}.example`;
  return { ...httpDefaults, name, periodicity: "1m", url, active: true } as const;
};
const addMonitor = ({ admin }: OperatorScene["service"], name: string) =>
  admin.createMonitor(monitorNamed(name), "management");

const names = (page: Page): Promise<readonly string[]> => page.locator(".line h3").allInnerTexts();
const press = (page: Page, name: string): Promise<void> =>
  follow(page.getByRole("button", { name, exact: true }));
const said = (page: Page): Promise<string> =>
  page.locator("main [role=status] p, main p[role=status]").innerText();

describe("the monitors of the overview", () => {
  test.skipIf(!isThere)(
    "have their acts in two rows on a phone, each high enough for a finger",
    async () => {
      // It has monitors that fail, so there is also something to acknowledge.
      const { service } = await operatorScene();
      await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select Intranet", { exact: true }).check();
      const acts = page.locator(".many .bar").locator("button:visible, summary:visible");
      const boxes = await Promise.all((await acts.all()).map((one) => one.boundingBox()));
      expect(boxes.length).toBe(7);
      expect(new Set(boxes.map((box) => box?.y)).size).toBe(2);
      expect(Math.min(...boxes.map((box) => box?.height ?? 0))).toBeGreaterThanOrEqual(44);
    },
  );

  test.skipIf(!isThere)(
    "are sorted as people count, selected, and paused, labelled, assigned and deleted together, without scripts",
    async () => {
      const { service, get } = await monitorsNamed(["web 10", "web 2", "web 1", "mail"]);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(service.url);
      expect(await names(page)).toEqual(["mail", "web 1", "web 2", "web 10"]);
      const monitors = async (): Promise<Record<string, { status: string; labels: object }>> => {
        const { monitors: all } = JSON.parse(await (await get("/overview.json")).text());
        return Object.fromEntries(all.map((one: { name: string }) => [one.name, one]));
      };
      const select = async (...some: readonly string[]) => {
        for (const name of some) await page.getByLabel(`Select ${name}`, { exact: true }).check();
      };
      await select("web 1", "web 10");
      await press(page, "Pause");
      expect(await said(page)).toContain("2 monitors are paused.");
      expect((await monitors())["web 10"]?.status).toBe("inactive");
      await select("web 1", "web 10");
      await press(page, "Resume");
      expect((await monitors())["web 10"]?.status).toBe("unknown");
      await follow(page.getByRole("link", { name: "Clear" }));
      expect(await page.locator(".pick:checked").count()).toBe(0);
      await select("web 2");
      await page.locator(".many summary", { hasText: "Label" }).click();
      await page.locator(".many").getByLabel("Label", { exact: true }).fill("team");
      await page.getByLabel("Value", { exact: true }).fill("shop");
      await press(page, "Add label");
      expect((await monitors())["web 2"]?.labels).toEqual({ team: "shop" });
      await page.getByLabel("Search").fill("team:shop");
      await press(page, "Search");
      expect(await names(page)).toEqual(["web 2"]);
      await page.getByLabel("Select all 1").check();
      await page.locator(".many summary", { hasText: "Location" }).click();
      await press(page, "Assign");
      expect(await said(page)).toContain("1 monitor is assigned to the location.");
      expect(new URL(page.url()).searchParams.get("text")).toBe("team:shop");
      await page.goto(service.url);
      await select("mail", "web 2");
      await press(page, "Delete");
      expect(await page.locator("h1").innerText()).toBe("Delete 2 monitors?");
      await press(page, "Delete 2 monitors");
      expect(await names(page)).toEqual(["web 1", "web 10"]);
      await press(page, "Undo");
      expect(await said(page)).toBe("2 monitors are restored.");
      const close = page.getByRole("link", { name: "Close" });
      expect(await close.getAttribute("href")).not.toContain("restored");
      expect(await page.locator(".line .pick:checked").count()).toBe(2);
      await follow(page.getByRole("link", { name: "Clear" }));
      expect(await names(page)).toEqual(["mail", "web 1", "web 2", "web 10"]);
      // Nothing is selected, so nothing is offered; a browser that cannot hide it is answered.
      expect(await page.getByRole("button", { name: "Pause" }).isVisible()).toBe(false);
      await page.locator("button[value=pause]").dispatchEvent("click");
      await page.getByText("Nothing is selected: tick the boxes of monitors first.").waitFor();
    },
  );

  test.skipIf(!isThere)(
    "are found as a person types, and a click with Shift selects many",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2", "web 3", "mail"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Search").pressSequentially("web");
      await page.getByLabel("Select mail").waitFor({ state: "detached" });
      expect(await names(page)).toEqual(["web 1", "web 2", "web 3"]);
      expect(new URL(page.url()).searchParams.get("text")).toBe("web");
      await page.getByLabel("Sort by").selectOption("latency");
      await page.waitForURL((url) => url.searchParams.get("sort") === "latency");
      await page.getByLabel("Select web 1").check();
      await page.getByLabel("Select web 3").click({ modifiers: ["Shift"] });
      expect(await page.locator(".line .pick:checked").count()).toBe(3);
      // Each is ticked, so the box of all is.
      const box = page.getByLabel("Select all 3");
      const isPartly = () => box.evaluate((one) => Reflect.get(one, "indeterminate"));
      expect([await box.isChecked(), await isPartly()]).toEqual([true, false]);
      expect(await page.locator(".picked").getAttribute("data-found")).toBe("3");
      await page.getByLabel("Select web 2").uncheck();
      expect([await box.isChecked(), await isPartly()]).toEqual([false, true]);
      await page.getByLabel("Select web 2").check();
      expect([await box.isChecked(), await isPartly()]).toEqual([true, false]);
      for (const [width, height] of [
        [1280, 900],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await complaints(page, "all")).toEqual([]);
        expect(await overhang(page)).toBe(0);
      }
      await press(page, "Pause");
      expect(await said(page)).toContain("3 monitors are paused.");
    },
  );

  test.skipIf(!isThere)(
    "stay selected after an act, also those that the page no longer shows, without scripts",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2", "web 3", "mail"]);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const ticked = () =>
        page
          .locator(".pick:checked")
          .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? one.id));
      await page.goto(`${service.url}/?state=unknown`);
      for (const name of ["web 1", "web 3"]) await page.getByLabel(`Select ${name}`).check();
      await page.locator(".many summary", { hasText: "Location" }).click();
      await press(page, "Assign");
      expect(await ticked()).toEqual(["Select web 1", "Select web 3"]);
      await press(page, "Pause");
      expect(await names(page)).toEqual(["mail", "web 2"]);
      expect(await ticked()).toEqual(["Select 2 monitors: not on this page"]);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 844 });
          expect(await overhang(page)).toBe(0);
          await snap(page, `many-unshown-${colorScheme}-${width}`);
        }
      }
      await press(page, "Resume");
      expect(await said(page)).toMatch(/^2 monitors are resumed\./);
      expect(await ticked()).toEqual(["Select web 1", "Select web 3"]);
      await page.locator("#m1 .pick").press("Enter");
      await page.getByText("Nothing is done yet").waitFor();
      expect(await ticked()).toEqual(["Select web 1", "Select web 3"]);
      // All that a search finds stay selected as long as it finds the same.
      await page.goto(`${service.url}/?text=web`);
      await page.getByLabel("Select all 3").check();
      await page.locator(".many summary", { hasText: "Silence" }).click();
      await press(page, "Silence");
      expect(await page.getByLabel("Select all 3").isChecked()).toBe(true);
      expect((await ticked()).length).toBe(4);
      await page.goto(`${service.url}/?state=unknown`);
      await page.getByLabel("Select all 4").check();
      await press(page, "Pause");
      expect(await ticked()).toEqual([]);
      // What is deleted is not selected.
      await page.goto(service.url);
      await page.getByLabel("Select web 1").check();
      await press(page, "Delete");
      await press(page, "Delete 1 monitor");
      expect(await ticked()).toEqual([]);
    },
  );

  test.skipIf(!isThere)(
    "that are selected after an act stay so while a person searches on",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2", "mail"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select web 2").check();
      await press(page, "Pause");
      expect(await page.getByLabel("Select web 2").isChecked()).toBe(true);
      expect(await complaints(page, "all")).toEqual([]);
      await page.getByLabel("Search").pressSequentially("web");
      await page.getByLabel("Select mail").waitFor({ state: "detached" });
      expect(await page.getByLabel("Select web 2").isChecked()).toBe(true);
      await press(page, "Resume");
      expect(await said(page)).toMatch(/^1 monitor is resumed\./);
    },
  );

  test.skipIf(!isThere)(
    "are as before after one button, in the same search, whatever was done with them, without scripts",
    async () => {
      const { service, get, clock } = await monitorsNamed(["web 1", "web 2", "web 3", "mail"]);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const now = async (): Promise<string> => {
        const overview = await (await get("/overview.json")).text();
        const { monitors } = JSON.parse(await (await get("/locations/1.json")).text());
        return JSON.stringify([JSON.parse(overview).monitors, monitors], (key, value) =>
          key === "since" ? null : value,
        );
      };
      await page.goto(service.url);
      await page.getByLabel("Select web 2", { exact: true }).check();
      await page.locator(".many summary", { hasText: "Label" }).click();
      await page.locator(".many").getByLabel("Label", { exact: true }).fill("team");
      await page.getByLabel("Value", { exact: true }).fill("shop");
      await press(page, "Add label");
      await page.goto(service.url);
      await page.getByLabel("Select web 3", { exact: true }).check();
      await press(page, "Pause");
      await page.goto(service.url);
      await page.getByLabel("Select web 1", { exact: true }).check();
      await page.locator(".many summary", { hasText: "Location" }).click();
      await press(page, "Assign");
      const acts: readonly (readonly [button: string, done: string, folder: string])[] = [
        ["Pause", "paused", ""],
        ["Resume", "resumed", ""],
        ["Add label", "labelled", "Label"],
        ["Remove label", "without the label", "Label"],
        ["Assign", "assigned to the location", "Location"],
        ["Unassign", "taken from the location", "Location"],
      ];
      for (const [button, done, folder] of acts) {
        await page.goto(`${service.url}/?text=web`);
        const before = await now();
        await page.getByLabel("Select all 3").check();
        if (folder !== "") await page.locator(".many summary", { hasText: folder }).click();
        if (folder === "Label") {
          await page.locator(".many").getByLabel("Label", { exact: true }).fill("team");
          await page.getByLabel("Value", { exact: true }).fill("ops");
        }
        await press(page, button);
        expect(await said(page)).toBe(
          `3 monitors are ${done}. You can undo this until 12:10:00 UTC.`,
        );
        expect(await now()).not.toBe(before);
        await press(page, "Undo");
        const undone = await said(page);
        expect(undone).toMatch(/^Undone: \d monitors? (is|are) as before\.$/);
        const changed = Number(/\d/.exec(undone)?.[0]);
        expect(await now()).toBe(before);
        expect(new URL(page.url()).searchParams.get("text")).toBe("web");
        // For another act.
        expect(await page.locator(".line .pick:checked").count()).toBe(changed);
        // Once.
        await page.goBack();
        await page.goto(page.url());
        expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
      }
      await page.getByLabel("Select all 3").check();
      await press(page, "Pause");
      clock.suspend(minutes(10));
      await press(page, "Undo");
      expect(await said(page)).toContain("It can no longer be undone");
    },
  );

  test.skipIf(!isThere)(
    "are readable with the offer to undo, and if those of files are all that is selected, in both looks at each width",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2"]);
      await applyFile(service, {
        owner: "shop",
        monitors: ["till", "a till with a name that is much longer than a phone is wide"].map(
          (name) => ({
            config: { http: { name, url: "https://till.example/", periodicity: "PERIODICITY_1M" } },
          }),
        ),
      });
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select web 1").check();
      await press(page, "Pause");
      await page.getByRole("button", { name: "Undo" }).waitFor();
      expect(await page.locator(".chip.files").allInnerTexts()).toEqual([
        "from files",
        "from files",
      ]);
      await page.getByLabel("Select till, managed by the files of shop").check();
      const pause = page.getByRole("button", { name: "Pause" });
      await page.locator(".files-note > summary").click();
      expect(await page.getByText("leave those from files as they are").isVisible()).toBe(true);
      expect(await pause.isEnabled()).toBe(true);
      await snap(page, "many-some-of-files");
      await page.getByLabel("Select web 1").uncheck();
      await page.locator(".files-note > summary").click();
      expect(await page.getByText("leave those from files as they are").isVisible()).toBe(false);
      expect(await page.getByText("Files manage what you selected").isVisible()).toBe(true);
      expect(await page.locator(".files-note code").allInnerTexts()).toEqual([
        "picket import monitor till --release --from shop",
      ]);
      expect(await pause.isEnabled()).toBe(false);
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          expect(await complaints(page, "all")).toEqual([]);
          expect(await overhang(page)).toBe(0);
          await snap(page, `many-undo-${colorScheme}-${width}`);
        }
    },
  );

  test.skipIf(!isThere)(
    "of files are selected to be silenced, stay as they are otherwise, and the bar says that before, without scripts",
    async () => {
      const { service } = await monitorsNamed(["web 1"]);
      const target = { url: "https://till.example/", periodicity: "PERIODICITY_1M" };
      await applyFile(service, {
        owner: "shop",
        monitors: ["till 1", "till 2"].map((name) => ({ config: { http: { name, ...target } } })),
      });
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const warned = () => page.getByText("Files manage what you selected").isVisible();
      const select = (name: string) => page.getByLabel(`Select ${name}`).check();
      const words = async () => (await said(page)).replaceAll(/\s+/g, " ");
      await page.goto(service.url);
      expect(await page.locator(".files-note").isVisible()).toBe(false);
      await select("till 1");
      await page.locator(".files-note > summary").click();
      expect(await warned()).toBe(true);
      await select("web 1");
      expect(await warned()).toBe(false);
      expect(await page.getByText("leave those from files as they are").isVisible()).toBe(true);
      await press(page, "Delete");
      expect(await page.locator("h1").innerText()).toBe("Delete 1 monitor?");
      expect(await page.textContent("main")).toMatch(
        /1 monitor from files\s+stays as it is: till 1\. Change\s+it in the files\./,
      );
      await page.goto(service.url);
      await select("web 1");
      await select("till 1");
      await press(page, "Pause");
      expect(await words()).toMatch(
        /^1 monitor is paused\. 1 monitor from files stays as it was: change it in the files\. First of them: till 1\./,
      );
      await page.goto(`${service.url}/?text=till`);
      await select("all 2");
      await page.locator(".files-note > summary").click();
      expect(await warned()).toBe(true);
      await press(page, "Pause");
      expect(await words()).toBe(
        "Nothing is changed: files manage all 2 monitors that you selected. Change them in the files, or acknowledge or silence them here.",
      );
      expect(await page.getByLabel("Select all 2").isChecked()).toBe(true);
      await page.locator(".many summary", { hasText: "Silence" }).click();
      await press(page, "Silence");
      expect(await words()).toMatch(/^2 monitors are silenced\./);
    },
  );

  test.skipIf(!isThere)(
    "are asked about before an act if the search finds others than the page showed, without scripts",
    async () => {
      const { service, get } = await monitorsNamed(["web 1", "web 2"]);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const asked = () => page.locator("main [role=alert]").innerText();
      await page.goto(`${service.url}/?text=web`);
      await page.getByLabel("Select all 2").check();
      await addMonitor(service, "web 3");
      await page.locator(".many summary", { hasText: "Silence" }).click();
      await page.getByLabel("Reason (optional)").fill("moving racks");
      await press(page, "Silence");
      expect(await page.locator("h1").innerText()).toBe("Silence 3 monitors?");
      expect(await asked()).toBe(
        "Nothing is done yet: the search finds 3 monitors, and 2 were on your page.",
      );
      expect(await page.locator("main li").allInnerTexts()).toEqual(["web 1", "web 2", "web 3"]);
      // What is named is meant, whatever the search finds by then.
      await addMonitor(service, "web 4");
      await press(page, "Silence 3 monitors");
      expect(await said(page)).toMatch(/^3 monitors are silenced\./);
      const silenced = await (await get("/maintenances")).text();
      expect(silenced).toMatch(/>web 1<.*>web 2<.*>web 3</s);
      expect(silenced).toContain("moving racks");
      await page.getByLabel("Select all 4").check();
      await service.admin.updateMonitor("4", monitorNamed("mail"), "management");
      await addMonitor(service, "web 5");
      await press(page, "Pause");
      expect(await asked()).toContain("the search finds other monitors than on your page");
      await press(page, "Pause 4 monitors");
      expect(await said(page)).toMatch(/^4 monitors are paused\./);
      expect(new URL(page.url()).searchParams.get("text")).toBe("web");
    },
  );

  test.skipIf(!isThere)(
    "that a person clears after an act stay cleared, though the page renews itself",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      for (const name of ["web 1", "web 2"]) await page.getByLabel(`Select ${name}`).check();
      await press(page, "Pause");
      await page.getByLabel("Select web 2").uncheck();
      // The address of the act said what stays selected.
      expect(new URL(page.url()).searchParams.has("picked")).toBe(false);
      await addMonitor(service, "web 3");
      await page.evaluate(() =>
        Reflect.get(globalThis, "document").dispatchEvent(new Event("visibilitychange")),
      );
      await page.getByLabel("Select all 3").waitFor();
      expect(await page.getByLabel("Select web 1").isChecked()).toBe(true);
      expect(await page.getByLabel("Select web 2").isChecked()).toBe(false);
    },
  );

  test.skipIf(!isThere)(
    "that are selected all are those of the moment in which they were, though the page renews itself",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select all 2").check();
      await addMonitor(service, "web 3");
      await page.evaluate(() =>
        Reflect.get(globalThis, "document").dispatchEvent(new Event("visibilitychange")),
      );
      await page.getByLabel("Select all 3").waitFor();
      expect(await page.locator(".picked").getAttribute("data-found")).toBe("2");
      await press(page, "Pause");
      expect(await page.locator("h1").innerText()).toBe("Pause 3 monitors?");
      for (const colorScheme of ["light", "dark"] as const)
        for (const [width, height] of [
          [1280, 900],
          [390, 844],
        ] as const) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height });
          expect(await complaints(page, "all")).toEqual([]);
          expect(await overhang(page)).toBe(0);
          await snap(page, `many-changed-${colorScheme}-${width}`);
        }
      await follow(page.getByRole("link", { name: "Cancel" }));
      expect(await page.getByText("Paused").count()).toBe(0);
    },
  );

  test.skipIf(!isThere)(
    "that are ticked one by one are meant alone, though the box of all shows that each is ticked",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      const act = async (name: string, words: RegExp): Promise<void> => {
        await press(page, name);
        expect(await said(page)).toMatch(words);
      };
      const all = (count: number) => page.getByLabel(`Select all ${count}`);
      await page.goto(service.url);
      for (const name of ["web 1", "web 2"]) await page.getByLabel(`Select ${name}`).check();
      expect(await all(2).isChecked()).toBe(true);
      await addMonitor(service, "web 3");
      await act("Pause", /^2 monitors are paused\./);
      // After the act the same two are selected, and there is a third row.
      expect(await all(3).isChecked()).toBe(false);
      await page.getByLabel("Select web 3").check();
      expect(await all(3).isChecked()).toBe(true);
      await addMonitor(service, "web 4");
      await page.evaluate(() =>
        Reflect.get(globalThis, "document").dispatchEvent(new Event("visibilitychange")),
      );
      await all(4).waitFor();
      expect(await all(4).isChecked()).toBe(false);
      expect(await all(4).evaluate((box) => Reflect.get(box, "indeterminate"))).toBe(true);
      // Whoever presses the box means all that the search finds.
      await all(4).check();
      await page.getByLabel("Select web 4").uncheck();
      await page.getByLabel("Select web 4").check();
      await act("Resume", /^4 monitors are resumed\./);
      expect(await all(4).isChecked()).toBe(true);
      await addMonitor(service, "web 5");
      await act("Pause", /^4 monitors are paused\./);
      await all(5).check();
      await addMonitor(service, "web 6");
      await press(page, "Resume");
      expect(await page.locator("h1").innerText()).toBe("Resume 6 monitors?");
    },
  );

  test.skipIf(!isThere)("are shown by hundreds, and all that are found are selected", async () => {
    const all = Array.from({ length: 101 }, (_, index) => `web ${index + 1}`);
    const { service } = await monitorsNamed(all);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(service.url);
    expect(await names(page)).toEqual(all.slice(0, 100));
    await follow(page.getByRole("link", { name: "Next" }));
    expect(await names(page)).toEqual(["web 101"]);
    await follow(page.getByRole("link", { name: "Uptime 14 d, worst first" }));
    expect(new URL(page.url()).search).toBe("?sort=uptime");
    await page.getByLabel("Select all 101").check();
    await press(page, "Pause");
    expect(await said(page)).toContain("101 monitors are paused.");
  });

  test.skipIf(!isThere)(
    "have panels that open at their buttons, which stay where they are, and close by Escape",
    async () => {
      const { service } = await monitorsNamed(["web 1", "web 2"]);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select web 1").check();
      for (const words of ["Silence", "Label", "Location"]) {
        const button = page.locator(".many summary", { hasText: words });
        const before = await button.boundingBox();
        await button.press("Enter");
        expect(await button.boundingBox()).toEqual(before);
        const panel = await page.locator(".many [open] > .dropped").boundingBox();
        const gap = (before?.y ?? 0) - (panel?.y ?? 0) - (panel?.height ?? 0);
        expect(gap).toBeGreaterThan(0);
        expect(gap).toBeLessThan(12);
        // Both end at one line.
        const end = (box: typeof panel) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
        expect(end(panel)).toBe(end(before));
        expect(await complaints(page, "all")).toEqual([]);
        await page.keyboard.press("Escape");
        expect(await page.locator(".many [open]").count()).toBe(0);
      }
      await page.goto(`${service.url}/monitors/1`);
      const menu = page.locator(".acts-menu > summary");
      const before = await menu.boundingBox();
      await menu.press("Enter");
      expect(await menu.boundingBox()).toEqual(before);
    },
  );

  test.skipIf(!isThere)("stay as they are if Enter is pressed on a box or in a field", async () => {
    const { service } = await monitorsNamed(["web 1"]);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(service.url);
    for (const field of ["#m1 .pick", "#many input[name=key]"]) {
      await page.getByLabel("Select web 1").check();
      if (field !== "#m1 .pick") await page.locator("#many summary", { hasText: "Label" }).click();
      const loaded = page.waitForEvent("load");
      await page.locator(field).press("Enter");
      await loaded;
      expect(await said(page)).toMatch(/^Nothing is done yet/);
      expect(await page.getByRole("button", { name: "Nothing yet" }).count()).toBe(0);
    }
    await page.goto(`${service.url}/monitors/1`);
    expect(await page.locator('form[action$="/pause"]').count()).toBe(1);
  });

  test.skipIf(!isThere)(
    "get the label that is typed if Enter is pressed in one of its boxes",
    async () => {
      const { service } = await monitorsNamed(["web 1"]);
      await using context = await browser.newContext();
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(service.url);
      await page.getByLabel("Select web 1").check();
      await page.locator("#many summary", { hasText: "Label" }).click();
      await page.locator("#many input[name=key]").fill("team");
      await page.locator("#many input[name=value]").fill("shop");
      const row = async (one: string) =>
        (await page.locator(`#many button[value="${one}"]`).boundingBox())?.y;
      expect(await row("unlabel")).toBe(await row("label"));
      const loaded = page.waitForEvent("load");
      await page.locator("#many input[name=value]").press("Enter");
      await loaded;
      expect(await said(page)).toMatch(/^1 monitor is labelled\./);
      expect(await page.locator("#m1 .chip").innerText()).toBe("team:shop");
      await follow(page.locator("#m1").getByRole("link", { name: "web 1" }));
      expect(await page.locator(".verdict .chip").innerText()).toBe("team:shop");
    },
  );

  test.skipIf(!isThere)("are paused and resumed each on its page", async () => {
    const { service } = await monitorsNamed(["web 1"]);
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/1`);
    await press(page, "Pause: web 1");
    expect(await said(page)).toMatch(/^Paused/);
    await press(page, "Resume: web 1");
    expect(await said(page)).toMatch(/^Resumed/);
  });
});
