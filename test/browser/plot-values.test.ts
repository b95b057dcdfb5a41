import { expect, test } from "vitest";
import { hasValue, loneValues } from "#browser/plot-values";

test("a value with a gap on both sides is alone, so that it is drawn as a point", () => {
  expect(loneValues([5])).toEqual([0]);
  expect(loneValues([5, null, 5, 5, null, null, 7])).toEqual([0, 6]);
  expect(loneValues([5, 5, 5])).toEqual([]);
  expect(loneValues([null, null])).toEqual([]);
});

test("failures alone have no value", () => {
  expect(hasValue([{ values: [null, null] }])).toBe(false);
  expect(hasValue([{ values: [null] }, { values: [null, 0] }])).toBe(true);
});
