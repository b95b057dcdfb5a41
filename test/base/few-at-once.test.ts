import { expect, test } from "vitest";
import { fewAtOnce } from "#base/few-at-once";

test("no more than a few are under way at once, and their results are in the order of the items", async () => {
  let underWay = 0;
  let most = 0;
  const found = await fewAtOnce([5, 1, 4, 2, 3], 2, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    underWay -= 1;
    return item * 10;
  });
  expect(found).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test("after a failure nothing more begins", async () => {
  const begun: number[] = [];
  const done = fewAtOnce([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error("the store is closed");
  });
  await expect(done).rejects.toThrow("the store is closed");
  expect(begun).toEqual([1, 2]);
});
