import { describe, expect, test } from "vitest";
import { style } from "#web/page/style";
import { epochMillis, millis } from "#base/units";
import { follow, openAll, overhang, snap, watchPage } from "../../support/browser.ts";
import { fileBrowser } from "../../support/file-browser.ts";
import { endpointScene } from "../../support/endpoint-scene.ts";
import { pageFaults } from "../../support/page-faults.ts";
import { office, officeMonitors, officeScript } from "../../support/office.ts";
import { unauthenticated, unavailable } from "../../support/twins.ts";

const browser = fileBrowser();
const { isThere } = browser;

/** The states that a reader may find an agent in, and where the page of each is. */
const states: Readonly<Record<string, () => Promise<string>>> = {
  office: async () => (await office()).endpoint.url,
  monitor: async () => `${(await office()).endpoint.url}/monitors/b09d7e11`,
  many: async () => (await crowd()).endpoint.url,
  unreachable: async () => {
    const { clock, endpoint } = await endpointScene({
      prepare: ({ controlPlane }) => void (controlPlane.fault = unavailable),
    });
    await clock.advance(60_000);
    return endpoint.url;
  },
  refused: async () => {
    const { clock, endpoint } = await endpointScene({
      prepare: ({ controlPlane }) => void (controlPlane.fault = unauthenticated),
    });
    await clock.advance(60_000);
    return endpoint.url;
  },
  "no-monitors": async () => {
    const { clock, endpoint } = await endpointScene();
    await clock.advance(60_000);
    return endpoint.url;
  },
  "service-away": async () => {
    const { clock, controlPlane, endpoint } = await office();
    controlPlane.fault = unavailable;
    await clock.advance(10 * 60_000);
    return endpoint.url;
  },
  "all-failing": async () => {
    const { clock, endpoint } = await endpointScene({
      monitors: officeMonitors.filter(({ id }) =>
        ["b09d7e11", "0a77de20", "aa10ff02"].includes(id),
      ),
      prepare: ({ clock: now, prober }) => {
        prober.script = officeScript(now);
      },
    });
    await clock.advance(60_000);
    return endpoint.url;
  },
};

/** The office eight times over: more monitors than a page shows in full. */
async function crowd() {
  const scene = await endpointScene({
    monitors: Array.from({ length: 8 }, (_, index) =>
      officeMonitors.map((one) => ({ ...one, id: `${one.id}-${index}` })),
    ).flat(),
    prepare: ({ clock, prober }) => {
      prober.script = officeScript(clock);
    },
  });
  await scene.clock.advance(5 * 60_000);
  return scene;
}

test.skipIf(!isThere).each(Object.entries(states))(
  "the page of %s is accessible and fits, light and dark, on a desk and on a phone",
  async (name, open) => {
    const url = await open();
    const page = await browser.sharedPage();
    const seen = watchPage(page.context(), new URL(url).origin);
    await page.goto(url);
    await openAll(page);
    expect(await pageFaults(page, name)).toEqual([]);
    expect(seen).toEqual([]);
  },
);

test.skipIf(!isThere)("two sentences about one monitor stand below each other", async () => {
  const page = await browser.sharedPage();
  await page.goto((await office()).endpoint.url);
  const sentence = page.locator(".monitor .why").first();
  await sentence.evaluate((one) => one.after(one.cloneNode(true)));
  const [first, second] = await page
    .locator(".monitor .why")
    .evaluateAll((all) => all.slice(0, 2).map((one) => one.getBoundingClientRect().toJSON()));
  expect(second.top).toBeGreaterThanOrEqual(first.bottom);
});

test("a monitor's page shows the path to its target, how old that is, and what changed", async () => {
  const { get } = await office();
  const text = (await (await get("/monitors/b09d7e11")).text())
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");
  expect(text).toMatch(/ Address [\d.]+:\d+ connected after \d\.\d{3} ms /);
  expect(text).toContain("Path to 10.20.0.0/24, traced 2 min ago");
  expect(text).toContain("Traced by connections to 10.20.0.9:443");
  expect(text).toContain("1 10.0.0.1 0.31 ms 2 min ago 2 does not answer 3 10.1.9.2");
  expect(text).toContain("1 Jan, 00:10:00 UTC : hop 3 is 10.1.9.2, and was 10.1.9.1");
  expect(await (await get("/monitors/7f3a1c52")).text()).not.toContain("Path to");
});

describe("the page", () => {
  test.skipIf(!isThere)("shows what fails first, and why, in order", async () => {
    const { endpoint } = await office();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(endpoint.url);
    expect(await page.title()).toBe("3 failing · office · Picket");
    expect(await page.locator("h1").innerText()).toBe("office");
    expect(await page.locator(".lede").innerText()).toBe("3 failing, 1 degraded, of 10 monitors");
    const marks = await page.locator(".monitor .mark").allInnerTexts();
    expect(marks.slice(0, 5)).toEqual(["Failing", "Failing", "Failing", "Degraded", "Passing"]);
    const billing = page.locator(".monitor").first();
    expect(await billing.locator(".why").innerText()).toMatch(/^Timeout after 1000 ms/);
    await billing.locator("summary").click();
    expect(await billing.locator(".code").innerText()).toBe(
      "response_timeout while waiting for the answer: no complete response head came in time.",
    );
    expect(await billing.locator("tr", { hasText: "failed" }).locator("th").innerText()).toContain(
      "wait",
    );
    expect(
      await page.getByRole("img", { name: /^last 20 checks over .+: 20 failed$/ }).count(),
    ).toBe(2);
    expect(await page.content()).not.toContain("planted");
  });

  test.skipIf(!isThere)(
    "works without scripts: choosing, finding, opening and going on to a monitor",
    async () => {
      const { endpoint } = await office();
      await using context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      await page.goto(endpoint.url);
      expect(await page.locator("script").count()).toBe(0);
      await follow(page.getByRole("link", { name: "Degraded 1" }));
      expect(await page.locator(".monitor h3").allInnerTexts()).toEqual(["Intranet"]);
      expect(await page.locator(".monitor .kind").allInnerTexts()).toEqual([
        "HTTP https://intranet.internal/, every 30\u00a0s",
      ]);
      await follow(page.getByRole("link", { name: "All 10" }));
      await page.getByLabel("Find a name, target or id").fill("DB-");
      await follow(page.getByRole("button", { name: "Find" }));
      expect(await page.locator(".monitor").count()).toBe(2);
      await follow(page.getByRole("link", { name: "db-primary.internal:5432" }));
      expect(await page.locator("h1").innerText()).toBe("db-primary.internal:5432");
      expect(await page.getByRole("table", { name: "Where the time went" }).isVisible()).toBe(true);
      await page.getByText("As figures").click();
      expect(await page.locator(".figures tbody tr").count()).toBe(20);
    },
  );

  test.skipIf(!isThere)(
    "refreshes itself only when it was asked to, and stops when it is asked to",
    async () => {
      const { endpoint } = await office();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(`${endpoint.url}/?status=error`);
      const refresh = page.locator('meta[http-equiv="refresh"]');
      expect(await refresh.count()).toBe(0);
      await follow(page.getByRole("link", { name: "Refresh every 10 s" }));
      expect(await refresh.getAttribute("content")).toBe("10");
      await follow(page.getByRole("link", { name: "Stop refreshing" }));
      expect(await refresh.count()).toBe(0);
      expect(page.url()).toBe(`${endpoint.url}/?status=error`);
    },
  );

  test.skipIf(!isThere)("is reached by keyboard, and shows where one is", async () => {
    const { endpoint } = await office();
    await using context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(endpoint.url);
    const place = () => page.locator("h1").boundingBox();
    const before = await place();
    await page.keyboard.press("Tab");
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(
      await skip.evaluate((link) => link === Reflect.get(globalThis, "document").activeElement),
    ).toBe(true);
    expect((await skip.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    // What moved as it comes and goes would slip away under a click.
    expect(await place()).toEqual(before);
    const summary = page.locator("summary").first();
    await page.locator(".monitor h3 a").first().focus();
    await page.keyboard.press("Tab");
    expect(
      await summary.evaluate(
        (one) => Reflect.get(globalThis, "getComputedStyle")(one).outlineStyle,
      ),
    ).toBe("solid");
    await page.keyboard.press("Enter");
    expect(await page.locator("details[open]").count()).toBe(1);
  });

  test.skipIf(!isThere)(
    "can be read at 200 % and 400 %: nothing has to be scrolled sideways",
    async () => {
      const { endpoint } = await office();
      // A page at 200 % is laid out as on a screen of half the width.
      for (const factor of [2, 4]) {
        const viewport = { width: Math.floor(1280 / factor), height: Math.floor(1024 / factor) };
        await using context = await browser.newContext({ viewport, deviceScaleFactor: factor });
        const page = await context.newPage();
        for (const path of ["/", "/monitors/b09d7e11"]) {
          await page.goto(`${endpoint.url}${path}`);
          await openAll(page);
          expect(await overhang(page)).toBe(0);
        }
        await snap(page, `zoom-${factor}00`);
      }
    },
  );

  test.skipIf(!isThere)(
    "gives each of many monitors a line, and each of few more, unless its reader chooses",
    async () => {
      const { endpoint } = await crowd();
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(endpoint.url);
      expect(await page.locator(".lines .monitor").count()).toBe(80);
      const passing = page.locator(".lines .monitor.success").first();
      expect((await passing.boundingBox())?.height).toBeLessThan(40);
      expect(await page.locator(".lines .monitor").first().locator(".why").innerText()).toMatch(
        /^Timeout after 1000 ms/,
      );
      await follow(page.getByRole("link", { name: "In full" }));
      expect(await page.locator(".full .monitor details").count()).toBe(80);
      expect(page.url()).toBe(`${endpoint.url}/?view=full`);
      await follow(page.getByRole("link", { name: /^Degraded/ }));
      await follow(page.getByRole("link", { name: "A line each" }));
      await page.getByLabel("Find a name, target or id").fill("intranet");
      await follow(page.getByRole("button", { name: "Find" }));
      expect(new URL(page.url()).search).toBe("?status=degraded&view=lines&search=intranet");
      const names = await page.locator(".lines .monitor h3").allInnerTexts();
      expect(new Set(names)).toEqual(new Set(["Intranet"]));
    },
  );

  test.skipIf(!isThere)(
    "shows when checks were and were not, and which of their times are uncertain",
    async () => {
      const { endpoint, clock, history } = await endpointScene({
        monitors: officeMonitors.slice(0, 1),
        prepare: ({ clock: now, prober }) => {
          const answer = officeScript(now);
          prober.script = async (...args) => {
            const seen = await answer(...args);
            const isBusy = Math.floor(now.wall() / 60_000) % 2 === 0;
            return isBusy ? { ...seen, errorBar: seen.total } : seen;
          };
        },
      });
      const [{ id, uri } = { id: "", uri: "" }] = officeMonitors;
      const before = Array.from({ length: 5 }, (_, index) => ({
        slot: epochMillis(clock.wall() - 1_800_000 + index * 30_000),
        status: "success" as const,
        latency: millis(20),
        uncertain: false,
      }));
      history.restore({ monitorId: id, uri, standing: "success", points: before });
      await using context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(endpoint.url);
      expect(await page.locator(".mark").innerText()).toBe("Not checked yet");
      expect(await page.locator(".sparkline rect").count()).toBe(5);
      await clock.advance(4 * 60_000);
      await page.goto(endpoint.url);
      expect(await page.locator(".sparkline .gap").count()).toBe(1);
      expect(await page.locator(".axis").innerText()).toMatch(/^23:30\s*00:03$/);
      const words = await page.locator(".sparkline").getAttribute("aria-label");
      expect(words).toMatch(/4 with uncertain times, 28\smin\s\d+\ss without a check$/);
      await page.goto(`${endpoint.url}/monitors/${id}`);
      expect(await page.locator(".chart circle.uncertain").count()).toBe(4);
      expect(await page.locator(".chart .curve").getAttribute("d")).toMatch(/^M[^M]+M[^M]+$/);
      await page.getByText("As figures").click();
      expect(await page.getByRole("cell", { name: "uncertain" }).count()).toBe(4);
      await snap(page, "uncertain");
    },
  );

  test("has no style that names another place", () => {
    expect(style).not.toMatch(/url\(|@import|https?:/);
  });
});
