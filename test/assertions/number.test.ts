import { expect, test } from "vitest";
import { holdsForNumber } from "#assertions/number";

test.each([
  ["eq", [false, true, false]],
  ["neq", [true, false, true]],
  ["gt", [false, false, true]],
  ["gte", [false, true, true]],
  ["lt", [true, false, false]],
  ["lte", [true, true, false]],
] as const)("%s judges below, equal and above", (comparator, expected) => {
  expect([199, 200, 201].map((received) => holdsForNumber(comparator, received, 200))).toEqual(
    expected,
  );
});
