import { expect, test } from "vitest";
import { differingWords } from "#service/operator/changes/differing-words";

test("two long texts that begin alike are shown from shortly before their first difference on", () => {
  const begins = "The database is moved to new disks, and reads may be slow ";
  expect(differingWords(`${begins}today`, `${begins}tomorrow`, 40)).toEqual([
    "…may be slow today",
    "…may be slow tomorrow",
  ]);
  expect(differingWords(begins, `${begins}today`, 40)[1]).toMatch(/^….*slow today$/);
});

test("two texts that differ at their beginnings stay as they are", () => {
  expect(differingWords("Shop", "Shops", 40)).toEqual(["Shop", "Shops"]);
  expect(differingWords("", "–", 40)).toEqual(["", "–"]);
});
