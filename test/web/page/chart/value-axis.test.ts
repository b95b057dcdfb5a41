import { expect, test } from "vitest";
import { valueAxis } from "#web/page/chart/value-axis";
import { millis } from "#base/units";

test("the words of the middle of an axis are left out on a phone, and those of the top are not", () => {
  const words = [...valueAxis(millis(500), 14, 100).text.matchAll(/<text([^>]*)>([^<]+)</g)];
  expect(
    words.map(([, attributes = "", label]) => [label, attributes.includes("between")]),
  ).toEqual([
    ["500 ms", false],
    ["250 ms", true],
  ]);
});
