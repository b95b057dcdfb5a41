import fc from "fast-check";
import { expect, test } from "vitest";
import { halfDown } from "#service/store/half-down";

test.each<readonly [string, number, readonly number[], number]>([
  ["no location", 0, [], 0],
  ["one that was not down", 1, [], 0],
  ["one", 1, [7], 7],
  ["two, of which one alone was down: half of them are enough", 2, [7], 7],
  ["two: as long as the one that was down for longer", 2, [7, 9], 9],
  ["three, of which one alone was down", 3, [9], 0],
  ["three, of which two were down", 3, [9, 2], 2],
  ["four, of which two were down", 4, [2, 9], 2],
])("a monitor with locations was down as half of them say: %s", (_what, places, downs, down) => {
  expect(halfDown(places, downs)).toBe(down);
});

test("a monitor was down for as long as at least half of its locations saw, whatever their order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(86_400_000), { minLength: 1, maxLength: 7 }), (all) => {
      const down = halfDown(
        all.length,
        all.filter((one) => one > 0),
      );
      expect(all.filter((one) => one >= down).length).toBeGreaterThanOrEqual(all.length / 2);
      expect(all.filter((one) => one > down).length).toBeLessThan(all.length / 2);
    }),
  );
});
