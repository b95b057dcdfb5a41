import { describe, expect, test } from "vitest";
import { changeFigure, changeWords, uptimeChange } from "#service/operator/reports/uptime-change";
import { periodBefore, monthOf } from "#service/operator/reports/report-period";
import { epochMillis, hours, millis, minutes } from "#base/units";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const time = (down: number) => ({ known: hours(30 * 24), down: minutes(down) });
const nothing = { known: millis(0), down: millis(0) };

describe("uptime that is compared with that of the month before", () => {
  test("differs by the figures that are shown", () => {
    // 99.93 % and 99.88 %, both rounded down.
    const change = uptimeChange({ ...time(30), before: time(50) });
    expect(change).toBe(5);
    const november = monthOf("2026-11", now);
    if (november === null) throw new Error("November has begun");
    expect([changeFigure(change), changeWords(change, november)]).toEqual([
      "+0.05",
      "0.05 points better than October",
    ]);
    expect(changeWords(-120, november)).toBe("1.20 points worse than October");
    expect([changeFigure(-120), changeFigure(0)]).toEqual(["−1.20", "0.00"]);
    expect(changeWords(0, november)).toBe("the same as October");
  });

  test("is not compared if nothing is known of one of them", () => {
    const november = monthOf("2026-11", now)!;
    for (const [one, before] of [
      [time(1), nothing],
      [nothing, time(1)],
    ] as const) {
      const change = uptimeChange({ ...one, before });
      expect([change, changeFigure(change), changeWords(change, november)]).toEqual([
        null,
        "–",
        "",
      ]);
    }
  });

  test("of January is compared with December", () => {
    expect(periodBefore(monthOf("2026-01", now)!)).toEqual({
      from: Date.parse("2025-12-01T00:00:00Z"),
      name: "2025-12",
      words: "December",
      short: "Dec",
    });
  });
});
