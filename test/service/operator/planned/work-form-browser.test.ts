import { expect, test } from "vitest";
import { follow } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

test.skipIf(!isThere)(
  "planned work ends an hour after it begins and keeps its length, is refused in the words of its form, and needs no message without a page",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    const plan = () => follow(page.getByRole("button", { name: "Schedule maintenance" }));
    await page.goto(`${service.url}/maintenances/new`);
    await page.getByLabel("Title").fill("Upgrade");
    await page.getByLabel("Begins").fill("2026-11-30T23:30");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-01T00:30");
    await page.getByLabel("Ends").fill("2026-11-30T22:00");
    await plan();
    expect(await page.locator(".mistakes li").allInnerTexts()).toEqual([
      "Ends must be later than it begins.",
      "Monitors are missing: choose some, or locations, or a status page.",
    ]);
    const wrong = await page.locator("form .several .wrong-line").allInnerTexts();
    expect(wrong.map((words) => words.trim())).toEqual([
      "They are missing: choose some, or locations, or a status page.",
    ]);
    await page.locator('input[name="monitor_ids"]').first().check();
    await page.getByLabel("Ends").fill("2026-12-01T01:00");
    await page.getByLabel("Begins").fill("2026-11-30T23:00");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-01T00:30");
    await plan();
    const { pathname, search } = new URL(page.url());
    expect(`${pathname}${search}`).toBe("/maintenances/1?notice=planned");
    await page.goto(`${service.url}/maintenances/1/edit`);
    await page.getByLabel("Begins").fill("2026-12-02T10:00");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-02T11:30");
  },
);

test.skipIf(!isThere)(
  "a new form has the next full five minutes and an hour, in the zone that it names, with a script and without",
  async () => {
    const { service } = await operatorScene();
    const shown = [];
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({
        javaScriptEnabled,
        timezoneId: "Asia/Tokyo",
      });
      const page = await context.newPage();
      await page.goto(`${service.url}/maintenances/new`);
      const zone = page.getByLabel("Time zone");
      if (javaScriptEnabled) await expect.poll(() => zone.inputValue()).toBe("Asia/Tokyo");
      const fields = [page.getByLabel("Begins"), page.getByLabel("Ends"), zone];
      shown.push(await Promise.all(fields.map((field) => field.inputValue())));
    }
    expect(shown).toEqual([
      ["2026-11-22T21:05", "2026-11-22T22:05", "Asia/Tokyo"],
      ["2026-11-22T12:05", "2026-11-22T13:05", "UTC"],
    ]);
  },
);

test.skipIf(!isThere)(
  "new work begins with its title, and a form of planned work with none",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    await page.keyboard.type("Upgrade");
    expect(await page.getByLabel("Title").inputValue()).toBe("Upgrade");
    await page.locator('input[name="monitor_ids"]').first().check();
    await follow(page.getByRole("button", { name: "Schedule maintenance" }));
    await follow(page.getByRole("link", { name: "Edit", exact: true }));
    expect(await page.locator("[autofocus]").count()).toBe(0);
  },
);

test.skipIf(!isThere)("what goes to readers is asked once a status page shows it", async () => {
  const { service } = await operatorScene();
  await generatedPage(service);
  await using context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${service.url}/maintenances/new`);
  const asked = [
    page.getByRole("group", { name: "Components without a monitor" }),
    page.getByLabel("Send it to the subscribers of the page"),
    page.getByLabel("Remind subscribers an hour before"),
    page.getByLabel("Say when it starts and is over"),
  ];
  const visible = () => Promise.all(asked.map((one) => one.isVisible()));
  expect(await visible()).toEqual(asked.map(() => false));
  await page.getByLabel("Status page").selectOption("Acme");
  expect(await visible()).toEqual(asked.map(() => true));
});

test.skipIf(!isThere)(
  "the field of a rule is there once work repeats by a rule, also without script",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const when = page.getByRole("group", { name: "When", exact: true });
    expect(await when.getByLabel("Rule", { exact: true }).isVisible()).toBe(false);
    await page.getByLabel("Repeats").selectOption("By a rule");
    await page.getByLabel("Rule", { exact: true }).fill("WHENEVER");
    await page.getByLabel("Title").fill("Upgrade");
    await page.locator('input[name="monitor_ids"]').first().check();
    await follow(page.getByRole("button", { name: "Schedule maintenance" }));
    expect(await page.locator(".mistakes li").allInnerTexts()).toEqual([
      expect.stringMatching(/^Rule /),
    ]);
  },
);

test.skipIf(!isThere)("a zone that the browser calls by an older name is found", async () => {
  const { service } = await operatorScene();
  await using context = await browser.newContext({ timezoneId: "Asia/Calcutta" });
  const page = await context.newPage();
  await page.goto(`${service.url}/maintenances/new`);
  await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Asia/Kolkata");
  expect(await page.getByLabel("Begins").inputValue()).toBe("2026-11-22T17:35");
});

test.skipIf(!isThere)(
  "a form that was refused keeps the zone UTC that a person chose in it",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const zone = page.getByLabel("Time zone");
    await expect.poll(() => zone.inputValue()).toBe("Asia/Tokyo");
    await zone.selectOption("UTC");
    await page.getByLabel("Begins").fill("2026-11-30T23:30");
    await follow(page.getByRole("button", { name: "Schedule maintenance" }));
    expect(await page.locator(".mistakes li").count()).toBeGreaterThan(0);
    // The script of the page has run: it moves the end after the beginning.
    await page.getByLabel("Begins").fill("2026-11-30T23:00");
    await page.getByLabel("Begins").blur();
    await expect.poll(() => page.getByLabel("Ends").inputValue()).toBe("2026-12-01T00:00");
    expect(await zone.inputValue()).toBe("UTC");
  },
);

test.skipIf(!isThere)(
  "a form that comes back without a mistake keeps the zone UTC, and one that a search puts in place still moves its end",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const zone = page.getByLabel("Time zone");
    await expect.poll(() => zone.inputValue()).toBe("Asia/Tokyo");
    await zone.selectOption("UTC");
    const loaded = page.waitForEvent("load");
    // As a search does that the service does not answer.
    await page.locator('button[name="preview"]').evaluate((button) => {
      Reflect.get(button, "form").requestSubmit(button);
    });
    await loaded;
    // As a search that is answered does.
    await page.locator("main").evaluate((main) => main.replaceWith(main.cloneNode(true)));
    await page.getByLabel("Begins").fill("2026-11-30T23:00");
    await page.getByLabel("Begins").blur();
    expect(await page.getByLabel("Ends").inputValue()).toBe("2026-12-01T00:00");
    expect(await zone.inputValue()).toBe("UTC");
  },
);

test.skipIf(!isThere)(
  "the preview follows what is typed and chosen, and a request for what was typed before is ended",
  async () => {
    const { service, get, post } = await operatorScene();
    const form = formTokenIn(await (await get("/maintenances/new")).text());
    await post("/status-pages", { form, title: "Acme", slug: "acme" });
    await post("/status-pages/1/monitors", { form, monitors: "2" });
    await post("/status-pages/1/publish", { form });
    await using context = await browser.newContext();
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    const held = Promise.withResolvers<void>();
    const ended: string[] = [];
    page.on("requestfailed", (request) => ended.push(request.postData() ?? ""));
    await page.route("**/maintenances/new", async (route) => {
      // The first answer never comes.
      if ((route.request().postData() ?? "").includes("title=One&")) return held.resolve();
      await route.continue();
    });
    await page.goto(`${service.url}/maintenances/new?monitor=2`);
    await page.getByLabel("Title").fill("One");
    await held.promise;
    await page.getByLabel("Title").fill("Two");
    const preview = page.locator("#preview");
    await expect.poll(() => preview.innerText()).toContain("Planned maintenance: Two · Acme");
    expect(ended.filter((body) => body.includes("title=One&"))).toHaveLength(1);
    expect(await preview.locator(".affected li").count()).toBe(1);
    const box = page.getByRole("checkbox", { name: /^Send it/ });
    const beside = page.locator(`[id="${await box.getAttribute("aria-describedby")}"]`);
    await expect.poll(() => beside.innerText()).toBe("No one has subscribed to the page yet.");
    await page.getByLabel("Status page").selectOption("No page");
    await expect.poll(() => preview.locator(".affected").count()).toBe(0);
    expect(await beside.innerText()).toBe("No status page is chosen, so no one gets it.");
  },
);

test.skipIf(!isThere)(
  "a press of “Now, for 2 h” fills both times where the form is, and the preview says an end before the beginning",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ timezoneId: "Asia/Tokyo" });
    context.setDefaultTimeout(8_000);
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Asia/Tokyo");
    await page.getByLabel("Title").fill("Hotfix");
    await page.getByRole("button", { name: "Now, for 2 h" }).click();
    const fields = ["Title", "Begins", "Ends", "Time zone"].map((label) => page.getByLabel(label));
    const filled = ["Hotfix", "2026-11-22T21:00", "2026-11-22T23:00", "Asia/Tokyo"];
    await expect.poll(() => Promise.all(fields.map((field) => field.inputValue()))).toEqual(filled);
    await page.getByLabel("Ends").fill("2026-11-22T20:00");
    await expect
      .poll(() => page.locator("#preview .wrong-line").allInnerTexts())
      .toEqual(["It ends before it begins: choose an end after 2026-11-22 21:00."]);
  },
);

test.skipIf(!isThere)(
  "a list of boxes that continues below is shaded at its end until a person has scrolled there",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/maintenances/new`);
    const boxes = page.locator(".boxes").first();
    const lastPixels = async () => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await boxes.boundingBox()) ?? {};
      const clip = { x: x + width - 24, y: y + height - 3, width: 20, height: 2 };
      return (await page.screenshot({ clip, fullPage: true })).toString("base64");
    };
    const more = await lastPixels();
    await boxes.evaluate((list) => list.scrollTo(0, list.scrollHeight));
    expect(await lastPixels()).not.toBe(more);
  },
);
