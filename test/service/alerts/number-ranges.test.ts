import { expect, test } from "vitest";
import { numberRanges, numbersInRanges } from "#service/alerts/number-ranges";

test("numbers that follow each other are one range, and are read back", () => {
  const numbers = [7, 1, 2, 3, 9, 8];
  expect(numberRanges(numbers)).toBe("1-3 7-9");
  expect(numbersInRanges("1-3 7-9", 6)).toEqual([1, 2, 3, 7, 8, 9]);
  expect(numberRanges([4])).toBe("4");
});

test.each(["", "a", "3-1", "1-", "-1", "1  2", "1,2", "1-7", "1-3 5-8", "1-999999999999999"])(
  "%o is not read as six numbers at most",
  (text) => expect(numbersInRanges(text, 6)).toBeNull(),
);
