import { describe, expect, test } from "vitest";
import type { Service } from "#service/server";
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
      await removeReport(service, "1");
      await using context = await browser.newContext({
        javaScriptEnabled: false,
        viewport: sizes.phone,
      });
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
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
    "has the way to its title at the title, with the cursor in the field",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/reports/1`);
      await follow(page.getByRole("link", { name: "Correct the title" }));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type("Card payments fail");
      await follow(page.getByRole("button", { name: "Save" }));
      expect(await page.locator("h1").innerText()).toBe("Card payments fail");
    },
  );

  test.skipIf(!isThere)(
    "no longer says to enter a title once one is typed, also without scripts",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1/reports/new`);
      const title = page.getByLabel("Title", { exact: true });
      await title.fill("");
      await follow(page.getByRole("button", { name: "Publish the report" }).last());
      const line = page.getByText("Enter a title.", { exact: true }).last();
      expect(await line.isVisible()).toBe(true);
      // A mark in red is around it, and is gone with the line.
      const shadow = () =>
        page.evaluate<string>('getComputedStyle(document.querySelector("[name=title]")).boxShadow');
      await page.getByLabel("Message", { exact: true }).focus();
      expect(await shadow()).not.toBe("none");
      await title.fill("Card payments are slow");
      await page.getByLabel("Message", { exact: true }).focus();
      expect([await line.isVisible(), await shadow()]).toEqual([false, "none"]);
    },
  );

  test.skipIf(!isThere)(
    "says at its preview that it waits while the service is away, and follows once it is back",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1/reports/new`);
      const posts = (url: URL): boolean => url.pathname.endsWith("/reports/new");
      await page.route(posts, (route) => route.abort());
      await page.getByLabel("Message", { exact: true }).fill("We look into it.");
      const preview = page.locator("#preview");
      await preview.getByText("this shows what you typed before").waitFor();
      expect(await preview.innerText()).not.toContain("We look into it.");
      await page.unroute(posts);
      await preview.getByText("We look into it.").waitFor();
      expect(await preview.innerText()).not.toContain("this shows what you typed before");
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
        await page.getByLabel("Impact", { exact: true }).selectOption({ label: "Outage" });
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
        "Outage",
      ])
        expect(looks[0]).toContain(words);
    },
  );
});

describe("Return in a field of one line of a report", () => {
  test.skipIf(!isThere)(
    "leads to the next field, or shows the preview without a script, and publishes nothing",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      for (const javaScriptEnabled of [true, false]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        context.setDefaultTimeout(10_000);
        const page = await context.newPage();
        for (const path of ["/status-pages/1/reports/new", "/reports/1/updates/1/edit"]) {
          await page.goto(`${service.url}${path}`);
          await page.getByLabel("Title").fill("Slow");
          const enter = page.keyboard.press("Enter");
          if (javaScriptEnabled) await enter;
          else await Promise.all([page.waitForEvent("load"), enter]);
          const next = javaScriptEnabled ? "status" : "message";
          await page.locator(`[name="${next}"]:focus`).waitFor();
          expect(new URL(page.url()).pathname).toBe(path);
          expect(await page.getByLabel("Title").inputValue()).toBe("Slow");
          await page.locator("#preview").getByText("Slow").first().waitFor();
        }
        const list = await (await fetch(`${service.url}/status-pages/1/reports`)).text();
        expect(list).not.toContain("Slow");
      }
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
      expect(await link.getAttribute("href")).toMatch(
        /^\/status\/acme\/events\/report\/3\?as-of=\d+$/,
      );
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

describe("a report that still says what monitors no longer see", () => {
  test.skipIf(!isThere)(
    "is named on the overview, in its list and on its page, and is resolved from there without scripts",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await reportOutage(service, "The shop is down", ["1"]);
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      for (const at of ["/", "/status-pages/1/reports", "/reports/3"]) {
        await page.goto(`${service.url}${at}`);
        expect(await page.locator("main").innerText()).toMatch(
          /All monitors of Shop pass since 22\sNov,\s\d\d:\d\d\sUTC\. Resolve this report, or say what is still wrong\./,
        );
        const acts = page.getByRole("link", { name: "Resolve: The shop is down" });
        expect(await acts.count()).toBe(1);
      }
      await page.goto(service.url);
      await follow(page.getByRole("link", { name: "Resolve: The shop is down" }));
      expect(await page.getByLabel("State").inputValue()).toBe("resolved");
      await follow(page.getByRole("button", { name: "Publish the update" }));
      for (const at of ["/", "/status-pages/1/reports", "/reports/3"]) {
        await page.goto(`${service.url}${at}`);
        expect(await page.locator("main").innerText()).not.toContain("All monitors of Shop");
      }
    },
  );

  test.skipIf(!isThere)(
    "sets what has recovered to Operational by one press that keeps what was typed, and leaves the rest",
    async () => {
      const { service } = await operatorScene();
      await generatedPage(service);
      await reportOutage(service, "Shop and billing are down", ["1", "2"]);
      for (const javaScriptEnabled of [true, false]) {
        await using context = await browser.newContext({ javaScriptEnabled });
        const page = await context.newPage();
        await page.goto(`${service.url}/reports/3`);
        expect(await page.locator("#preview").innerText()).toMatch(
          /Still outage\s+Shop\s+Still outage\s+Billing API/,
        );
        await page.getByLabel("Message", { exact: true }).fill("The shop is back.");
        await follow(page.getByRole("button", { name: "Set what has recovered to Operational" }));
        expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe(
          "The shop is back.",
        );
        expect(await page.locator("input[name=components]:checked").count()).toBe(1);
        expect(await page.locator(".said-updates > li").count()).toBe(1);
      }
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(service.url);
      await follow(
        page.getByRole("link", { name: /^Set what has recovered .* Shop and billing are down$/ }),
      );
      expect(await page.getByLabel("Message", { exact: true }).inputValue()).toBe(
        "Shop works again.",
      );
      await follow(page.getByRole("button", { name: "Publish the update" }));
      expect(await page.locator(".said-updates .kind").first().innerText()).toBe(
        "Shop: Operational",
      );
      expect(await page.locator("main").innerText()).not.toContain("pass again");
      await page.goto(`${service.url}/status/acme`);
      expect(await page.locator(".report", { hasText: "Shop and billing" }).count()).toBe(1);
    },
  );

  test.skipIf(!isThere)("has its title in one line of the list on a desk", async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext({ viewport: sizes.desktop });
    const page = await context.newPage();
    await page.goto(`${service.url}/status-pages/1/reports`);
    const title = await page.getByRole("link", { name: "Card payments are slow" }).boundingBox();
    expect(title?.height).toBeLessThan(30);
  });
});

async function removeReport({ url, admin }: Service, id: string): Promise<void> {
  const { key } = await admin.createApiKey({ name: "removal", scope: "write" });
  const answer = await fetch(
    `${url}/rpc/openstatus.status_report.v1.StatusReportService/DeleteStatusReport`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({ id }),
    },
  );
  expect(answer.status).toBe(200);
}

/** By a person who has a key. */
async function reportOutage(
  { url, admin }: Service,
  title: string,
  components: readonly string[],
): Promise<void> {
  const { key } = await admin.createApiKey({ name: "reports", scope: "write" });
  const impact = "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE";
  const answer = await fetch(
    `${url}/rpc/openstatus.status_report.v1.StatusReportService/CreateStatusReport`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({
        title,
        status: "STATUS_REPORT_STATUS_IDENTIFIED",
        message: "It does not answer.",
        date: "2026-11-22T09:40:00Z",
        pageId: "1",
        componentImpacts: components.map((pageComponentId) => ({ pageComponentId, impact })),
      }),
    },
  );
  expect(answer.status).toBe(200);
}

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
      page.setDefaultTimeout(10_000);
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
      expect(await page.locator("h1").innerText()).toBe("Upgrade");
      expect(await page.locator(".tiles").innerText()).toContain("every Tuesday, 22:00");
      await follow(page.getByRole("link", { name: "Edit", exact: true }));
      expect(await page.getByLabel("Begins").inputValue()).toBe("2026-12-01T22:00");
      expect(await page.getByLabel("Repeats").inputValue()).toBe("weekly");
    },
  );
});

test.skipIf(!isThere)(
  "title and message that the form filled in follow the state and what is ticked, and what a person typed stays",
  async () => {
    const { service } = await operatorScene();
    await generatedPage(service);
    for (const javaScriptEnabled of [true, false]) {
      await using context = await browser.newContext({ javaScriptEnabled });
      const page = await context.newPage();
      await page.goto(`${service.url}/status-pages/1/reports/new`);
      const [title, message] = [
        page.getByLabel("Title"),
        page.getByLabel("Message", { exact: true }),
      ];
      const values = async () => [await title.inputValue(), await message.inputValue()];
      expect(await values()).toEqual([
        "Intranet is slow",
        "We are investigating why Intranet is slow.",
      ]);
      const button = page.getByRole("button", { name: "Preview" });
      const previewed = async () => (javaScriptEnabled ? undefined : follow(button));
      await page.getByRole("checkbox", { name: "Wiki" }).check();
      await page.getByLabel("Impact", { exact: true }).selectOption({ label: "Outage" });
      await previewed();
      await expect
        .poll(values)
        .toEqual([
          "Intranet and Wiki are not available",
          "We are investigating why Intranet and Wiki are not available.",
        ]);
      // A title of their own does not contradict the message.
      await title.fill("Colleagues cannot sign in");
      await previewed();
      await expect
        .poll(values)
        .toEqual(["Colleagues cannot sign in", "We are investigating the problem."]);
      await page.getByLabel("State").selectOption({ label: "Resolved" });
      await previewed();
      await expect.poll(values).toEqual(["Colleagues cannot sign in", "The problem is resolved."]);
      await message.fill("Ours.");
      await page.getByRole("checkbox", { name: "Wiki" }).uncheck();
      await previewed();
      await expect.poll(() => page.locator("#preview .affected li").count()).toBe(1);
      expect(await values()).toEqual(["Colleagues cannot sign in", "Ours."]);
    }
  },
);
