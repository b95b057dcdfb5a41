import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { percentOf, timeTicks } from "#web/page/chart/time-axis";
import { epochMillis } from "#base/units";

const noon = Date.parse("2026-11-12T12:00:00Z");
const labels = (from: number, length: number): readonly string[] =>
  timeTicks({ from: epochMillis(from), to: epochMillis(from + length) }).map(({ label }) => label);

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("a time axis", () => {
  test.each([
    [20_000, ["12:00:00", "12:00:05", "12:00:10", "12:00:15", "12:00:20"]],
    [10 * minute, ["12:00", "12:02", "12:04", "12:06", "12:08", "12:10"]],
    [hour, ["12:00", "12:10", "12:20", "12:30", "12:40", "12:50", "13:00"]],
    [day, ["12:00", "18:00", "13\u00a0Nov", "06:00", "12:00"]],
    [7 * day, ["13\u00a0Nov", "15\u00a0Nov", "17\u00a0Nov", "19\u00a0Nov"]],
    [90 * day, ["3\u00a0Dec", "2\u00a0Jan", "1\u00a0Feb"]],
  ])("of %i ms from noon has round instants", (length, expected) => {
    expect(labels(noon, length)).toEqual(expected);
  });

  test("has at most seven instants, each inside, in order, whatever the span is", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 400 * day }),
        (from, length) => {
          const span = { from: epochMillis(from), to: epochMillis(from + length) };
          const ticks = timeTicks(span);
          expect(ticks.length).toBeLessThanOrEqual(7);
          if (length > 5_000) expect(ticks.length).toBeGreaterThanOrEqual(1);
          expect(ticks.map(({ at }) => at)).toEqual(
            ticks.map(({ at }) => at).toSorted((a, b) => a - b),
          );
          for (const { at } of ticks) {
            expect(percentOf(at, span)).toBeGreaterThanOrEqual(0);
            expect(percentOf(at, span)).toBeLessThanOrEqual(100);
          }
        },
      ),
    );
  });
});
