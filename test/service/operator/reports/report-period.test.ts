import { describe, expect, test } from "vitest";
import * as limits from "#limits/report-limits";
import { epochMillis } from "#base/units";
import {
  daysOf,
  periodBefore,
  periodWhen,
  type ReportPeriod,
} from "#service/operator/reports/report-period";
import { operatorScene } from "../../../support/operator-scene.ts";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));

function period(from: string, to: string): ReportPeriod {
  const days = daysOf(from, to, now);
  if ("about" in days) throw new Error(days.words);
  return days;
}

describe("days of a report", () => {
  test("are from the first to the end of the last one, or up to now", () => {
    expect(period("2026-11-03", "2026-11-15")).toEqual({
      kind: "days",
      name: "2026-11-03/2026-11-15",
      from: Date.parse("2026-11-03T00:00:00Z"),
      to: Date.parse("2026-11-16T00:00:00Z"),
      days: 13,
      hasEnded: true,
    });
    expect(period("2026-11-22", "2026-11-30")).toMatchObject({ to: now, days: 9, hasEnded: false });
  });

  test("are named in words, and compared with as many days before", () => {
    const of = (from: string, to: string) => periodWhen(period(from, to));
    expect([
      of("2026-11-03", "2026-11-15"),
      of("2026-09-29", "2026-11-15"),
      of("2025-12-28", "2026-01-02"),
      of("2026-11-03", "2026-11-03"),
    ]).toEqual([
      "from 3 to 15 November 2026",
      "from 29 September to 15 November 2026",
      "from 28 December 2025 to 2 January 2026",
      "on 3 November 2026",
    ]);
    expect(periodBefore(period("2026-11-03", "2026-11-15"))).toEqual({
      from: Date.parse("2026-10-21T00:00:00Z"),
      name: "2026-10-21/2026-11-02",
      words: "the 13 days before",
      short: "before",
    });
  });

  test("are refused by the field that is wrong, if there is no report of them", () => {
    const refused = [
      ["", "2026-11-15", "from", /^From needs a day/],
      ["2026-02-30", "2026-11-15", "from", /^From needs a day/],
      ["2026-11-03", "", "to", /^To needs a day/],
      ["2026-11-15", "2026-11-14", "to", /^To is before From/],
      [
        "2026-11-23",
        "2026-11-24",
        "from",
        /^From was read as 2026-11-23 \(UTC\), which is in the future: it is 2026-11-22 now/,
      ],
      ["2020-11-23", "2020-11-24", "from", /^From is longer ago than days are kept: 760 days/],
      [
        "2026-08-22",
        "2026-11-22",
        "to",
        /^2026-08-22 to 2026-11-22 is 93 days. Choose 92 days at most\.$/,
      ],
    ] as const;
    for (const [from, to, about, words] of refused)
      expect(daysOf(from, to, now)).toEqual({ about, words: expect.stringMatching(words) });
    expect(period("2026-08-23", "2026-11-22").days).toBe(limits.reportDaysMax);
  });
});

describe("the uptime report of a few days", () => {
  test("has the same as that of a month, as page, JSON and CSV", async () => {
    const { get } = await operatorScene();
    const query = "from=2026-11-11&to=2026-11-12";
    const report = JSON.parse(await (await get(`/uptime.json?${query}`)).text());
    expect(report).toMatchObject({
      month: null,
      from: "2026-11-11T00:00:00.000Z",
      to: "2026-11-13T00:00:00.000Z",
      compared_with: "2026-11-09/2026-11-10",
    });
    const down = report.monitors.filter((one: { down_ms: number }) => one.down_ms > 0);
    expect(down).toMatchObject([{ name: "Database replica", uptime_before_percent: 100 }]);
    const page = (await (await get(`/uptime?${query}`)).text()).replaceAll(/\s+/g, " ");
    expect(page).toContain("11 to 12 November 2026: all monitors");
    expect(page).toContain("From 11 to 12 November 2026, 12 monitors were up");
    expect(page).toMatch(/points worse than the 2 days before</);
    expect(page).toContain('href="/uptime.csv?from=2026-11-11&amp;to=2026-11-12"');
    expect(page).toContain('<option value="" selected>Custom range</option>');
    const file = await get(`/uptime.csv?${query}`);
    expect(file.headers.get("content-disposition")).toBe(
      'attachment; filename="uptime-2026-11-11-to-2026-11-12.csv"',
    );
    // Whoever chooses a month next has it.
    const month = await (await get(`/uptime?${query}&month=2026-10`)).text();
    expect(month).toContain("October 2026: all monitors");
  });

  test("stay as they were typed if they are refused, next to the report of this month", async () => {
    const { get } = await operatorScene();
    const query = "from=2026-11-15&to=2026-11-03&label=team:web";
    const page = (await (await get(`/uptime?${query}`)).text()).replaceAll(/\s+/g, " ");
    expect(page).toContain("November 2026: team:web");
    expect(page).toMatch(
      /name="to" value="2026-11-03" required aria-invalid="true" aria-describedby="to-fault"/,
    );
    expect(page).toContain('id="to-fault" role="alert">To is before From');
    expect(page).toContain('name="from" value="2026-11-15"');
    for (const as of ["csv", "json"]) {
      const refused = await get(`/uptime.${as}?${query}`);
      expect([refused.status, await refused.text()]).toEqual([
        400,
        expect.stringContaining("To is before From"),
      ]);
    }
  });
});
