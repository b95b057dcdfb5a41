import { describe, expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { capital } from "#base/text";
import * as limits from "#limits/pages-limits";
import { locationId, monitorId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import { epochMillis, type EpochMillis, minutes, seconds } from "#base/units";
import { someResult } from "../../store/conformance/scene.ts";
import { openStoreHere } from "../../../support/open-store-here.ts";
import { operatorScene } from "../../../support/operator-scene.ts";

interface Overview {
  readonly monitors: readonly { readonly id: string; readonly name: string }[];
}

interface ChartAnswer {
  readonly step_ms: number;
  readonly series: readonly {
    readonly location: string | null;
    readonly name: string;
    readonly steps: readonly { readonly at: string; readonly p50_ms: number | null }[];
  }[];
  readonly points: readonly { readonly location: string; readonly status: string }[];
  readonly earlier: {
    readonly name: string;
    readonly steps: readonly { readonly at: string }[];
  } | null;
  readonly locations: readonly { readonly name: string; readonly steps: readonly object[] }[];
  readonly phases: readonly object[] | null;
  readonly marks: readonly {
    readonly kind: string;
    readonly words: string;
    readonly address: string;
  }[];
}

/** More results of a monitor in an hour than a chart shows singly; the first failed. */
async function busyHour(store: Store | undefined, id: string, end: EpochMillis): Promise<void> {
  const results = Array.from({ length: limits.chartPointsMax + 100 }, (_, index) => {
    const slot = epochMillis(end - seconds(3 * index + 1));
    const isFirst = index === limits.chartPointsMax + 99;
    return someResult(monitorId(Number(id)), slot, isFirst ? { status: "error" } : {});
  });
  for (let done = 0; done < results.length; done += 100)
    await store?.results.append({
      location: locationId(1),
      storedAt: end,
      results: results.slice(done, done + 100),
    });
}

describe("the figures of a monitor's chart", () => {
  test("are as many steps as a chart has room for, whatever the range is", async () => {
    const { get } = await operatorScene();
    const custom = "range=custom&from=2026-11-09T00:00&to=2026-11-22T12:00";
    for (const query of ["range=1h", "range=24h", "range=7d", "range=30d", "range=90d", custom]) {
      const answer = await get(`/monitors/2/chart.json?${query}`);
      expect([query, answer.status]).toEqual([query, 200]);
      const chart: ChartAnswer = JSON.parse(await answer.text());
      const steps = chart.series[0]?.steps ?? [];
      expect(steps.length).toBeGreaterThan(0);
      expect(steps.length).toBeLessThanOrEqual(limits.chartStepsMax + 1);
      expect(chart.points.length).toBeLessThanOrEqual(limits.chartPointsMax);
    }
  });

  test("are those of steps in an hour of more results than have room, so that each failure has its cross", async () => {
    const opened: Store[] = [];
    const { get, clock } = await operatorScene({
      opensStore: async (place) => {
        const store = await openStoreHere(place);
        opened.push(store);
        return store;
      },
    });
    const overview: Overview = JSON.parse(await (await get("/overview.json")).text());
    const id = overview.monitors.find(({ name }) => name === "CI")?.id ?? "";
    await busyHour(opened[0], id, clock.wall());
    const chart: ChartAnswer = JSON.parse(
      await (await get(`/monitors/${id}/chart.json?range=1h`)).text(),
    );
    expect(chart.points.length).toBe(0);
    const page = await (await get(`/monitors/${id}?range=1h`)).text();
    const drawn = /<div class="plot" data-chart=.*?<\/div>/s.exec(page)?.[0] ?? "";
    expect(drawn.match(/class="error"/g)).toHaveLength(1);
    expect(page).toContain("Median of each");
  });

  test("of all locations have the steps of each in an hour of more results than have room", async () => {
    const opened: Store[] = [];
    const { get, clock } = await operatorScene({
      opensStore: async (place) => {
        const store = await openStoreHere(place);
        opened.push(store);
        return store;
      },
    });
    await busyHour(opened[0], "2", clock.wall());
    const answer = await get("/monitors/2/chart.json?range=1h");
    const chart: ChartAnswer = JSON.parse(await answer.text());
    expect(chart.points.length).toBe(0);
    expect(chart.locations.map(({ name, steps }) => [name, steps.length > 10])).toEqual([
      ["Office", true],
      ["Warehouse", true],
    ]);
  });

  test("are of two locations where one is compared with another, and mark the incidents of the time", async () => {
    const { get } = await operatorScene();
    const answer = await get("/monitors/2/chart.json?range=7d&location=1&compare=2");
    const chart: ChartAnswer = JSON.parse(await answer.text());
    expect(chart.series.map(({ location }) => location)).toEqual(["1", "2"]);
    expect(chart.series.map(({ steps }) => steps.length > 10)).toEqual([true, true]);
    const mark = chart.marks.find(({ kind }) => kind === "error");
    expect(mark).toMatchObject({ words: expect.stringMatching(/^Incident \d+/) });
    expect((await get(mark?.address ?? "")).status).toBe(200);
    // A location is not compared with itself, nor with one that does not run the monitor.
    for (const other of ["1", "999", "x"]) {
      const alone = await get(`/monitors/2/chart.json?range=7d&location=1&compare=${other}`);
      const chart: ChartAnswer = JSON.parse(await alone.text());
      expect(chart.series.length).toBe(1);
    }
  });

  test.each([
    ["24h", "before", "a day before"],
    ["24h", "week", "a week before"],
    ["7d", "before", "a week before"],
    ["1h", "day", "a day before"],
    ["1h", "before", "1\u00a0h before"],
  ])("of %s are compared with the time that is called %s", async (range, compare, name) => {
    const { get } = await operatorScene();
    const query = `range=${range}&compare=${compare}`;
    const chart: ChartAnswer = JSON.parse(
      await (await get(`/monitors/2/chart.json?${query}`)).text(),
    );
    expect(chart.earlier?.name).toBe(name);
    // Each lies at an instant of the range, as those that it is compared with.
    const own = chart.series[0]?.steps.map(({ at }) => at);
    const found = chart.earlier?.steps.map(({ at }) => at) ?? [];
    expect(own).toEqual(expect.arrayContaining(found));
    expect(found.length).toBeGreaterThan(0);
    const page = await (await get(`/monitors/2?${query}`)).text();
    expect(page).toContain(`Median, ${name}`);
    expect(page).toMatch(new RegExp(`[.] ${capital(name)}: \\d+ passed, `));
    expect(/<div class="plot" data-chart=.*?<\/div>/s.exec(page)?.[0]).toContain(
      'class="curve earlier"',
    );
  });

  test("of the first days of a monitor are compared with no time before them", async () => {
    const { get } = await operatorScene();
    for (const [range, compare] of [
      ["all", "before"],
      ["90d", "before"],
      ["7d", "day"],
      ["24h", "year"],
    ] as const) {
      const answer = await get(`/monitors/2/chart.json?range=${range}&compare=${compare}`);
      expect(JSON.parse(await answer.text())).toMatchObject({ earlier: null });
    }
    expect(await (await get("/monitors/2?range=all")).text()).not.toContain("compare=before");
  });

  test("of all locations name each of them, by its median or by its single checks", async () => {
    const { get } = await operatorScene();
    const chartOf = async (query: string): Promise<ChartAnswer> =>
      JSON.parse(await (await get(`/monitors/2/chart.json?${query}`)).text());
    const day = await chartOf("range=24h");
    expect(day.locations.map(({ name }) => name)).toEqual(["Office", "Warehouse"]);
    const lengths = day.locations.map(({ steps }) => steps.length);
    expect(lengths).toEqual(day.locations.map(() => day.series[0]?.steps.length));
    const hour = await chartOf("range=1h");
    expect(hour.locations.map(({ steps }) => steps.length)).toEqual([0, 0]);
    expect(new Set(hour.points.map(({ location }) => location))).toEqual(new Set(["1", "2"]));
    expect((await chartOf("range=24h&location=1")).locations).toEqual([]);
  });

  test("of two locations that are compared have the single checks of both in an hour, and count both", async () => {
    const { get } = await operatorScene();
    const query = "range=1h&location=2&compare=1";
    const chart: ChartAnswer = JSON.parse(
      await (await get(`/monitors/2/chart.json?${query}`)).text(),
    );
    expect(new Set(chart.points.map(({ location }) => location))).toEqual(new Set(["1", "2"]));
    // In the order of the choice, which is that of their colours.
    expect(chart.locations).toMatchObject([
      { name: "Warehouse", steps: [] },
      { name: "Office", steps: [] },
    ]);
    const page = await (await get(`/monitors/2?${query}`)).text();
    const drawn = /<div class="plot" data-chart=.*?<\/div>/s.exec(page)?.[0] ?? "";
    expect(drawn).toContain("place-1");
    expect(drawn).not.toContain('class="curve');
    const failed = chart.points.filter(({ status }) => status === "error").length;
    expect(failed).toBeGreaterThan(0);
    expect(drawn.match(/class="error"/g)).toHaveLength(failed);
    const key = /<ul class="legend key">.*?<\/ul>/s.exec(page)?.[0] ?? "";
    expect(key).toContain(`${failed} failed`);
    expect(page).toMatch(/1h, Warehouse: \d+ passed, [^<]*\. Office: \d+ passed, /);
  });

  test("of a young monitor say from when they are, in each range that is longer than its life", async () => {
    const { get, service, clock } = await operatorScene();
    const definition = { ...httpDefaults, url: "https://young.test/", periodicity: "30s" };
    const { id } = await service.admin.createMonitor(
      { ...definition, name: "Young", labels: {} },
      "management",
    );
    clock.suspend(minutes(90));
    const note = async (monitor: string, range: string): Promise<string> => {
      const page = await (await get(`/monitors/${monitor}?range=${range}`)).text();
      const [, words = ""] = /<p class="words since">(.*?)<\/p>/s.exec(page) ?? [];
      return words
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll(/\s+/g, " ")
        .trim();
    };
    for (const range of ["24h", "90d", "all"])
      expect(await note(id, range)).toBe("Since 12:00, when it was created.");
    expect(await note(id, "1h")).toBe("");
    expect(await note("2", "24h")).toBe("");
    expect(await note("2", "90d")).toBe("Since 8 Nov, 00:00, when its data begins.");
  });

  test("mark planned work that covers the monitor, and no other", async () => {
    const { get, service } = await operatorScene();
    const { key } = await service.admin.createApiKey({ name: "plan", scope: "write" });
    const { maintenances } = connectManagement(service.url, key, directWay());
    for (const [title, monitor] of [
      ["New racks", "2"],
      ["Elsewhere", "3"],
    ] as const)
      await maintenances.createMaintenance({
        title,
        message: title,
        from: "2026-11-22T09:00:00Z",
        to: "2026-11-22T10:00:00Z",
        monitorIds: [monitor],
      });
    const answer = await get("/monitors/2/chart.json?range=24h");
    const chart: ChartAnswer = JSON.parse(await answer.text());
    const words = chart.marks.filter(({ kind }) => kind === "planned").map((one) => one.words);
    expect(words).toEqual(["Planned work: New racks"]);
  });

  test("are for those alone who may see the page, and name what is wrong with a range", async () => {
    const { get } = await operatorScene({ pages: "signed in", days: 0 });
    const stranger = await get("/monitors/1/chart.json", { accept: "application/json" });
    expect(stranger.status).toBe(401);
    const local = await operatorScene();
    const refused = await local.get("/monitors/2/chart.json?range=custom&from=x&to=y");
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining("From needs a day and a time"),
    ]);
    expect((await local.get("/monitors/999/chart.json")).status).toBe(404);
  });
});
