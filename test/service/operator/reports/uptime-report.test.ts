import { describe, expect, test } from "vitest";
import { policyUnwritten } from "#check/alert-policy";
import { httpDefaults } from "#check/definition";
import { monthOf } from "#service/operator/reports/report-period";
import { daysLookedUpMax } from "#limits/store-limits";
import { locationId, monitorId } from "#service/store/ids";
import type { DaysQuery } from "#service/store/result-store";
import type { Store } from "#service/store/store";
import { epochMillis, millis } from "#base/units";
import { CountedStore } from "../../../support/counted-store.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { someResult } from "../../store/conformance/scene.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

interface ReportAnswer {
  readonly month: string | null;
  readonly monitors: readonly {
    readonly name: string;
    readonly uptime_percent: number | null;
    readonly down_ms: number;
    readonly incidents: number;
    readonly median_ms: number | null;
  }[];
}

interface ReportOfTwoMonths {
  readonly compared_with: string;
  readonly total: {
    readonly uptime_percent: number | null;
    readonly uptime_before_percent: number | null;
  };
  readonly monitors: readonly {
    readonly name: string;
    readonly uptime_before_percent: number | null;
  }[];
}

const monitorAt = async (
  get: OperatorScene["get"],
  id: number,
): Promise<{ readonly name: string; readonly uptime: string }> => {
  const { name, uptime } = JSON.parse(await (await get(`/monitors/${id}.json`)).text());
  return { name, uptime };
};

describe("the uptime report of a month", () => {
  test("has uptime, downtime, incidents and response times of each monitor, as page, JSON and CSV", async () => {
    const { get } = await operatorScene();
    const report: ReportAnswer = JSON.parse(await (await get("/uptime.json")).text());
    expect(report.month).toBe("2026-11");
    const billing = report.monitors.find(({ name }) => name === "Billing API");
    expect(billing).toMatchObject({ incidents: 2 });
    expect(billing?.uptime_percent).toBeLessThan(100);
    expect(billing?.down_ms).toBeGreaterThan(3_600_000);
    expect(billing?.median_ms).toBeGreaterThan(50);
    const page = await (await get("/uptime?month=2026-11")).text();
    expect(page).toContain("November 2026");
    expect(page).toContain("Billing API");
    const namesIn = (text: string): readonly string[] =>
      [...text.matchAll(/<a href="\/monitors\/\d+">([^<]+)<\/a>/g)].map(([, name = ""]) => name);
    // The worst first, until another column is chosen.
    expect(namesIn(page).slice(0, 2)).toEqual(["Database replica", "Billing API"]);
    const sorted = async (by: string): Promise<string | undefined> =>
      namesIn(await (await get(`/uptime?month=2026-11&sort=${by}`)).text())[0];
    expect(await sorted("incidents")).toBe("Billing API");
    expect(await sorted("name")).toBe("Bastion");
    expect(await sorted("what")).toBe("Database replica");
    const sortedHead = async (query: string): Promise<string | undefined> => {
      const text = await (await get(`/uptime?month=2026-11${query}`)).text();
      const head = /<th scope="col" (aria-sort="\w+")>.*?<\/th>/s.exec(text);
      return head
        ?.slice(0, 2)
        .join(" ")
        .replaceAll(/<[^>]*>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim();
    };
    expect(await sortedHead("")).toBe('Uptime ▲ aria-sort="ascending"');
    expect(await sortedHead("&sort=down")).toBe('Down ▼ aria-sort="descending"');
    const csv = await get("/uptime.csv?month=2026-11");
    expect(csv.headers.get("content-disposition")).toBe(
      'attachment; filename="uptime-2026-11.csv"',
    );
    const lines = (await csv.text()).trimEnd().split("\r\n");
    expect(lines[0]).toBe(
      "id,name,uptime_percent,down_ms,incidents,checks,median_ms,objective_percent,budget_left_ms,uptime_before_percent",
    );
    expect(lines.length).toBe(report.monitors.length + 1);
    expect(billing?.uptime_percent?.toString().length).toBeGreaterThan("99.1234".length);
    for (const line of lines.slice(1)) expect(line).not.toMatch(/\.\d{5}/);
  });

  test("of many monitors is read in portions of which each is looked up", async () => {
    const [opened, asked]: [Store[], number[]] = [[], []];
    const { service, get, clock } = await operatorScene({
      opensStore: async (place) => {
        const store = await openStoreHere(place);
        opened.push(store);
        const { results } = store;
        // The overview's pictures ask on their own, for the medians of other days.
        const note = ({ from, monitors }: DaysQuery): void => {
          if (from === Date.parse("2026-11-01T00:00:00Z")) asked.push(monitors.length);
        };
        const counting: Store["results"] = {
          ...results,
          sums: (query) => (note(query), results.sums(query)),
          medians: (query) => (note(query), results.medians(query)),
        };
        return { ...store, results: counting };
      },
    });
    const definition = { ...httpDefaults, url: "https://many.test/", periodicity: "30s" };
    const count = daysLookedUpMax + 3;
    const monitors = Array.from({ length: count }, (_, index) =>
      service.admin.createMonitor(
        { ...definition, name: `many ${index}`, labels: { of: "many" } },
        "management",
      ),
    );
    const monitorIds = (await Promise.all(monitors)).map(({ id }) => id);
    const place = { name: "Depot", monitorIds, metadata: {} };
    const { id: depot } = await service.admin.createPrivateLocation(place);
    const slot = epochMillis(clock.wall() - 60_000);
    const results = monitorIds.map((id) =>
      someResult(monitorId(Number(id)), slot, { latency: millis(200) }),
    );
    const location = locationId(Number(depot));
    await opened[0]?.results.append({ location, storedAt: slot, results });
    asked.length = 0;
    const report: ReportAnswer = JSON.parse(await (await get("/uptime.json?label=of:many")).text());
    expect(report.monitors.length).toBe(count);
    for (const { uptime_percent: uptime, median_ms: median } of report.monitors)
      expect([uptime, (median ?? 0) > 150]).toEqual([100, true]);
    const portions = [daysLookedUpMax, daysLookedUpMax, 3, 3];
    expect(asked.toSorted((a, b) => b - a)).toEqual(portions);
  });

  test("reads no monitor that the overview knows already", async () => {
    const store = new CountedStore();
    const { get } = await operatorScene({ opensStore: store.open });
    await get("/");
    const before = store.count("monitors.list");
    const report: ReportAnswer = JSON.parse(
      await (await get("/uptime.json?label=team:build")).text(),
    );
    expect(report.monitors.length).toBeGreaterThan(0);
    expect(store.count("monitors.list")).toBe(before);
    // By these a large service finds which monitors it has to read.
    expect(store.count("monitors.marks")).toBe(0);
  });

  test("says the same uptime as the monitor's page, its JSON and the status page, of the same days", async () => {
    const { get, service } = await operatorScene();
    await generatedPage(service);
    // The past that was made lies in this month.
    const report = await (await get("/uptime?month=2026-11")).text();
    const page = await (await get("/status/acme")).text();
    const percent = (text: string | undefined): string | undefined =>
      text?.replaceAll(/[\s\u00a0]/g, "");
    const shown: (string | undefined)[] = [];
    for (const id of [1, 2, 3, 4, 5]) {
      const name = (await monitorAt(get, id)).name;
      const figures = [
        report.split(`"/monitors/${id}"`)[1]?.match(/<td[^>]*>([^<]+)/)?.[1],
        page.split(`>${name}</`)[1]?.match(/<strong>([^<]+)<\/strong>\s+<span>uptime</)?.[1],
        (await monitorAt(get, id)).uptime,
        (await (await get(`/monitors/${id}`)).text()).match(
          /Uptime, 30 days<\/dt>\s*<dd>([^<]+)/,
        )?.[1],
      ].map(percent);
      expect(new Set(figures).size, `${name}: ${figures.join(", ")}`).toBe(1);
      shown.push(figures[0]);
    }
    expect(shown.filter((one) => one !== "100.00\u00a0%").length).toBeGreaterThan(0);
  });

  test("leads to the longest outages and to each monitor's incidents, and names months in words", async () => {
    const { get } = await operatorScene();
    const page = await (await get("/uptime")).text();
    const [, below = ""] = page.split("Longest outages</h2>");
    const shown = [...below.matchAll(/<li>(.*?)<\/li>/gs)].map(([, words = ""]) =>
      words
        .replaceAll(/<[^>]+>/g, "")
        .replaceAll(/\s+/g, " ")
        .trim(),
    );
    // Its incident lasted longer than its checks failed: the table says 3 h, too.
    expect(shown[0]).toBe(
      "Database replica was down for 3 h, between 11 Nov, 10:00 UTC and 11 Nov, 14:00 UTC (incident 1).",
    );
    expect(shown.length).toBe(5);
    expect(shown.filter((one) => / has been down for .*, since /.test(one))).not.toEqual([]);
    const report = JSON.parse(await (await get("/uptime.json")).text());
    expect(report.longest_outages[0]).toMatchObject({
      incident: 1,
      from: "2026-11-11T10:00:00.000Z",
      to: "2026-11-11T14:00:00.000Z",
      lasted_ms: 10_800_000,
      open: false,
    });
    const most = new Map(
      report.monitors.map((one: { id: string; down_ms: number }) => [one.id, one.down_ms]),
    );
    for (const { monitor_id: id, lasted_ms: lasted } of report.longest_outages)
      expect(lasted).toBeLessThanOrEqual(Number(most.get(id)));
    expect(page).toContain('<a href="/incidents?monitor=2">2</a>');
    expect(page).toMatch(/<option value="2026-11"[^>]*>November 2026<\/option>/);
    expect(page).toContain("No monitor here has an objective.");
    const earlier = await (await get("/uptime?month=2026-03")).text();
    expect(earlier).not.toContain("Longest outages");
  });

  test("has the days with downtime, whose times come to that of all monitors", async () => {
    const { get } = await operatorScene();
    const report = JSON.parse(await (await get("/uptime.json")).text());
    const days: readonly { day: string; down_ms: number; monitors: number }[] =
      report.downtime_days;
    expect(days[0]).toEqual({ day: "2026-11-11", down_ms: 10_800_000, monitors: 1 });
    expect(days.length).toBeGreaterThan(1);
    const sum = days.reduce((all, { down_ms: down }) => all + down, 0);
    expect(sum).toBe(report.total.down_ms);
    const page = await (await get("/uptime")).text();
    expect(page.replaceAll("\u00a0", " ")).toContain(
      "<title>11 Nov: 3 h, Database replica</title>",
    );
  });

  test("is of the monitors with a label, or of a status page", async () => {
    const { get, service } = await operatorScene();
    await generatedPage(service);
    const namesOf = async (query: string): Promise<readonly string[]> => {
      const report: ReportAnswer = JSON.parse(await (await get(`/uptime.json?${query}`)).text());
      return report.monitors.map(({ name }) => name);
    };
    const all = await namesOf("");
    const labelled = await namesOf("label=team:warehouse");
    expect(labelled).toEqual(["Printer queue", "Scanner", "Stock"]);
    const shown = await namesOf("page=1");
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.length).toBeLessThan(all.length);
    expect(await namesOf("label=team:none")).toEqual([]);
    expect((await get("/uptime?page=999")).status).toBe(404);
  });

  test("is compared with the month before, each monitor and all of them", async () => {
    const { get } = await operatorScene({ days: 40 });
    const report: ReportOfTwoMonths = JSON.parse(await (await get("/uptime.json")).text());
    const billing = report.monitors.find(({ name }) => name === "Billing API");
    expect([report.compared_with, billing?.uptime_before_percent]).toEqual(["2026-10", 100]);
    const earlier: ReportOfTwoMonths = JSON.parse(
      await (await get("/uptime.json?month=2026-10")).text(),
    );
    // The figure of the month before is that of its own report.
    expect(report.total.uptime_before_percent).toBe(earlier.total.uptime_percent);
    expect(earlier.total.uptime_before_percent).toBeNull();
    const page = (await (await get("/uptime?sort=change")).text()).replaceAll(/\s+/g, " ");
    const [, points = ""] =
      /<span class="note">(\d\.\d\d) points worse than October</.exec(page) ?? [];
    const shownUp = Math.floor((report.total.uptime_percent ?? 0) * 100) / 100;
    expect(Number(points)).toBeCloseTo(100 - shownUp, 6);
    const cells = [...page.matchAll(/data-label="vs Oct" *>([^<]*)</g)].map(([, cell]) =>
      cell?.trim(),
    );
    expect(cells[0]).toMatch(/^−0\.\d\d$/);
    expect(cells.at(-1)).toBe("0.00");
    expect(page).toContain("The column vs Oct has the difference to October");
    expect(page).toContain("<dt>Longest outage</dt>");
    const first = await (await get("/uptime?month=2026-10")).text();
    expect(first).not.toContain("vs Sep");
    const lines = (await (await get("/uptime.csv")).text()).split("\r\n");
    expect(lines.find((one) => one.includes("Billing API"))).toMatch(/,100$/);
  });

  test("of a month before the first check says that there is no data", async () => {
    const { get } = await operatorScene();
    const report: ReportAnswer = JSON.parse(await (await get("/uptime.json?month=2026-03")).text());
    expect(report.monitors.map((one) => one.uptime_percent).filter((one) => one !== null)).toEqual(
      [],
    );
    const page = await (await get("/uptime?month=2026-03")).text();
    expect(page).toContain("Nothing was checked in March 2026. Choose another month.");
    for (const none of ["<table", "objective", "no data"]) expect(page).not.toContain(none);
    const other = await (await get("/uptime?label=team:none")).text();
    expect(other).toContain("No monitor is in this report.");
    for (const month of ["2027-01", "2026-13", "soon", "0001-01", "2024-09"]) {
      const file = await get(`/uptime.csv?month=${month}`);
      expect([file.status, await file.text()]).toEqual([
        400,
        expect.stringContaining("period must be a month that has begun, for example 2026-11"),
      ]);
      const refused = await get(`/uptime?month=${month}&label=team%3Ashop`);
      const says = await refused.text();
      expect([refused.status, says]).toEqual([
        400,
        expect.stringContaining("Period must be a month that has begun, for example 2026-11"),
      ]);
      expect(says).toContain('href="/uptime?label=team%3Ashop"');
    }
  });

  test("has an objective without a budget if nothing was seen, and no name that a spreadsheet would run", async () => {
    const { get, service } = await operatorScene({ days: 0 });
    await service.admin.createMonitor(
      {
        ...httpDefaults,
        name: '=HYPERLINK("x")',
        url: "https://shop.test/",
        periodicity: "30s",
        alerting: { ...policyUnwritten, objective: "99.9%" },
      },
      "management",
    );
    const csv = await (await get("/uptime.csv")).text();
    expect(csv.split("\r\n")[1]).toBe(`1,"'=HYPERLINK(""x"")",,0,0,0,,99.9,,`);
  });
});

test("a month ends with its last day, and the current one now", () => {
  const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
  expect(monthOf("2024-02", now)).toEqual({
    kind: "month",
    name: "2024-02",
    from: Date.parse("2024-02-01T00:00:00Z"),
    to: Date.parse("2024-03-01T00:00:00Z"),
    days: 29,
    hasEnded: true,
  });
  expect(monthOf("", now)).toMatchObject({
    name: "2026-11",
    to: now,
    days: 30,
    hasEnded: false,
  });
});
