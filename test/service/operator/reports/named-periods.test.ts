import { describe, expect, test } from "vitest";
import { daysKeptFor } from "#limits/service-limits";
import { namedPeriods } from "#service/operator/reports/named-periods";
import {
  periodBefore,
  periodWhen,
  type ReportPeriod,
} from "#service/operator/reports/report-period";
import { between, epochMillis } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";

function periodOf(name: string, now: string): ReportPeriod {
  const found = namedPeriods.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no period ${name}`);
  return found.of(epochMillis(Date.parse(now)));
}

describe("a period with a name", () => {
  test("has the days that it names, with today as the last one of the last days", () => {
    const at = "2026-11-22T12:00:00Z";
    expect(namedPeriods.map(({ name }) => [name, periodOf(name, at).name])).toEqual([
      ["7d", "2026-11-16/2026-11-22"],
      ["30d", "2026-10-24/2026-11-22"],
      ["90d", "2026-08-25/2026-11-22"],
      ["this-quarter", "2026-10-01/2026-12-31"],
      ["last-quarter", "2026-07-01/2026-09-30"],
      ["this-year", "2026-01-01/2026-12-31"],
      ["last-year", "2025-01-01/2025-12-31"],
    ]);
    expect(periodOf("last-quarter", "2026-02-01T00:00:00Z").name).toBe("2025-10-01/2025-12-31");
    expect(periodOf("7d", "2026-11-22T00:00:00Z").name).toBe("2026-11-16/2026-11-22");
    expect(periodOf("this-quarter", at)).toMatchObject({ to: Date.parse(at), hasEnded: false });
  });

  test("is named in words, and compared with the one before", () => {
    const words = ["7d", "last-quarter", "this-quarter", "last-year"].map((name) => {
      const period = periodOf(name, "2026-02-22T12:00:00Z");
      return [periodWhen(period), periodBefore(period).words, periodBefore(period).name];
    });
    expect(words).toEqual([
      ["from 16 to 22 February 2026", "the 7 days before", "2026-02-09/2026-02-15"],
      ["from October to December 2025", "July to September 2025", "2025-07-01/2025-09-30"],
      ["from January to March 2026", "October to December 2025", "2025-10-01/2025-12-31"],
      ["in 2025", "2024", "2024-01-01/2024-12-31"],
    ]);
  });

  test("is within the days that are kept, on the last day of a year as well", () => {
    const now = epochMillis(Date.parse("2029-12-31T23:59:00Z"));
    for (const { of } of namedPeriods)
      expect(between(of(now).from, now)).toBeLessThanOrEqual(daysKeptFor);
  });
});

test("the uptime report of a period with a name is one as page, JSON and CSV, whose links stay with the name", async () => {
  const { get } = await operatorScene();
  const page = (await (await get("/uptime?period=7d&label=team:data")).text()).replaceAll(
    /\s+/g,
    " ",
  );
  expect(page).toContain("16 to 22 November 2026: team:data");
  expect(page).toContain('<option value="7d" selected>Last 7 days</option>');
  expect(page).toContain(
    'href="/uptime?period=7d&amp;label=team%3Adata" aria-label="Last 7 days" aria-current="true"',
  );
  expect(page).toContain('href="/uptime.csv?period=7d&amp;label=team%3Adata"');
  const document = JSON.parse(await (await get("/uptime.json?period=last-quarter")).text());
  expect(document).toMatchObject({
    month: null,
    from: "2026-07-01T00:00:00.000Z",
    to: "2026-10-01T00:00:00.000Z",
    compared_with: "2026-04-01/2026-06-30",
  });
  const year = await get("/uptime.csv?period=this-year");
  expect(year.headers.get("content-disposition")).toContain("uptime-2026-01-01-to-2026-12-31.csv");
  // What is chosen in the form counts more than a month or days of the address.
  const chosen = await (await get("/uptime?period=2026-10&month=2026-11&from=2026-11-01")).text();
  expect(chosen).toContain("October 2026: all monitors");
  const refused = await get("/uptime.json?period=8d");
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("Or it is one of 7d, 30d, 90d, this-quarter"),
  ]);
});
