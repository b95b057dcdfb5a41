import { expect, test } from "vitest";
import * as checkLimits from "#limits/check-limits";
import { slugFromTitle } from "#service/status-page/slug-from-title";

test.each([
  ["Acme Shop", "acme-shop"],
  ["  Acme & Sons: status!  ", "acme-sons-status"],
  ["Größe Łódź Ærø", "groesse-lodz-aero"],
  ["Café №1", "cafe-no1"],
  ["Статус", ""],
  ["–", ""],
])("the title %s gives the name %s", (title, slug) => {
  expect(slugFromTitle(title)).toBe(slug);
});

test("a long title gives a name that is short enough and ends with no hyphen", () => {
  const long = `${"a".repeat(checkLimits.nameCharsMax - 1)} b`;
  expect(slugFromTitle(long)).toBe("a".repeat(checkLimits.nameCharsMax - 1));
});
