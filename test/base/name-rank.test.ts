import { expect, test } from "vitest";
import { bestNamed, nameRank } from "#base/name-rank";

const ranked = [
  ["Shop  D", "shop d", 0],
  ["shop db", "shop d", 1],
  ["my shop, new data", "shop d", 2],
  ["new shop-data", "shop d", 2],
  ["DNS shop", "shop d", 3],
  ["workshop and", "shop d", 4],
  ["Müller & Söhne", "muller", 1],
  ["Müller & Söhne", "sohne muller", 3],
  ["db.test:5432", "5432", 2],
  ["mail", "shop", 5],
] as const;

test.each(ranked)("%j is named by %j with rank %i", (...one) => {
  const [name, typed, rank] = one;
  expect(nameRank(name, typed)).toBe(rank);
});

test("what a text names best is first, and what it names equally well stays in its order", () => {
  const all = ["DNS shop", "workshop d", "shop db", "shop data", "shop d"].map((name) => ({
    name,
  }));
  expect(bestNamed(all, "shop d").map(({ name }) => name)).toEqual([
    "shop d",
    "shop db",
    "shop data",
    "DNS shop",
    "workshop d",
  ]);
});
