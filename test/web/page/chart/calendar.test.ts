import { describe, expect, test } from "vitest";
import { type Day, meanDays, uptimeOf } from "#web/page/chart/calendar";
import { epochMillis, hours, minutes, millis } from "#base/units";

const dayOf = (begin: number, down: number): Day => ({
  begin: epochMillis(begin),
  known: hours(24),
  down: minutes(down),
  checks: 100,
  slow: 0,
});

describe("the days of several monitors", () => {
  test("are the mean of them, so that their uptime is that of all", () => {
    const [one, other] = [
      [dayOf(0, 0), dayOf(1, 60)],
      [dayOf(0, 0), dayOf(1, 30)],
    ];
    const mean = meanDays([one, other].map((days) => days ?? []));
    expect(mean.map(({ begin, down }) => [begin, down])).toEqual([
      [0, 0],
      [1, minutes(45)],
    ]);
    expect(mean[1]?.checks).toBe(100);
    expect(uptimeOf(mean)).toBe(uptimeOf([...(one ?? []), ...(other ?? [])]));
  });

  test("are none of none, and count a monitor without days as unseen", () => {
    expect(meanDays([])).toEqual([]);
    expect(meanDays([[dayOf(0, 10)], []])[0]?.known).toBe(millis(hours(12)));
  });
});
