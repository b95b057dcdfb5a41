import type { BrowserContextOptions } from "playwright-core";
import { expect, test } from "vitest";
import { hours } from "#base/units";
import { locales, themeKeys } from "#service/status-page/page-definition";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { startMailServer } from "../../servers/mail-servers.ts";
import {
  complaints,
  follow,
  looks,
  openAll,
  sizes,
  snap,
  watchPage,
} from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { keyboardFaults, pageFaults, paperFaults } from "../../support/page-faults.ts";
import { readMail } from "../../support/read-mail.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { statusScene } from "./status-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "a status page is accessible and fits: light and dark, on a desk and on a phone, at 400 %, in forced colours, without scripts",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const seen = watchPage(context, service.url);
    const page = await context.newPage();
    for (const path of [
      "/status/acme",
      "/status/acme/de",
      "/status/acme/hi/events",
      "/status/acme/monitors/2",
      "/status/acme/ko/monitors/1",
      "/status/closed",
    ]) {
      await page.goto(`${service.url}${path}`);
      await openAll(page);
      const name = path.slice(1).replaceAll("/", "-");
      expect([path, await pageFaults(page, name)]).toEqual([path, []]);
    }
    await page.getByLabel("Password").fill("sesame");
    await follow(page.getByRole("button", { name: "Open" }));
    expect(await page.locator("h1").innerText()).toBe("All systems are operational");
    // The refusal of a page without its password is a console's complaint.
    expect(seen.filter((one) => !one.includes("403"))).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "all figures of a monitor are in view on a phone, in each language of the page",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
    const page = await context.newPage();
    for (const locale of ["en", "fr", "de", "tr", "hi", "ko"]) {
      await page.goto(
        `${service.url}/status/acme/${locale === "en" ? "" : `${locale}/`}monitors/2`,
      );
      await openAll(page);
      const wide = await page
        .locator(".wide")
        .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth));
      expect([locale, wide.length > 2, Math.max(...wide)]).toEqual([locale, true, 0]);
    }
  },
);

test.skipIf(!isThere)("the days with trouble begin below the words that they unfold", async () => {
  const { service } = await operatorScene();
  await generatedPage(service);
  await using context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${service.url}/status/acme`);
  await openAll(page);
  const left = (part: string): Promise<number> =>
    page.evaluate<number>(
      `(() => { const range = document.createRange();
        range.selectNodeContents(document.querySelector("${part}"));
        return range.getBoundingClientRect().left; })()`,
    );
  expect(Math.abs((await left(".bad summary")) - (await left(".bad li")))).toBeLessThan(2);
});

test("the list of all reports says in every language that there are none", async () => {
  await using here = await statusScene();
  await here.call("CreateStatusPage", {
    title: "Acme",
    slug: "acme",
    locales: ["LOCALE_EN", "LOCALE_FR"],
  });
  for (const [path, words] of [
    ["/status/acme/events", "No reports"],
    ["/status/acme/fr/events", "Aucun incident signalé"],
  ] as const)
    expect(await (await here.get(path)).text()).toContain(`<p class="kind">${words}</p>`);
});

test.skipIf(!isThere)(
  "a list in the message of a report keeps its marks and its lines",
  async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    await here.call("AddStaticComponent", { pageId: "1", name: "Desk" });
    const message = "Since noon:\n\n- orders wait\n- payments work";
    await here.call("CreateStatusReport", { ...outage, message });
    await using context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
    const page = await context.newPage();
    await page.goto(`${here.service.url}/status/acme`);
    const items = page.locator(".updates .said li");
    expect(await items.allInnerTexts()).toEqual(["orders wait", "payments work"]);
    const displays = `[...document.querySelectorAll(".updates .said li")].map((one) => getComputedStyle(one).display)`;
    expect(await page.evaluate(displays)).toEqual(["list-item", "list-item"]);
  },
);

test.skipIf(!isThere)(
  "a reader has times in their zone, which is named, with UTC under the pointer; without scripts they are UTC",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    const timesIn = async (
      path: string,
      javaScriptEnabled: boolean,
    ): Promise<readonly (readonly [text: string, title: string | null])[]> => {
      await using context = await browser.newContext({
        timezoneId: "America/New_York",
        javaScriptEnabled,
      });
      const page = await context.newPage();
      await page.goto(`${service.url}/status/${path}`);
      const all = await page.locator("time").all();
      return await Promise.all(
        all.map(async (one) => [
          (await one.evaluate((time) => time.textContent.trim())).replaceAll(
            /[\u2009\u202f\u00a0]/g,
            " ",
          ),
          await one.getAttribute("title"),
        ]),
      );
    };
    const shown = await timesIn("acme", true);
    expect(shown[0]).toEqual(["22 Nov 2026, 07:00 EST", "22 Nov 2026, 12:00 UTC"]);
    expect(shown[1]).toEqual(["22 Nov 2026, 05:40 EST", "22 Nov 2026, 10:40 UTC"]);
    expect(shown[2]).toEqual(["22 Nov 2026, 06:20 EST", "22 Nov 2026, 11:20 UTC"]);
    const period = shown.find(([, title]) => title === "29 Nov 2026, 22:00 – 23:30 UTC")?.[0];
    expect(period).toBe("29 Nov 2026, 17:00–18:30 EST");
    expect(shown.filter(([text]) => text.includes("UTC"))).toEqual([]);
    expect((await timesIn("acme/de", true))[2]?.[0]).toBe("22. Nov. 2026, 06:20 GMT−5");
    const without = await timesIn("acme", false);
    expect(without.length).toBe(shown.length);
    expect(without.filter(([text]) => !text.endsWith(" UTC"))).toEqual([]);
    const { headers } = await fetch(`${service.url}/status/acme/times.js`);
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  },
);

test.skipIf(!isThere)(
  "what a day was is said above it under the pointer, on a tap, and by keys; without scripts by the browser and a list",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    const open = async (options: BrowserContextOptions) => {
      const context = await browser.newContext({ ...options, reducedMotion: "reduce" });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/status/acme`);
      const days = page.locator(".component", { hasText: "Intranet" }).locator(".days");
      return { context, page, days, bubble: page.locator(".day"), bar: days.locator(".uptime") };
    };
    const aBadDay = /^\d{1,2} Nov: Degraded$/;
    const desk = await open({ viewport: { width: 1_280, height: 1_600 } });
    const before = await desk.days.boundingBox();
    // A screen reader knows of it before it has words.
    const spoken = desk.page.getByRole("status");
    expect([await spoken.count(), await spoken.textContent()]).toEqual([1, ""]);
    const bad = (await desk.bar.locator(".said").nth(1).boundingBox()) ?? emptyBox;
    const [x, y] = [bad.x + bad.width / 2, ((await desk.bar.boundingBox()) ?? emptyBox).y + 5];
    await desk.page.mouse.move(x, y);
    expect(await desk.bubble.innerText()).toMatch(aBadDay);
    // It moves nothing, and stays within the bar's width.
    expect(await desk.days.boundingBox()).toEqual(before);
    const box = (await desk.bubble.boundingBox()) ?? emptyBox;
    expect(box.x).toBeGreaterThanOrEqual(before?.x ?? Infinity);
    expect(box.y + box.height).toBeLessThanOrEqual(y);
    await snap(desk.page, "status-day");
    expect(await complaints(desk.page, "all")).toEqual([]);
    await desk.page.mouse.move(x, 5);
    expect(await desk.bubble.isVisible()).toBe(false);
    await desk.page.locator("h3", { hasText: "Billing API" }).getByRole("link").focus();
    for (const key of ["Tab", "Tab", "Tab"]) await desk.page.keyboard.press(key);
    expect(await desk.bar.and(desk.page.locator(":focus")).count()).toBe(1);
    expect(await desk.bubble.innerText()).toMatch(/^22 Nov: /);
    expect(await spoken.innerText()).toBe(await desk.bubble.innerText());
    await desk.page.keyboard.press("Home");
    for (const _ of [1, 2]) await desk.page.keyboard.press("ArrowRight");
    await desk.page.keyboard.press("ArrowLeft");
    expect(await desk.bubble.innerText()).toMatch(aBadDay);
    await desk.page.keyboard.press("Escape");
    expect(await desk.bubble.isVisible()).toBe(false);
    await desk.context.close();
    const phone = await open({ viewport: sizes.phone, hasTouch: true, isMobile: true });
    await phone.bar.scrollIntoViewIfNeeded();
    const narrow = (await phone.bar.locator(".said").nth(1).boundingBox()) ?? emptyBox;
    // A finger that misses the day by some pixels means it.
    const strip = (await phone.bar.boundingBox()) ?? emptyBox;
    await phone.page.touchscreen.tap(narrow.x + narrow.width + 6, strip.y + strip.height / 2);
    expect(await phone.bubble.innerText()).toMatch(aBadDay);
    await snap(phone.page, "status-day-phone");
    expect(await complaints(phone.page, "all")).toEqual([]);
    await phone.page.touchscreen.tap(5, 5);
    expect(await phone.bubble.isVisible()).toBe(false);
    await phone.context.close();
    const plain = await open({ javaScriptEnabled: false, viewport: sizes.phone });
    expect(await plain.bar.locator("title").nth(1).textContent()).toMatch(aBadDay);
    await plain.days.locator("summary").click();
    expect(await plain.days.locator("li").last().innerText()).toMatch(/ Nov 2026: Degraded$/);
    await plain.context.close();
  },
);

test.skipIf(!isThere)(
  "a closed group shows its own days and uptime, which give way to those of its components, without scripts too",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    for (const [size, javaScriptEnabled] of [
      ["desktop", true],
      ["phone", false],
    ] as const) {
      await using context = await browser.newContext({ viewport: sizes[size], javaScriptEnabled });
      context.setDefaultTimeout(10_000);
      const page = await context.newPage();
      await page.goto(`${service.url}/status/acme`);
      const group = (name: string) => page.locator(".group", { hasText: name });
      const own = (name: string) => group(name).locator("> .days");
      // Something in it is wrong: it is open, and its components say more.
      expect(await group("Payments").getByRole("link", { name: "Billing API" }).isVisible()).toBe(
        true,
      );
      expect(await own("Payments").isVisible()).toBe(false);
      expect(await own("Data").locator(".range").innerText()).toMatch(/\d{2,3}\.\d\d\s%\s+uptime/);
      expect(await page.locator(".words").last().innerText()).toBe(
        "All days on this page begin at midnight UTC. A group shows the worst of its components.",
      );
      // A day is asked for without opening anything.
      await own("Data").locator(".uptime").click();
      expect(await group("Data").getByRole("heading", { name: "Wiki" }).isVisible()).toBe(false);
      const summary = group("Data").locator("details").first().locator("> summary");
      const before = await summary.boundingBox();
      await summary.click();
      expect(await group("Data").getByRole("heading", { name: "Wiki" }).isVisible()).toBe(true);
      expect(await own("Data").isVisible()).toBe(false);
      expect(await summary.boundingBox()).toEqual(before);
    }
  },
);

test.skipIf(!isThere)(
  "a page that is left open says what is true now: its heading is spoken, a group that fails opens, and what a reader opened or closed stays",
  async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    for (const name of ["Web", "Data"])
      await here.call("CreateComponentGroup", { pageId: "1", name });
    for (const groupId of ["1", "2"])
      await here.call("AddStaticComponent", { pageId: "1", name: `Desk ${groupId}`, groupId });
    await using context = await browser.newContext({ timezoneId: "America/New_York" });
    context.setDefaultTimeout(10_000);
    const seen = watchPage(context, here.service.url);
    const page = await context.newPage();
    await page.clock.install();
    await page.goto(`${here.service.url}/status/acme`);
    const desk = (number: number) => page.getByRole("heading", { name: `Desk ${number}` });
    const fold = (name: string) => page.locator("summary", { hasText: name });
    const heading = page.locator("h1");
    const before = await heading.elementHandle();
    await fold("Data").click();
    // Without a mail server there are feeds alone.
    await fold("Feeds").click();
    await here.call("CreateStatusReport", { ...outage, date: "2026-11-22T11:30:00Z" });
    await page.clock.runFor(20_000);
    await expect.poll(() => heading.innerText()).toBe("Some systems are down");
    expect(await heading.evaluate((now, then) => now === then, before)).toBe(true);
    expect(await page.getByRole("status").innerText()).toBe("Some systems are down");
    expect(await page.title()).toBe("Some systems are down · Acme");
    // It failed, so it opened; the other is as its reader left it, and so is the menu.
    expect([await desk(1).isVisible(), await desk(2).isVisible()]).toEqual([true, true]);
    expect(await page.locator(".follow").getByText("Atom").isVisible()).toBe(true);
    // Times of a report that came meanwhile are the reader's, too.
    expect(await page.locator(".updates time").innerText()).toContain("06:30 EST");
    await fold("Web").click();
    await here.call("AddStatusReportUpdate", {
      statusReportId: "1",
      status: "STATUS_REPORT_STATUS_IDENTIFIED",
      message: "The lock.",
      date: "2026-11-22T11:40:00Z",
    });
    await page.clock.runFor(20_000);
    await page.getByText("The lock.").waitFor();
    expect([await desk(1).isVisible(), await desk(2).isVisible()]).toEqual([false, true]);
    expect(seen).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "past reports have the heading of their day, and days without one are said in a line, in every language",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ timezoneId: "UTC" });
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/status/acme`);
    const past = page.locator("section:has(> #past)");
    expect(await past.locator("h2, h3, h4 a, .no-reports").allInnerTexts()).toEqual([
      "Past reports",
      "19 Nov – 21 Nov: No reports",
      "18 Nov 2026",
      "The desk could not be reached by phone",
      "8 Nov – 17 Nov: No reports",
    ]);
    for (const locale of locales) {
      await page.goto(`${service.url}/status/acme/${locale}`);
      const { colon, noReportsThen } = pageTexts[locale];
      const said = await past.locator(".no-reports").allTextContents();
      expect([locale, ...said.map((one) => one.endsWith(`${colon}${noReportsThen}`))]).toEqual([
        locale,
        true,
        true,
      ]);
    }
  },
);

test.skipIf(!isThere)("bold words of an update have the colour of text in each state", async () => {
  const { service } = await operatorScene();
  await generatedPage(service);
  const { key } = await service.admin.createApiKey({ name: "ops", scope: "write" });
  const call = (method: string, body: object): Promise<Response> =>
    fetch(`${service.url}/rpc/openstatus.status_report.v1.StatusReportService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(body),
    });
  const message = "**Cause:** a disk.";
  const report = { title: "Bold", pageId: "1", pageComponentIds: ["1"], message };
  await using context = await browser.newContext();
  const page = await context.newPage();
  for (const status of ["INVESTIGATING", "IDENTIFIED", "MONITORING", "RESOLVED"]) {
    await call("CreateStatusReport", {
      ...report,
      status: `STATUS_REPORT_STATUS_${status}`,
      date: "2026-11-22T11:30:00Z",
    });
    await page.goto(`${service.url}/status/acme`);
    const colours = await page.evaluate<readonly string[]>(
      `[document.body, ...document.querySelectorAll(".report .said strong")].map((one) => getComputedStyle(one).color)`,
    );
    expect(colours.length).toBeGreaterThan(1);
    expect([status, new Set(colours).size]).toEqual([status, 1]);
  }
});

test.skipIf(!isThere)(
  "maintenance that is over is under the day of its end for each reader, and its other days are left out",
  async () => {
    const { service, clock } = await operatorScene();
    await generatedPage(service);
    const plan = { title: "New disks", message: "Read-only.", pageId: "1" };
    const { key } = await service.admin.createApiKey({ name: "ops", scope: "write" });
    const method = "openstatus.maintenance.v1.MaintenanceService/CreateMaintenance";
    await fetch(`${service.url}/rpc/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({ ...plan, from: "2026-11-22T13:00:00Z", to: "2026-11-22T23:30:00Z" }),
    });
    clock.suspend(hours(12));
    const seenIn = async (timezoneId: string): Promise<readonly string[]> => {
      await using context = await browser.newContext({ timezoneId });
      const page = await context.newPage();
      await page.goto(`${service.url}/status/acme`);
      const past = page.locator("section:has(> #past)");
      return (await past.locator("h3, h4 a, .no-reports").allInnerTexts()).slice(0, 3);
    };
    for (const zone of ["UTC", "Europe/Berlin"])
      expect(await seenIn(zone)).toEqual([
        "22 Nov 2026",
        "New disks",
        "19 Nov – 21 Nov: No reports",
      ]);
  },
);

test.skipIf(!isThere)(
  "a reader finds every way to hear of news behind one button, and a page that is not there says so in a page",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status/acme`);
    const feed = page.locator(".follow").getByRole("link", { name: "Atom" });
    expect(await feed.isVisible()).toBe(false);
    await page.locator("summary", { hasText: "Feeds" }).click();
    const links = await page.locator(".follow a").evaluateAll((all) => all.map(String));
    expect(links.map((one) => new URL(one).pathname)).toEqual(
      ["feed/atom", "feed/rss", "feed/json", "calendar.ics"].map((one) => `/status/acme/${one}`),
    );
    for (const link of links) expect((await fetch(link)).status).toBe(200);
    const below = await page.locator("footer .ways a").evaluateAll((all) => all.map(String));
    expect(below.map((one) => new URL(one).pathname)).toEqual(
      ["events", "feed/atom", "feed/rss", "calendar.ics", "summary.json"].map(
        (one) => `/status/acme/${one}`,
      ),
    );
    for (const link of below) expect((await fetch(link)).status).toBe(200);
    const answer = await page.goto(`${service.url}/status/acne`);
    expect(answer?.status()).toBe(404);
    expect(await page.locator("h1").innerText()).toBe("Not found");
    expect(await page.locator("main").innerText()).toContain("There is no such status page.");
    expect(await (await fetch(`${service.url}/status/acne`)).text()).toBe(
      "There is no such status page.\n",
    );
    expect(await pageFaults(page, "status-not-found")).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "on a phone the button that subscribes is next to the title, at the right edge of all below, in every language",
  async () => {
    await using here = await statusScene();
    const all = locales.map((one) => `LOCALE_${one.toUpperCase()}`);
    const links = { homepageUrl: "https://acme.example/", contactUrl: "mailto:help@acme.example" };
    const title = "The status of the Northwind Trading Company";
    await here.call("CreateStatusPage", { title, slug: "acme", locales: all, ...links });
    await using context = await browser.newContext({ viewport: sizes.phone });
    const page = await context.newPage();
    const boxOf = async (found: string) => {
      const { x, y, width, height } = (await page.locator(found).boundingBox()) ?? emptyBox;
      return { left: x, right: x + width, top: y, bottom: y + height, height };
    };
    for (const locale of locales) {
      await page.goto(`${here.service.url}/status/acme/${locale}`);
      const [brand, button, banner] = [
        await boxOf(".brand"),
        await boxOf(".follow summary"),
        await boxOf("h1"),
      ];
      expect([locale, button.right]).toEqual([locale, banner.right]);
      expect([locale, brand.left]).toEqual([locale, banner.left]);
      expect(button.left).toBeGreaterThan(brand.right);
      expect(button.top).toBeGreaterThanOrEqual(brand.top);
      expect(button.bottom).toBeLessThanOrEqual(brand.bottom);
      // Of one line.
      expect([locale, button.height < 40]).toEqual([locale, true]);
    }
  },
);

const emptyBox = { x: 0, y: 0, width: 0, height: 0 };

test.skipIf(!isThere)(
  "states, figures and days of all components line up, in groups too, on a desk and on a phone",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/status/acme/fr`);
    await openAll(page);
    /** Where the boxes of all that is found begin and end, without those that are the same. */
    const edges = async (found: string): Promise<ReadonlySet<string>> => {
      const all = await page.locator(found).all();
      const boxes = await Promise.all(all.map((one) => one.boundingBox()));
      return new Set(
        boxes.map((box) => `${box?.x} ${Math.round((box?.x ?? 0) + (box?.width ?? 0))}`),
      );
    };
    for (const size of [sizes.desktop, sizes.phone]) {
      await page.setViewportSize(size);
      expect(await page.locator(".components .mark svg").count()).toBe(8);
      expect((await edges(".components .mark svg")).size).toBe(1);
      expect((await edges(".range strong:visible")).size).toBe(1);
      expect((await edges(".uptime:visible")).size).toBe(1);
    }
  },
);

/** The colour behind everything. */
const groundOf = (): string => {
  const [document, styleOf] = ["document", "getComputedStyle"].map((name) =>
    Reflect.get(globalThis, name),
  );
  return styleOf(document.body).backgroundColor;
};

const backgroundOf = (element: unknown): string => {
  const styleOf = Reflect.get(globalThis, "getComputedStyle");
  return styleOf(element).backgroundColor;
};

const createReport = "status_report.v1.StatusReportService/CreateStatusReport";
const outage = {
  pageId: "1",
  title: "The shop is down",
  status: "STATUS_REPORT_STATUS_INVESTIGATING",
  message: "We look into it.",
  date: "2026-11-22T11:40:00Z",
  componentImpacts: [{ pageComponentId: "1", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" }],
};

test.skipIf(!isThere)("a status page can be read in every theme, light and dark", async () => {
  const { service } = await operatorScene();
  await generatedPage(service);
  const { key } = await service.admin.createApiKey({ name: "themes", scope: "write" });
  const update = `${service.url}/rpc/openstatus.status_page.v1.StatusPageService/UpdateStatusPage`;
  const headers = { "content-type": "application/json", "x-service-key": key };
  await fetch(update.replace("status_page.v1.StatusPageService/UpdateStatusPage", createReport), {
    method: "POST",
    headers,
    body: JSON.stringify(outage),
  });
  const faults: string[] = [];
  const grounds = new Set<string>();
  const banners = new Set<string>();
  await using context = await browser.newContext();
  const page = await context.newPage();
  // A reader who has seen no other theme: looks are kept by browsers for a while.
  const network = await context.newCDPSession(page);
  await network.send("Network.enable");
  await network.send("Network.setCacheDisabled", { cacheDisabled: true });
  for (const themeKey of themeKeys) {
    const body = JSON.stringify({ id: "1", configuration: { themeKey } });
    expect((await fetch(update, { method: "POST", headers, body })).status).toBe(200);
    await page.goto(`${service.url}/status/acme`);
    await openAll(page);
    for (const { colorScheme, size } of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(sizes[size]);
      await snap(page, `theme-${themeKey}-${colorScheme}`);
      const found = await complaints(page, ["color-contrast"]);
      faults.push(...found.map((one) => `${themeKey}, ${colorScheme}: ${one}`));
      grounds.add(await page.evaluate(groundOf));
      if (colorScheme === "dark") banners.add(await page.locator("h1").evaluate(backgroundOf));
    }
  }
  expect(faults).toEqual([]);
  // In the dark the heading is a dark red with light text, not a pale one with dark text.
  expect([...banners].filter((one) => !/^oklch\(0\.4 0\.12 [12]\d\b/.test(one))).toEqual([]);
  expect(banners.size).toBeGreaterThan(0);
  // The two defaults have one colour in each scheme.
  expect(grounds.size).toBe(2 * (themeKeys.length - 1));
});

/** How many pages a script asks for as a reader comes back to one: the answer to a form is at no address. */
const pagesAskedFor = `(() => {
  const { fetch } = window;
  let asked = 0;
  window.fetch = (...all) => { asked += 1; return fetch(...all); };
  document.dispatchEvent(new Event("visibilitychange"));
  window.fetch = fetch;
  return asked;
})()`;

test.skipIf(!isThere)(
  "what readers do about mails is accessible, fits, and can be done by keys alone, in every language and without scripts",
  async () => {
    await using mails = await startMailServer();
    await using here = await statusScene([], mails);
    const all = locales.map((one) => `LOCALE_${one.toUpperCase()}`);
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme", locales: all });
    for (const name of ["Shop", `Desk ${"of a long name ".repeat(6)}`])
      await here.call("AddStaticComponent", { pageId: "1", name });
    const access = { accessType: "PAGE_ACCESS_TYPE_AUTHENTICATED", authEmailDomains: ["a.test"] };
    await here.call("CreateStatusPage", { title: "Staff", slug: "staff", ...access });
    await using context = await browser.newContext();
    const seen = watchPage(context, here.service.url);
    const page = await context.newPage();
    const at = (path: string) => page.goto(`${here.service.url}${path}`);
    const heading = () => page.locator("h1").innerText();
    const fine = async (name: string): Promise<void> =>
      expect([name, await pageFaults(page, name), await keyboardFaults(page)]).toEqual([
        name,
        [],
        [],
      ]);
    const linkIn = async (count: number, word: string): Promise<string> => {
      await mails.had(count);
      const { links } = readMail(mails.mails[count - 1] ?? "");
      return new URL(links.find((one) => one.includes(`/${word}/`)) ?? "").pathname;
    };
    for (const locale of locales) {
      await at(`/status/acme/${locale}/subscribe`);
      expect(await heading()).toBe(pageTexts[locale].news.subscribe);
    }
    // A page without a form is renewed, so its script is there.
    await at("/status/acme/en");
    expect(await page.evaluate(pagesAskedFor)).toBe(1);
    await at("/status/acme/en/subscribe");
    await fine("subscribe");
    await at("/status/acme/en/subscribe");
    await page.locator("[name=email]:focus").waitFor();
    await page.keyboard.type("ann@reader.test");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    expect(await page.getByLabel("Shop").isChecked()).toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname.endsWith("/subscribe"));
    await expect.poll(heading).toBe(pageTexts.en.news.asked);
    await page.waitForLoadState();
    expect(await page.evaluate(pagesAskedFor)).toBe(0);
    await at(await linkIn(1, "verify"));
    await page.getByRole("button").focus();
    await page.keyboard.press("Enter");
    await expect.poll(heading).toBe(pageTexts.en.news.confirmed);
    await fine("confirmed");
    await here.call("CreateStatusReport", {
      title: "Cards",
      status: "STATUS_REPORT_STATUS_INVESTIGATING",
      message: "**We look.**",
      date: "2026-11-22T12:00:00Z",
      pageId: "1",
      notify: true,
    });
    await at(await linkIn(2, "manage"));
    await fine("manage");
    // Apart from the service, whose policy forbids a mail's own style.
    await page.goto("about:blank");
    await page.setContent(readMail(mails.mails[1] ?? "").html);
    await fine("mail");
    await at(await linkIn(2, "unsubscribe"));
    await fine("unsubscribe");
    await follow(page.getByRole("button"));
    expect(await heading()).toBe(pageTexts.en.news.left);
    await at("/status/staff");
    await fine("sign-in-by-mail");
    expect(seen.filter((one) => !one.includes("403"))).toEqual([]);
  },
);

test.skipIf(!isThere)(
  "a status page is read by keys alone, on paper, and in forced colours",
  async () => {
    await using here = await statusScene();
    await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
    await here.call("CreateComponentGroup", { pageId: "1", name: "Web" });
    for (const groupId of ["1", ""])
      await here.call("AddStaticComponent", { pageId: "1", name: `Desk${groupId}`, groupId });
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${here.service.url}/status/acme`);
    const desk = page.getByText("Desk1");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**#content");
    await page.keyboard.press("Tab");
    expect(await page.locator("summary:focus").count()).toBe(1);
    expect(await desk.isVisible()).toBe(false);
    await page.emulateMedia({ media: "print" });
    // Paper cannot be opened.
    expect(await desk.isVisible()).toBe(true);
    expect(await paperFaults(page, "status-acme")).toEqual([]);
    await page.keyboard.press("Enter");
    expect(await desk.isVisible()).toBe(true);
    expect(await keyboardFaults(page)).toEqual([]);
    await page.emulateMedia({ forcedColors: "active" });
    // States are shapes and words, which no forced colour takes away.
    for (const mark of await page.locator(".mark").all()) {
      expect(await mark.locator("svg").isVisible()).toBe(true);
      expect((await mark.innerText()).trim()).not.toBe("");
    }
  },
);
