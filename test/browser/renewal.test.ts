import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { seconds } from "#base/units";
import { fileBrowser } from "../support/file-browser.ts";
import { operatorScene } from "../support/operator-scene.ts";
import { formTokenIn } from "../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;

const renewal = 10_000;

/** Has the page's script renew it. The mark is in no answer of the service. */
async function passRenewal(page: Page): Promise<void> {
  await page.evaluate(() => {
    Reflect.get(globalThis, "document").querySelector("main").dataset.old = "yes";
  });
  await page.clock.runFor(renewal);
  await page.locator("main:not([data-old])").waitFor();
}

/** A page with the browser's timers in the hand of the test. */
async function openPage(context: { newPage: () => Promise<Page> }, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(address);
  return page;
}

const shownTime = (page: Page): Promise<string> => page.locator(".asof time.unprinted").innerText();

describe("the renewal of a page", () => {
  test.skipIf(!isThere)(
    "changes what is new and leaves the cursor, what is open, and the part in view",
    async () => {
      const { service, clock } = await operatorScene();
      await using context = await browser.newContext();
      await context.newPage();
      const page = await openPage(context, `${service.url}/monitors/1`);
      const before = await shownTime(page);
      const figures = page.locator("details", { hasText: "As figures" });
      await figures.locator("summary").click();
      const link = page.locator("main a").last();
      await link.focus();
      const scrolled = await page.evaluate(() => {
        Reflect.get(globalThis, "scrollTo")(0, 120);
        const { activeElement } = Reflect.get(globalThis, "document");
        Reflect.set(globalThis, "focusedBefore", activeElement);
        return Reflect.get(globalThis, "scrollY");
      });
      await clock.advance(seconds(30));
      await passRenewal(page);
      expect(await shownTime(page)).not.toBe(before);
      expect(await figures.getAttribute("open")).toBe("");
      expect(await page.evaluate(() => Reflect.get(globalThis, "scrollY"))).toBe(scrolled);
      const isSame = await page.evaluate(
        () =>
          Reflect.get(globalThis, "focusedBefore") ===
          Reflect.get(globalThis, "document").activeElement,
      );
      expect(isSame).toBe(true);
    },
  );

  test.skipIf(!isThere)("has the navigation say how many incidents are open now", async () => {
    const scene = await operatorScene();
    await using context = await browser.newContext();
    const page = await openPage(context, `${scene.service.url}/channels`);
    const link = page.getByRole("navigation", { name: "Pages" }).locator('[href="/incidents"]');
    expect(await link.getAttribute("aria-label")).toBe("Incidents, 5 open, 4 not acknowledged");
    const form = formTokenIn(await (await scene.get("/monitors/1")).text());
    const incident = await (await scene.get("/incidents/7")).text();
    const monitor = /href="(\/monitors\/\d+)"/.exec(incident)?.[1] ?? "";
    await scene.post(`${monitor}/delete`, { form });
    await passRenewal(page);
    expect(await link.getAttribute("aria-label")).toBe("Incidents, 4 open, 3 not acknowledged");
    expect(await link.getAttribute("data-open")).toBe("3");
  });

  test.skipIf(!isThere)("waits while text is selected, so that a person can copy it", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await openPage(context, service.url);
    const requests: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    await page.locator("h1").selectText();
    await page.clock.runFor(renewal);
    expect(requests).toEqual([]);
    await page.evaluate(() => Reflect.get(globalThis, "getSelection")().removeAllRanges());
    await passRenewal(page);
    expect(requests).toEqual([`${service.url}/`]);
  });

  test.skipIf(!isThere)("shows what is new below what became of an act, which stays", async () => {
    const scene = await operatorScene();
    await using context = await browser.newContext();
    const form = formTokenIn(await (await scene.get("/monitors/1")).text());
    const paused = await scene.post("/monitors/1/pause", { form });
    const page = await openPage(
      context,
      `${scene.service.url}${paused.headers.get("location") ?? ""}`,
    );
    const said = page.locator("main [role=status]").first();
    const words = await said.innerText();
    expect(words).toContain("aused");
    await scene.clock.advance(seconds(30));
    const before = await shownTime(page);
    await passRenewal(page);
    expect(await shownTime(page)).not.toBe(before);
    expect(await said.innerText()).toBe(words);
  });

  test.skipIf(!isThere)("says that the service does not answer, until it does", async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await openPage(context, service.url);
    const heading = await page.locator("h1").innerText();
    const said = page.locator(".unanswered");
    const words = `The service does not answer: this page shows how it was at ${await shownTime(page)}.`;
    await context.route(`${service.url}/`, (route) =>
      route.fulfill({ status: 503, body: "later" }),
    );
    await page.clock.runFor(renewal);
    await expect.poll(() => said.allInnerTexts()).toEqual([words]);
    await context.route(`${service.url}/`, (route) => route.abort());
    const asked = page.waitForEvent("requestfailed");
    await page.clock.runFor(2_000);
    await asked;
    expect(await said.allInnerTexts()).toEqual([words]);
    await context.unroute(`${service.url}/`);
    await expect.poll(() => page.clock.runFor(2_000).then(() => said.count())).toBe(0);
    expect(await page.locator("h1").innerText()).toBe(heading);
  });

  test.skipIf(!isThere).each(["light", "dark"] as const)(
    "says on a %s page that the service does not answer in the colour of a warning, and legibly",
    async (colorScheme) => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ colorScheme });
      const page = await openPage(context, service.url);
      await context.route(`${service.url}/`, (route) => route.abort());
      await page.clock.runFor(renewal);
      const said = page.locator(".unanswered");
      await said.waitFor();
      const colours = await said.evaluate((element) => {
        const styleOf = Reflect.get(globalThis, "getComputedStyle");
        const { backgroundColor, color } = styleOf(element);
        const warning = styleOf(element).getPropertyValue("--degraded").trim();
        return { backgroundColor, color, warning, icon: styleOf(element, "::before").content };
      });
      const parts = (colour: string): readonly number[] =>
        colour.startsWith("#")
          ? [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
          : [...colour.matchAll(/\d+/g)].slice(0, 3).map(Number);
      expect(parts(colours.backgroundColor)).toEqual(parts(colours.warning));
      expect(colours.icon).toContain("!");
      const light = (colour: string): number => {
        const [red = 0, green = 0, blue = 0] = parts(colour).map((part) =>
          part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4,
        );
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
      };
      const lights = [light(colours.backgroundColor), light(colours.color)].toSorted(
        (a, b) => b - a,
      );
      expect((lights[0] ?? 0) / (lights[1] ?? 1)).toBeGreaterThan(4.5);
    },
  );

  test.skipIf(!isThere).each([
    [303, /^You are signed out here: reload this page to sign in again\. It shows/],
    [403, /^The service refuses to renew this page \(status 403\)\. It shows how it was at \d/],
  ])("says why it was answered with status %i", async (status, words) => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await openPage(context, `${service.url}/incidents`);
    await context.route(`${service.url}/incidents`, (route) =>
      route.fulfill({ status, headers: { location: "/sign-in" } }),
    );
    await page.clock.runFor(renewal);
    await expect
      .poll(() => page.locator(".unanswered").allInnerTexts())
      .toEqual([expect.stringMatching(words)]);
  });

  test.skipIf(!isThere)("says that what the page is about was deleted elsewhere", async () => {
    const scene = await operatorScene();
    await using context = await browser.newContext();
    const page = await openPage(context, `${scene.service.url}/monitors/1`);
    const form = formTokenIn(await (await scene.get("/monitors/1")).text());
    await scene.post("/monitors/1/delete", { form });
    await page.clock.runFor(renewal);
    await expect
      .poll(() => page.locator(".unanswered").allInnerTexts())
      .toEqual([expect.stringMatching(/^What this page is about is no longer there. It shows/)]);
  });

  test.skipIf(!isThere)(
    "leaves a form for planned work in the browser's zone, whose preview is in it from the start",
    async () => {
      const { service, clock } = await operatorScene();
      await using context = await browser.newContext({ timezoneId: "Europe/Berlin" });
      const page = await openPage(context, `${service.url}/maintenances/new`);
      const fields = ["Begins", "Ends", "Time zone"].map((label) => page.getByLabel(label));
      const filled = ["2026-11-22T13:05", "2026-11-22T14:05", "Europe/Berlin"];
      const values = () => Promise.all(fields.map((field) => field.inputValue()));
      await expect.poll(values).toEqual(filled);
      await page.clock.runFor(1_000);
      const preview = page.locator("#preview .letter .kind");
      const shown = "22 Nov 2026, 13:05–14:05 CET";
      await expect.poll(() => preview.innerText()).toBe(shown);
      await clock.advance(seconds(600));
      await passRenewal(page);
      expect(await values()).toEqual(filled);
      expect(await preview.innerText()).toBe(shown);
      await page.getByLabel("Time zone").selectOption("UTC");
      await page.getByLabel("Begins").fill("2026-11-30T23:30");
      await passRenewal(page);
      expect((await values()).at(0)).toBe("2026-11-30T23:30");
      expect((await values()).at(2)).toBe("UTC");
    },
  );
});
