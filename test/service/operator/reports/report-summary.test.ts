import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { monthOf } from "#service/operator/reports/report-period";
import { firstSince, reportSummary, summaryWords } from "#service/operator/reports/report-summary";
import { uptimeReportView } from "#service/operator/reports/uptime-report-view";
import type { ReportRow } from "#service/operator/reports/uptime-report";
import { monitorId } from "#service/store/ids";
import { epochMillis, hours, millis, minutes } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const [ended, current] = [monthOf("2026-10", now)!, monthOf("2026-11", now)!];

const row = (name: string, downMinutes: number | null): ReportRow => {
  const [known, down] = [downMinutes === null ? millis(0) : hours(100), minutes(downMinutes ?? 0)];
  return {
    id: monitorId(1),
    name,
    uptime: downMinutes === null ? null : 100 * (1 - down / known),
    down,
    known,
    since: null,
    before: { known: millis(0), down: millis(0) },
    downDays: [],
    incidents: down > 0 ? 1 : 0,
    downIncidents: down > 0 ? 1 : 0,
    checks: 1,
    median: null,
    objective: null,
    budgetLeft: null,
    isFailing: false,
  };
};

test("the paragraph of a report has the uptime, the time down, the incidents and the worst monitors", () => {
  const plain = (words: string): string => words.replaceAll("\u00a0", " ");
  const rows = [row("shop", 60), row("mail", 0), row("wiki", 6), row("new", null)];
  expect(plain(summaryWords(rows, ended))).toBe(
    "In October 2026, 3 monitors were up 99.63 % of the time. 2 were down, for 1 h 6 min in all, with 2 incidents. The lowest: shop (99.00 %), wiki (99.90 %).",
  );
  expect(plain(summaryWords([row("mail", 0)], current))).toBe(
    "In November 2026 so far, 1 monitor was up 100.00 % of the time. None was down.",
  );
  expect(summaryWords([row("new", null)], current)).toBe(
    "In November 2026 so far, no check gave a result.",
  );
});

test("days that are named up to today are not said to be a part of anything", () => {
  const week = { ...current, kind: "days" as const, name: "2026-11-16/2026-11-22" };
  expect(summaryWords([row("mail", 0)], week)).toMatch(/November 2026, 1 monitor/);
  const later = { ...week, name: "2026-11-16/2026-11-30" };
  expect(summaryWords([row("mail", 0)], later)).toContain("November 2026 so far, 1 monitor");
});

test("the paragraph of a report counts incidents as its tile does, and names those apart that were only slow", () => {
  const rows = [
    { ...row("wiki", 6), incidents: 3 },
    { ...row("shop", 0), incidents: 1 },
  ];
  expect(summaryWords(rows, ended).replaceAll("\u00a0", " ")).toContain(
    "1 was down, for 6 min in all, with 4 incidents, 3 only slow. The lowest: wiki",
  );
  const unseen = [{ ...row("wiki", 6), incidents: 0, downIncidents: 0 }];
  expect(summaryWords(unseen, ended).replaceAll("\u00a0", " ")).toContain(
    "1 was down, for 6 min in all. The lowest",
  );
});

test("a report begins with the first of its monitors, if all were made in the month", () => {
  const [early, late] = [epochMillis(1_000), epochMillis(2_000)];
  const since = (...all: readonly (number | null)[]) =>
    firstSince(
      all.map((one) => ({ ...row("a", 0), since: one === null ? null : epochMillis(one) })),
    );
  expect(since(late, early)).toBe(early);
  expect(since(early, null)).toBe(null);
  expect(since()).toBe(null);
});

test("a report looks at each monitor's begin a few times, however many monitors it has", () => {
  let looks = 0;
  const rows = Array.from({ length: 100 }, (_, index): ReportRow => ({
    ...row(`host-${index}`, index % 9),
    get since() {
      looks += 1;
      return epochMillis(current.from + index);
    },
  }));
  const choice = { period: current, named: null, label: "", page: null };
  const page = uptimeReportView({
    at: now,
    period: current,
    rows,
    outages: [],
    labels: [],
    since: current.from,
    choice,
    typed: { from: "", to: "", fault: null },
    sort: "name",
    months: [],
    pages: [],
  });
  expect(page.text).toContain("host-99");
  expect(looks).toBeLessThan(20 * rows.length);
});

test("a report of a young service says since when there is data, and so does a younger monitor", async () => {
  const { get, service, clock } = await operatorScene();
  const page = async (): Promise<string> =>
    (await (await get("/uptime")).text()).replaceAll("\u00a0", " ").replaceAll(/\s+/g, " ");
  expect(await page()).toMatch(
    /was up from <time [^>]+>8 Nov, 12:00 UTC<\/time> to <time [^>]+>22 Nov, 12:00 UTC<\/time>,/,
  );
  expect(await page()).not.toContain('<small class="note"');
  const definition = { url: "https://new.test/", periodicity: "30s" };
  await service.admin.createMonitor(
    { ...httpDefaults, ...definition, name: "new", active: true },
    "management",
  );
  await clock.advance(minutes(10));
  expect(await page()).toMatch(
    />new<\/a> <small class="note" >since <time [^>]+>22 Nov, 12:00 UTC/,
  );
});

test("the figure of the longest outage says so while it lasts", () => {
  const lasting = { number: 1, monitor: monitorId(1), from: now, to: null, lasted: minutes(4) };
  const shown = (to: typeof now | null): string => {
    const page = reportSummary({
      rows: [row("shop", 4)],
      period: current,
      outages: [{ ...lasting, to }],
    });
    return page.text.split("Longest outage")[1] ?? "";
  };
  expect(shown(null)).toContain("shop, still down");
  expect(shown(now)).not.toContain("still down");
});

test("the figure of incidents says how many of them were only slow, as the paragraph leaves those out", () => {
  const shown = (...rows: readonly ReportRow[]): string =>
    reportSummary({ rows, period: current, outages: [] })
      .text.replaceAll("\u00a0", " ")
      .split("Incidents")[1] ?? "";
  const all = shown({ ...row("wiki", 6), incidents: 3 }, { ...row("shop", 0), incidents: 1 });
  expect(all).toContain("4 ");
  expect(all).toContain("3 only slow");
  expect(shown(row("wiki", 6))).not.toContain("slow");
});
