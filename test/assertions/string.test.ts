import { expect, test } from "vitest";
import { holdsForString } from "#assertions/string";

const cases = [
  // comparator, received, target, held
  ["contains", "all is ok", "ok", true],
  ["contains", "all is OK", "ok", false],
  ["contains", "", "", true],
  ["not_contains", "all is well", "ok", true],
  ["not_contains", "", "ok", true],
  ["not_contains", "ok", "ok", false],
  ["eq", "ok", "ok", true],
  ["eq", "ok ", "ok", false],
  ["neq", "", "ok", true],
  ["neq", "ok", "ok", false],
  ["empty", "", "ignored", true],
  ["empty", " ", "", false],
  ["not_empty", " ", "", true],
  ["not_empty", "", "", false],
  // Numbers compare as numbers: as text, "9" would be above "10".
  ["gt", "10", "9", true],
  ["gt", "9", "10", false],
  ["gte", "1e1", "10", true],
  ["lt", "-1.5", "0", true],
  ["lte", "0.30", ".3", true],
  // Anything else compares byte by byte of UTF-8.
  ["gt", "b", "a", true],
  ["gt", "10", "9 apples", false],
  ["lt", "", "a", true],
  ["lt", "0x10", "9", true],
  ["gte", "é", "z", true],
  ["lt", "\u{ffff}", "\u{10000}", true],
  ["lte", "same", "same", true],
] as const;

test.each(cases)("%s: %j against %j is %s", (comparator, received, target, held) => {
  expect(holdsForString(comparator, received, target)).toBe(held);
});
