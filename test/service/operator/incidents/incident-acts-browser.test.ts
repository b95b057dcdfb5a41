import { describe, expect, test } from "vitest";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const browser = fileBrowser();
const { isThere } = browser;
const nowhere = { x: 0, y: 0, width: 0, height: 0 };

test.skipIf(!isThere)(
  "the facts of an incident that is acknowledged and silenced are whole at 1280",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${service.url}/incidents/7`);
    const acts = page.getByRole("group", { name: "Actions" });
    await follow(acts.getByRole("button", { name: "Acknowledge" }));
    await acts.getByText("Silence this monitor").click();
    expect(await acts.getByRole("radio").count()).toBe(5);
    await follow(acts.getByRole("button", { name: "Silence" }));
    const facts = page.locator(".brief > div");
    expect(await facts.count()).toBe(5);
    const cut = await facts.evaluateAll((all) =>
      all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent),
    );
    expect(cut).toEqual([]);
  },
);

test.skipIf(!isThere).each([sizes.phone.width, 1280])(
  "Edit and Delete of a comment are two like buttons in one line at %i pixels",
  async (width) => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(`${service.url}/incidents/7`);
    const form = page.locator('form[action="/incidents/7/comment"]');
    await form.locator("textarea").fill("the disc is full");
    await follow(form.getByRole("button", { name: "Comment" }));
    const acts = page.locator(".moments .acts");
    const looks = await acts.locator("a, button").evaluateAll((all) =>
      all.map((one) => {
        const { y, height } = one.getBoundingClientRect();
        const { color, borderColor, fontSize } = Reflect.get(globalThis, "getComputedStyle")(one);
        return { y, height, color, borderColor, fontSize };
      }),
    );
    expect(looks).toHaveLength(2);
    expect(looks[0]).toEqual(looks[1]);
    const text = await page.locator(".moments .written").last().boundingBox();
    expect((await acts.locator("a").boundingBox())?.x).toBe(text?.x);
  },
);

describe("the acts of an incident", () => {
  test.skipIf(!isThere)(
    "are in view on a phone as the page opens: acknowledge, comment, silence and unsilence, without scripts",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({
        javaScriptEnabled: false,
        viewport: { ...sizes.phone, height: 560 },
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      await page.goto(`${service.url}/incidents/7`);
      const acts = page.getByRole("group", { name: "Actions" });
      const box = await acts.boundingBox();
      expect((box?.y ?? 0) + (box?.height ?? Infinity)).toBeLessThanOrEqual(560);
      // One line of buttons, the first of which is the one that stands out.
      const tops = async () =>
        acts
          .locator("> :visible")
          .evaluateAll((all) => [
            ...new Set(all.map((one) => Math.round(one.getBoundingClientRect().top))),
          ]);
      expect((await tops()).length).toBe(1);
      expect(await acts.locator(":is(button, summary):visible").first().innerText()).toBe(
        "Acknowledge",
      );
      await follow(acts.getByRole("button", { name: "Acknowledge" }));
      expect(await page.getByRole("status").innerText()).toContain("Acknowledged");
      expect((await tops()).length).toBe(1);
      await acts.getByText("Silence this monitor").click();
      await follow(acts.getByRole("button", { name: "Silence" }));
      expect(await page.locator("main").innerText()).toMatch(/Silenced for 1\sh more/);
      await follow(page.getByRole("button", { name: "End silence" }));
      expect(await page.getByRole("status").innerText()).toContain("The silence is over");
      await page.getByLabel("Comment for your colleagues").fill("I look at it");
      await follow(page.getByRole("button", { name: "Comment", exact: true }));
      expect(await page.locator(".moments").innerText()).toContain("I look at it");
      await acts.locator("summary", { hasText: "More for this incident" }).click();
      await follow(acts.getByRole("button", { name: "Take back acknowledgement" }));
      expect(await acts.getByRole("button").first().innerText()).toBe("Acknowledge");
    },
  );
});

test.skipIf(!isThere)(
  "an open incident has its timeline in the first view, next to who was notified, and what was measured after that",
  async () => {
    const { service } = await operatorScene();
    await using context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents/7`);
    const story = page.locator("main .story");
    expect(await story.locator("h2").allInnerTexts()).toEqual([
      "Timeline",
      "Who was notified",
      "1 earlier incident",
      "Latency around it",
      expect.stringMatching(/^Last failing check/),
      expect.stringMatching(/^First failing check/),
    ]);
    const boxOf = async (name: string | RegExp) =>
      (await story.locator("section", { hasText: name }).first().boundingBox()) ?? nowhere;
    const [timeline, notified] = [await boxOf("Timeline"), await boxOf("Who was notified")];
    expect(timeline.y).toBeLessThan(450);
    expect(notified.y).toBe(timeline.y);
    expect(notified.x).toBeGreaterThan(timeline.x + timeline.width);
    expect((await boxOf(/Last failing check/)).width).toBeGreaterThan(timeline.width + 300);
    await page.setViewportSize(sizes.phone);
    expect((await boxOf("Timeline")).y).toBeLessThan((await boxOf("Who was notified")).y);
  },
);

test.skipIf(!isThere)(
  "the reports of several status pages are in plain sight below the acts, and leave the title its room",
  async () => {
    const scene = await operatorScene();
    const { service } = scene;
    const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
    const monitors = /\/monitors\/(\d+)/.exec(await (await scene.get("/incidents/7")).text())?.[1];
    for (const [id, title] of [
      [1, "Acme"],
      [2, "Staff"],
      [3, "Partners of the shop"],
    ] as const) {
      await scene.post("/status-pages", {
        form,
        title,
        slug: title.toLowerCase().replaceAll(" ", "-"),
      });
      await scene.post(`/status-pages/${id}/monitors`, { form, monitors: monitors ?? "" });
    }
    await using context = await browser.newContext({ viewport: sizes.phone });
    const page = await context.newPage();
    await page.goto(`${service.url}/incidents/7`);
    const links = page.getByRole("group", { name: "Reports" }).getByRole("link");
    expect(await links.allInnerTexts()).toEqual([
      "Report on Acme",
      "Report on Staff",
      "Report on Partners of the shop",
    ]);
    for (const one of await links.all()) expect(await one.isVisible()).toBe(true);
    await follow(links.last());
    expect(page.url()).toBe(`${service.url}/status-pages/3/reports/new?incident=7`);
    await page.setViewportSize(sizes.desktop);
    await page.goto(`${service.url}/incidents/7`);
    expect(await links.first().isVisible()).toBe(true);
    const lines = await page.locator("h1").evaluate((one) => one.getClientRects()[0]?.height ?? 0);
    expect(lines).toBeLessThan(60);
  },
);
