import { expect, test } from "vitest";
import { locales } from "#service/status-page/page-definition";
import { pageTexts } from "#service/status-page/texts/page-texts";
import { httpDefaults } from "#check/definition";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { epochMillis } from "#base/units";
import { openStoreHere } from "../../support/open-store-here.ts";
import { someResult } from "../store/conformance/scene.ts";
import { operatorScene } from "../../support/operator-scene.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { statusScene } from "./status-scene.ts";

test("a public monitor has a page: its uptime, its latency, its locations by number; nothing of where and what is checked", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  const read = async (path: string): Promise<string> => (await get(`/status/acme${path}`)).text();

  const page = await read("/monitors/1");
  const rowOf = (name: string): readonly string[] => {
    const row = new RegExp(`<th scope="row">${name}</th>(.*?)</tr>`, "s").exec(page)?.[1] ?? "";
    return [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = ""]) => cell);
  };
  const document = JSON.parse(await read("/monitors/1.json"));
  expect(document).toMatchObject({
    id: "1",
    name: "Shop",
    status: "operational",
    updated_at: "2026-11-22T12:00:00.000Z",
    uptime_metric: "duration",
    uptime: [
      { days: 7, percent: 100 },
      { days: 30, percent: 100 },
      { days: 90, percent: 100 },
    ],
    periods: [{ days: 7 }, { days: 30 }, { days: 90 }],
  });
  const [week] = document.periods;
  expect(week.failed).toBe(0);
  // Its generated median is 42 ms, with a tail of three in a hundred that took twice and a half as long.
  expect(Math.abs(week.p50_ms / 42 - 1)).toBeLessThan(0.15);
  expect(week.p50_ms).toBeLessThan(week.p95_ms);
  expect(week.p95_ms).toBeLessThanOrEqual(week.p99_ms);
  expect(rowOf("7 days").at(-2)).toBe(week.checks.toLocaleString("en-GB"));
  expect(document.hours).toHaveLength(24);
  expect(document.days).toHaveLength(15);
  // The chart has as many days as the strip above, which begins with the first data.
  expect(page.match(/<h3>\d+ days<\/h3>/g)).toEqual(["<h3>15 days</h3>"]);
  expect(document.locations).toHaveLength(2);
  expect(rowOf("2").at(-2)).toBe(document.locations[1].checks.toLocaleString("en-GB"));
  const all = `${page}${JSON.stringify(document)}`;
  for (const secret of ["internal", "planted", "authorization", "Office", "Warehouse"])
    expect([secret, all.includes(secret)]).toEqual([secret, false]);
});

test("its page is found by its name on the status page, in every language; that of one that is not public is not there", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  for (const locale of locales) {
    const own = locale === "en" ? "" : `/${locale}`;
    const page = await (await get(`/status/acme/${locale}`)).text();
    expect(page).toContain(`<a href="/status/acme${own}/monitors/2">Billing API</a>`);
    expect(page).not.toContain("/monitors/3");
    const monitor = await (await get(`/status/acme/${locale}/monitors/2`)).text();
    const { latency, lines } = pageTexts[locale].monitor;
    expect([latency, lines].filter((one) => !monitor.includes(one))).toEqual([]);
    expect(monitor).toContain(`<a href="/status/acme/de/monitors/2"`.replace("de", nextTo(locale)));
  }
  // The third is on the page, the sixth is not, and neither is public.
  for (const path of ["/monitors/3", "/monitors/3.json", "/monitors/6"])
    expect([path, (await get(`/status/acme${path}`)).status]).toEqual([path, 404]);
});

test("in its first hour its page has a sentence instead of charts of one point each, in every language", async () => {
  const opened: Store[] = [];
  const { get, service, clock } = await operatorScene({
    opensStore: async (place) => {
      const store = await openStoreHere(place);
      opened.push(store);
      return store;
    },
  });
  await generatedPage(service);
  const { key } = await service.admin.createApiKey({ name: "public", scope: "write" });
  const definition = { ...httpDefaults, url: "https://young.test/", periodicity: "30s" };
  const { id } = await service.admin.createMonitor(
    { ...definition, name: "Young", labels: {}, public: true },
    "management",
  );
  const place = { name: "Depot", monitorIds: [id], metadata: {} };
  const { id: depot } = await service.admin.createPrivateLocation(place);
  const results = [someResult(monitorId(Number(id)), epochMillis(clock.wall() - 60_000))];
  const location = locationId(Number(depot));
  await opened[0]?.results.append({ location, storedAt: clock.wall(), results });
  const added = await fetch(
    `${service.url}/rpc/openstatus.status_page.v1.StatusPageService/AddMonitorComponent`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({ pageId: "1", monitorId: id }),
    },
  );
  expect(added.status).toBe(200);
  for (const locale of locales) {
    const page = await (await get(`/status/acme/${locale}/monitors/${id}`)).text();
    expect(page).toContain(pageTexts[locale].monitor.chartsBegin);
    expect(page).not.toContain('class="curve');
    // Its week, month and 90 days are the same seconds: they are said once, with how long they are.
    const [figures = ""] = /<dl class="uptimes">.*?<\/dl>/s.exec(page) ?? [];
    expect(figures.match(/<dt>/g)).toHaveLength(1);
    if (locale === "en") expect(figures).toMatch(/ in \d+ (sec|min)s? of data/);
  }
  const older = await (await get("/status/acme/monitors/1")).text();
  expect(older).not.toContain(pageTexts.en.monitor.chartsBegin);
  expect(older.match(/class="curve p50"/g)).toHaveLength(2);
});

const nextTo = (locale: (typeof locales)[number]): string => (locale === "de" ? "en" : "de");

test("what people call it is safe; without a measurement it says so; made private it is gone at once", async () => {
  await using here = await statusScene();
  const hostile = `<script>alert(1)</script>"'&\u202E`;
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  const named = { name: hostile, description: hostile };
  await here.call("AddMonitorComponent", { pageId: "1", monitorId: "1", ...named });
  const answer = await here.get("/status/acme/monitors/1");
  const page = await answer.text();
  expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none';/);
  // Times in the reader's zone, what a day was, and what is new.
  expect(page.match(/<script/g)?.length).toBe(3);
  expect(page).not.toMatch(/<script>|\u202e/);
  expect(page).toContain("&lt;script&gt;");
  expect(page).toContain(pageTexts.en.monitor.nothing);
  const tag = answer.headers.get("etag") ?? "";
  expect((await here.get("/status/acme/monitors/1", { "if-none-match": tag })).status).toBe(304);
  const document = await here.get("/status/acme/monitors/1.json");
  expect(document.headers.get("access-control-allow-origin")).toBe("*");
  expect(await document.json()).toMatchObject({
    name: hostile,
    status: "unknown",
    uptime: [],
    last_24_hours: { checks: 0, failed: 0, p50_ms: null },
    hours: [],
    locations: [],
  });
  const { key } = await here.service.admin.createApiKey({ name: "private", scope: "write" });
  const change = { id: "1", monitor: { public: false } };
  const path = "/rpc/openstatus.monitor.v1.MonitorService/UpdateHTTPMonitor";
  const changed = await here.service.post(path, change, { "x-service-key": key });
  expect([changed.status, await changed.text()]).toEqual([200, expect.any(String)]);
  for (const end of ["", ".json"])
    expect((await here.get(`/status/acme/monitors/1${end}`)).status).toBe(404);
});

test("each link of a page to a report, to planned work and to all reports keeps the language of the page", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  const linksOf = async (path: string): Promise<ReadonlySet<string>> => {
    const page = await (await get(`/status/acme${path}`)).text();
    return new Set(Array.from(page.matchAll(/href="([^"]*\/events[^"]*)"/g), ([, to = ""]) => to));
  };
  const below = ["/events/report/1", "/events/maintenance/1", "/events/report/2", "/events"];
  expect([...(await linksOf("/de"))]).toEqual(below.map((one) => `/status/acme/de${one}`));
  expect([...(await linksOf("/en"))]).toEqual(below.map((one) => `/status/acme${one}`));
  for (const link of await linksOf("/de")) expect((await get(link)).status).toBe(200);
});

test("its page and the status page say once below the bars that days are UTC, in every language", async () => {
  const { get, service } = await operatorScene();
  await generatedPage(service);
  for (const locale of locales)
    for (const path of ["", "/monitors/2"]) {
      const page = await (await get(`/status/acme/${locale}${path}`)).text();
      const below = page.slice(page.lastIndexOf('<p class="range">'));
      const found = [page, below].map((one) => one.split(pageTexts[locale].daysAreUtc).length - 1);
      expect([locale, path, ...found]).toEqual([locale, path, 1, 1]);
    }
});
