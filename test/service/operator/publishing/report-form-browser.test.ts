import { describe, expect, test } from "vitest";
import { follow, sizes } from "../../../support/browser.ts";
import { fileBrowser } from "../../../support/file-browser.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

describe("a report", () => {
  test.skipIf(!isThere)(
    "of an incident is filled in, and published by two touches on a phone without scripts",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext({
        javaScriptEnabled: false,
        viewport: sizes.phone,
      });
      const page = await context.newPage();
      await page.goto(`${service.url}/incidents/7`);
      await follow(page.getByRole("link", { name: "Report on Acme" }));
      expect(await page.getByLabel("Title").inputValue()).toBe("Billing API is not available");
      expect(await page.getByRole("checkbox", { name: "Billing API" }).isChecked()).toBe(true);
      await follow(page.getByRole("button", { name: "Publish the report" }).last());
      expect(await page.locator("h1").innerText()).toBe("Billing API is not available");
      await page.goto(`${service.url}/status/acme`);
      expect(await page.locator(".report.major_outage h2").innerText()).toBe(
        "Investigating\nBilling API is not available",
      );
    },
  );

  test.skipIf(!isThere)(
    "is shown as it will look: while it is typed by a script, and by a button without one",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      const text = "We **look** <b>into</b> it.\n\n- one\n- two";
      const looks: string[] = [];
      for (const javaScriptEnabled of [true, false]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/status-pages/1/reports/new`);
        await page.getByLabel("Title").fill("Slow");
        await page.getByLabel("Message", { exact: true }).fill(text);
        await page.getByRole("checkbox", { name: "Intranet" }).check();
        await page.getByLabel("Impact", { exact: true }).selectOption({ label: "Major outage" });
        await page.getByRole("checkbox", { name: /^Send it/ }).check();
        const button = page.getByRole("button", { name: "Preview" });
        if (!javaScriptEnabled) await follow(button);
        await page.getByText("The page's subscribers get it, too.").waitFor();
        looks.push(await page.locator("#preview").innerText());
        expect(await button.isVisible()).toBe(!javaScriptEnabled);
        expect(await page.locator("#preview b").count()).toBe(0);
        expect(await page.getByLabel("Title").inputValue()).toBe("Slow");
      }
      expect(looks[0]).toBe(looks[1]);
      for (const words of [
        "Investigating\nSlow",
        "Affected: Intranet",
        "Their mail is called “Investigating: Slow · Acme”.",
        "We look <b>into</b> it.",
        "Major outage",
      ])
        expect(looks[0]).toContain(words);
    },
  );
});

describe("what a report offers", () => {
  test.skipIf(!isThere)(
    "is what fails now, and a report is ended by two clicks, with all that was said in the preview",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext({ viewport: sizes.phone });
      const page = await context.newPage();
      // Billing API is in a report already, and Intranet is slow.
      await page.goto(`${service.url}/status-pages/1/reports/new`);
      expect(await page.getByLabel("Title").inputValue()).toBe("Intranet is slow");
      expect(await page.getByLabel("Impact", { exact: true }).inputValue()).toBe(
        "degraded_performance",
      );
      const ticked = page.locator("input[name=components]:checked");
      expect(await ticked.count()).toBe(1);
      await follow(page.getByRole("button", { name: "Publish the report" }));
      const link = page.getByRole("link", { name: "View on the page" });
      expect(await link.getAttribute("href")).toBe("/status/acme/events/report/3");
      await follow(page.getByRole("link", { name: "Resolve" }));
      expect(await page.locator("#preview").innerText()).toMatch(
        /Resolved[^]*The problem is resolved\.[^]*We are investigating why Intranet is slow\.[^]*The impact ends/,
      );
      await follow(page.getByRole("button", { name: "Publish the update" }));
      expect(await page.locator(".verdict").innerText()).toContain("Resolved");
      await follow(page.getByRole("link", { name: "View on the page" }));
      expect(await page.locator(".report.resolved .updates > li").count()).toBe(2);
    },
  );
});

describe("the preview on a phone", () => {
  test.skipIf(!isThere)("has the same left edge as the groups above it", async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: sizes.phone });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/reports/new`);
    const lefts = [];
    for (const heading of ["fieldset.group > legend", "#preview-title"])
      lefts.push((await page.locator(heading).first().boundingBox())?.x);
    expect(lefts[1]).toBe(lefts[0]);
  });
});

describe("planned maintenance", () => {
  test.skipIf(!isThere)(
    "is planned in the zone of the person, and each refusal names its field and keeps what was typed",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext({ timezoneId: "Europe/Berlin" });
      const page = await context.newPage();
      await page.goto(`${service.url}/maintenances`);
      await follow(page.getByRole("link", { name: "Plan maintenance" }));
      await expect.poll(() => page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
      await page.getByLabel("Title").fill("Upgrade");
      await page.getByLabel("Message", { exact: true }).fill("Read-only");
      await page.getByLabel("Begins").fill("2026-12-01T22:00");
      await page.getByLabel("Ends").fill("2026-12-01T21:00");
      await page.getByLabel("Repeats").selectOption({ label: "Every week on this day" });
      await page.getByRole("checkbox", { name: "Shop", exact: true }).check();
      await page.getByLabel("Status page").selectOption({ label: "Acme" });
      await page.getByText("Planned maintenance: Upgrade · Acme").waitFor();
      const plan = page.getByRole("button", { name: "Schedule maintenance" }).last();
      await follow(plan);
      expect(await page.getByRole("alert").innerText()).toContain(
        "Ends must be later than it begins.",
      );
      expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berlin");
      await page.getByLabel("Ends").fill("2026-12-01T23:00");
      await follow(plan);
      const line = page.locator("li.planned-row", { hasText: "every Tuesday" });
      expect(await line.innerText()).toMatch(/Upgrade[^]*every Tuesday, 22:00/);
      await follow(line.getByRole("link", { name: "Edit Upgrade" }));
      expect(await page.getByLabel("Begins").inputValue()).toBe("2026-12-01T22:00");
      expect(await page.getByLabel("Repeats").inputValue()).toBe("weekly");
    },
  );
});
