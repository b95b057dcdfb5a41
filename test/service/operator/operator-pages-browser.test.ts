import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import {
  complaints,
  follow,
  openAll,
  overhang,
  signOut,
  snap,
  watchPage,
} from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { identityProvider } from "../../support/identity-provider.ts";
import { inParts } from "../../support/in-parts.ts";
import { keyboardFaults, pageFaults, paperFaults, tabTo } from "../../support/page-faults.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { operatorScene } from "../../support/operator-scene.ts";

const browser = fileBrowser();
const { isThere } = browser;

const paths: Readonly<Record<string, string>> = {
  overview: "/",
  "monitor of a day": "/monitors/2",
  "monitor of an hour": "/monitors/3?range=1h",
  location: "/locations/2",
  incidents: "/incidents",
  incident: "/incidents/2",
  failures: "/failures",
  channels: "/channels",
  channel: "/channels/2",
  maintenance: "/maintenances",
  "one maintenance": "/maintenances/1",
  "plan of maintenance": "/maintenances/new?monitor=2",
  "updates of maintenance": "/maintenances/1/updates",
  "status pages": "/status-pages",
  "status page": "/status-pages/1",
  "component that is edited": "/status-pages/1?edit=2",
  "group that is edited": "/status-pages/1?edit=group-1",
  "reports of a status page": "/status-pages/1/reports",
  "look of a status page": "/status-pages/1/look",
  "access to a status page": "/status-pages/1/access",
  "badge and feeds of a status page": "/status-pages/1/share",
  "settings of a status page": "/status-pages/1/settings",
  "subscribers of a status page": "/status-pages/1/subscribers",
  report: "/reports/1",
  "uptime report": "/uptime",
  "new report": "/status-pages/1/reports/new?incident=7",
  "template from a report": "/status-pages/1/templates/new?report=1",
  "update that is corrected": "/reports/1/updates/1/edit",
  "update that is removed": "/reports/1/updates/1/remove",
};

test
  .skipIf(!isThere)
  .each(inParts(Object.entries(paths), 7).map((part) => ({ part, from: part[0]?.[0] })))(
  "every page of the operator's, from $from on, is accessible and fits: light and dark, on a desk and on a phone, at 400 %, in forced colours, on paper, by the keyboard alone",
  async ({ part }) => {
    const { service } = await operatorScene();
    await generatedPage(service);
    await using context = await browser.newContext();
    // A page that renews itself every ten seconds would be another one in the middle of the judgement.
    await context.route("**/live.js", (route) =>
      route.fulfill({ contentType: "text/javascript", body: "" }),
    );
    const seen = watchPage(context, service.url);
    // One page for all: a browser starts a process for each, and has to compile the rules anew.
    const page = await context.newPage();
    const faults: string[] = [];
    for (const [name, path] of part) {
      await page.goto(`${service.url}${path}`);
      await openAll(page);
      const pictures = `operator-${name.replaceAll(" ", "-")}`;
      const found = [
        ...(await pageFaults(page, pictures)),
        ...(await paperFaults(page, pictures)),
        ...(await keyboardFaults(page)),
      ];
      faults.push(...found.map((one) => `${name}: ${one}`));
    }
    expect([...faults, ...seen].join("\n")).toBe("");
  },
);

describe("the operator's pages", () => {
  test.skipIf(!isThere)(
    "on a phone have filters behind one button, and on a desk none",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ viewport: { width: 390, height: 844 } });
      const page = await context.newPage();
      await page.goto(`${service.url}/?label=team:web`);
      const [button, label] = [page.getByText("Filter: 1"), page.locator("select[name=label]")];
      expect([await button.isVisible(), await label.isVisible()]).toEqual([true, false]);
      await button.click();
      expect(await label.isVisible()).toBe(true);
      await button.click();
      await page.setViewportSize({ width: 1_280, height: 800 });
      expect([await button.isVisible(), await label.isVisible()]).toEqual([false, true]);
    },
  );

  test.skipIf(!isThere).each([1_280, 390])(
    "have the name and the reason of a monitor at one edge of the list, at %i px",
    async (width) => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ viewport: { width, height: 844 } });
      const page = await context.newPage();
      await page.goto(service.url);
      const row = page.locator(".picks > .line").filter({ hasText: "Billing API" });
      const starts = await row.locator("h3 > a:first-child, .why").evaluateAll((all) =>
        all.map((one) => {
          const range = Reflect.get(globalThis, "document").createRange();
          range.selectNodeContents(one);
          return Math.round(range.getBoundingClientRect().left);
        }),
      );
      expect(starts).toHaveLength(2);
      expect(new Set(starts).size).toBe(1);
      const incident = row.locator(".why a").last();
      const [line, link] = [await row.locator(".why").boundingBox(), await incident.boundingBox()];
      expect(link?.height).toBeLessThan(30);
      expect(line?.height).toBeLessThan(80);
    },
  );

  test.skipIf(!isThere)(
    "lead without scripts from what fails to why, by links and forms alone",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(service.url);
      expect(await page.title()).toBe("4 failing · Picket");
      await follow(page.getByRole("link", { name: "Failing 4" }));
      await page.getByLabel("Search").fill("billing");
      await page.getByLabel("Sort by").selectOption("name");
      await follow(page.getByRole("button", { name: "Search" }));
      expect(new URL(page.url()).search).toBe(
        "?state=error&text=billing&location=&label=&sort=name",
      );
      await follow(page.getByRole("link", { name: "Billing API" }));
      expect(await page.locator("h1").innerText()).toBe("Billing API");
      expect(await page.locator(".phases .failing").count()).toBe(1);
      await follow(page.getByRole("link", { name: "7d" }));
      expect(await page.getByRole("img", { name: /^7d: / }).count()).toBe(1);
      const locations = page.getByRole("navigation", { name: "Location" });
      await follow(locations.getByRole("link", { name: "Warehouse" }));
      expect(new URL(page.url()).search).toBe("?range=7d&location=2");
      await follow(page.getByRole("button", { name: "Check now" }));
      expect(await page.getByRole("status").innerText()).toMatch(
        /^Nothing was checked: the agent of\s+Office/,
      );
      await follow(
        page.getByRole("link", { name: "Incidents, 5 open, 4 not acknowledged", exact: true }),
      );
      await follow(page.getByRole("link", { name: "Billing API" }).first());
      await follow(page.getByRole("button", { name: "Acknowledge" }));
      expect(await page.getByRole("status").innerText()).toMatch(/^Acknowledged/);
      await page.getByText("Silence this monitor", { exact: true }).click();
      await page.getByLabel("Reason").fill("we look at it");
      await page.getByLabel("4 hours").check();
      await follow(page.getByRole("button", { name: "Silence", exact: true }));
      expect(await page.getByText("Silenced for").innerText()).toContain("we look at it");
    },
  );

  test.skipIf(!isThere)(
    "make, fill, publish and report on a status page with the keyboard alone and without scripts",
    async () => {
      const { service } = await operatorScene();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const type = async (label: string, text: string) => {
        await tabTo(page, page.getByLabel(label, { exact: true }).and(page.locator(":visible")));
        await page.keyboard.type(text);
      };
      const press = async (name: string) => {
        await tabTo(page, page.getByRole("button", { name }));
        const loaded = page.waitForEvent("load");
        await page.keyboard.press("Enter");
        await loaded;
      };
      const open = async (summary: string) => {
        await tabTo(page, page.locator("summary", { hasText: summary }));
        await page.keyboard.press("Enter");
      };
      await page.goto(`${service.url}/status-pages`);
      await type("Title", "Acme");
      await type("Name in the address", "acme");
      await press("Create status page");
      expect(await page.locator(".draft").innerText()).toMatch(
        /^Draft: only people who sign in here see it. Next: add the monitors/,
      );
      expect((await fetch(`${service.url}/status/acme`)).status).toBe(404);
      await tabTo(page, page.getByLabel("Shop"));
      await page.keyboard.press("Space");
      await press("Add monitors");
      await open("Add");
      await tabTo(page, page.getByRole("link", { name: "Component without a monitor" }));
      const opened = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await opened;
      await type("Name", "Payments");
      await press("Add component");
      await press("Publish: Acme");
      expect(await page.getByRole("status").innerText()).toMatch(/^Published/);
      await tabTo(page, page.getByRole("link", { name: "Write a report" }));
      const loaded = page.waitForEvent("load");
      await page.keyboard.press("Enter");
      await loaded;
      await type("Title", "Payments are slow");
      await type("Message", "We look **into** it.");
      await press("Publish the report");
      expect(await page.locator("h1").innerText()).toBe("Payments are slow");
      await type("Message", "A switch was replaced.");
      await press("Publish the update");
      expect(await page.locator("li.incident").count()).toBe(2);
      await page.goto(`${service.url}/status/acme`);
      const shown = await page.locator("main").innerText();
      for (const words of ["Shop", "Payments", "Payments are slow", "A switch was replaced."])
        expect(shown).toContain(words);
    },
  );

  test.skipIf(!isThere)(
    "show what is new without a reload, and take one to the text field with a key",
    async () => {
      const { service, clock } = await operatorScene();
      await using context = await browser.newContext();
      const seen = watchPage(context, service.url);
      const page = await context.newPage();
      await page.clock.install();
      await page.goto(service.url);
      await page.keyboard.press("/");
      expect(await page.getByLabel("Search").evaluate((one) => one.matches(":focus"))).toBe(true);
      await page.getByLabel("Search").blur();
      await clock.advance(10 * 60_000);
      const renewed = page.waitForResponse(`${service.url}/`);
      await page.clock.runFor(10_000);
      await renewed;
      await page.getByText("12 without data, of 12 monitors").waitFor();
      expect(await page.title()).toBe("Picket");
      expect(seen).toEqual([]);
    },
  );

  test.skipIf(!isThere)(
    "have their parts at the side of a wide screen, else in a header of one line whose menu opens without scripts",
    async () => {
      const scene = await operatorScene({ pages: "signed in", days: 0 });
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const name = "the night shift of the platform team";
      const { key } = await scene.service.admin.createApiKey({ name, scope: "read" });
      await page.goto(scene.service.url);
      await page.locator("#secret").fill(key);
      await follow(page.getByRole("button", { name: "Sign in" }));
      await page.setViewportSize({ width: 1280, height: 844 });
      const side = await page.locator("body > header").boundingBox();
      expect((side?.width ?? 1280) < 240).toBe(true);
      const link = page.getByRole("link", { name: "Locations", exact: true });
      expect(await link.isVisible()).toBe(true);
      expect(await overhang(page)).toBe(0);
      for (const width of [1024, 390]) {
        await page.setViewportSize({ width, height: 844 });
        const box = await page.locator("body > header").boundingBox();
        expect([width, box?.height ?? 0]).toEqual([width, expect.toSatisfy((px) => px < 60)]);
        expect(await overhang(page)).toBe(0);
      }
      await page.getByRole("button", { name: "Menu" }).click();
      await follow(link);
      expect(await page.locator("h1").innerText()).toBe("Locations");
    },
  );

  test.skipIf(!isThere)("are signed in to by a person, and out of", async () => {
    const { service } = await operatorScene({ pages: "signed in" });
    const { key } = await service.admin.createApiKey({ name: "night shift", scope: "read" });
    await using context = await browser.newContext();
    const seen = watchPage(context, service.url);
    const page = await context.newPage();
    await page.goto(`${service.url}/monitors/2`);
    expect(await complaints(page, "all")).toEqual([]);
    await snap(page, "operator-sign-in");
    const head = await page.locator("body > header").boundingBox();
    expect((head?.height ?? 1_000) < 60).toBe(true);
    // The field has the focus by itself; a hand that is quicker than that would have the browser complain.
    const field = page.locator("#secret:focus");
    await field.waitFor();
    await field.fill("not a key");
    await follow(page.getByRole("button", { name: "Sign in" }));
    expect(await page.getByRole("alert").innerText()).toMatch(/^That is neither a valid API key/);
    await field.waitFor();
    await field.fill(key);
    await follow(page.getByRole("button", { name: "Sign in" }));
    expect(await page.locator("h1").innerText()).toBe("Billing API");
    expect(await page.locator(".out").innerText()).toMatch(
      /^\s*key “night shift”\s+Reader: you may see everything and change nothing\./,
    );
    await signOut(page);
    await page.goto(service.url);
    expect(new URL(page.url()).pathname).toBe("/sign-in");
    expect(seen.filter((one) => !one.includes("403"))).toEqual([]);
  });

  test.skipIf(!isThere)(
    "are signed in to by an identity provider on another site, and the page is accessible",
    async () => {
      const provider = await identityProvider();
      const rules = { reader: ["@example.com"] };
      const oidc = provider.settingsFor(() => service.url, rules);
      const { service } = await operatorScene({ pages: "signed in", oidc });
      provider.open(oidc.callbackUrl, { ann: { email: "ann@example.com", email_verified: true } });
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${service.url}/monitors/2`);
      expect(await complaints(page, "all")).toEqual([]);
      await snap(page, "operator-sign-in-provider");
      await follow(page.getByRole("link", { name: /^Sign in with localhost/ }));
      await page.waitForURL(`${service.url}/monitors/2`);
      expect(await page.locator("h1").innerText()).toBe("Billing API");
      expect(await page.locator(".out").innerText()).toMatch(/^\s*ann@example\.com\s+Reader: /);
      await signOut(page);
      expect(await page.getByRole("status").innerText()).toMatch(
        /^You are signed out here. You may still be signed in at localhost/,
      );
      provider.close();
      await follow(page.getByRole("link", { name: /^Sign in with localhost/ }));
      expect(await page.getByRole("alert").innerText()).toMatch(
        /^The identity provider is not reached at localhost:\d+: connection refused\.$/,
      );
      await snap(page, "operator-sign-in-broken");
    },
  );

  test.skipIf(!isThere)(
    "show hostile names as they are, and no element is made of them",
    async () => {
      const { service } = await operatorScene();
      const attack = (word: string): string =>
        `"'><img src=x onerror=alert(1) id=${word}></p><script>alert(1)</script>&lt;\u202e`;
      const definition = {
        ...httpDefaults,
        name: attack("name"),
        url: "https://user:planted@shop.test/<b>?planted",
        description: attack("description"),
        periodicity: "30s",
        active: true,
        headers: [{ key: "x-planted-not", value: "planted-value" }],
        bodyAssertions: [{ comparator: "contains", target: attack("body") }],
      };
      const { id } = await service.admin.createMonitor(definition, "management");
      await service.admin.createPrivateLocation({
        name: attack("location"),
        monitorIds: [id],
        metadata: { [attack("k").slice(0, 30)]: attack("label") },
      });
      await using context = await browser.newContext();
      const seen = watchPage(context, service.url);
      const page = await context.newPage();
      for (const path of [
        "/",
        `/?text=${encodeURIComponent(attack("text"))}`,
        `/monitors/${id}`,
        "/locations/3",
      ]) {
        await page.goto(`${service.url}${path}`);
        expect(
          await page.locator("main :is(img, script:not([src^='/scripts/']), b, [onerror])").count(),
        ).toBe(0);
        expect(await page.content()).not.toContain("planted-value");
        expect(await page.content()).not.toContain("\u202e");
      }
      expect(await page.locator("h1").innerText()).toContain(
        "<img src=x onerror=alert(1) id=location>",
      );
      expect(seen).toEqual([]);
    },
  );
});
