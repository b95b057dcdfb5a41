import { expect, test } from "vitest";
import { uptimeShare } from "#check/uptime-share";

const day = 86_400_000;

test.each<readonly [string, number, number, number | null]>([
  ["nothing is known", 0, 0, null],
  ["all was up", day, 0, 10_000],
  ["a moment of ninety days is down: never 100 %", 90 * day, 1, 9_999],
  ["half of it was down", day, day / 2, 5_000],
  ["all of it was down", day, day, 0],
  ["more is down than is known", day, 2 * day, 0],
  ["it is rounded down", day, day * 0.000_49, 9_995],
  ["a tenth of a percent is exactly that", 10_000, 10, 9_990],
])("uptime is a share of the known time: %s", (_what, known, down, share) => {
  expect(uptimeShare(known, down)).toBe(share);
});

test("a whole number of hundredths is not rounded down by the arithmetic of computers", () => {
  const wrong = Array.from({ length: 10_001 }, (_, down) => down).filter(
    (down) => uptimeShare(10_000, down) !== 10_000 - down,
  );
  expect(wrong).toEqual([]);
});
