import { expect, test } from "vitest";
import { listAll } from "#cli/management/management";
import { managedListMax, pagesAskedAtOnce } from "#limits/cli-limits";

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

/** A list of a service that gives pages of at most so many, and what was asked of it. */
function listOf(all: readonly number[], { pageMax = 100, totalSize = all.length } = {}) {
  const asked: number[] = [];
  const seen = { underWay: 0, atOnce: 0 };
  const ask = async ({ limit, offset }: { readonly limit: number; readonly offset: number }) => {
    asked.push(offset);
    seen.underWay += 1;
    seen.atOnce = Math.max(seen.atOnce, seen.underWay);
    await Promise.resolve();
    seen.underWay -= 1;
    return { items: all.slice(offset, offset + Math.min(limit, pageMax)), totalSize };
  };
  return { ask, asked, seen };
}

test("the pages of a long list are asked for side by side, each once, and come in their order", async () => {
  const all = numbers(1_234);
  const { ask, asked, seen } = listOf(all);
  expect(await listAll(ask)).toEqual(all);
  expect(asked).toEqual(numbers(13).map((page) => page * 100));
  expect(seen.atOnce).toBe(pagesAskedAtOnce);
});

test("a list of one page is asked for once, and so is one that has nothing", async () => {
  for (const count of [0, 7, 100]) {
    const { ask, asked } = listOf(numbers(count));
    expect(await listAll(ask)).toEqual(numbers(count));
    expect(asked).toEqual([0]);
  }
});

test("a service whose pages are smaller is asked until all is there, and each comes once", async () => {
  const { ask, asked } = listOf(numbers(230), { pageMax: 50 });
  expect(await listAll(ask)).toEqual(numbers(230));
  expect(asked).toEqual([0, 50, 100, 150, 200]);
});

test("what follows a page that has become shorter is asked for again", async () => {
  const { ask, asked } = listOf(numbers(400));
  const listed = await listAll(async (page) => {
    const { items, totalSize } = await ask(page);
    const isShort = page.offset === 100 && asked.length < 5;
    return { items: isShort ? items.slice(0, 60) : items, totalSize };
  });
  expect(listed).toEqual(numbers(400));
});

test("a service that promises more than it has, or has no end, is not asked without end", async () => {
  const short = listOf(numbers(250), { totalSize: 1_000_000 });
  expect(await listAll(short.ask)).toEqual(numbers(250));
  const endless = listOf(numbers(managedListMax * 2), { totalSize: managedListMax * 3 });
  const listed = await listAll(endless.ask);
  expect(listed.length).toBeLessThanOrEqual(managedListMax + pagesAskedAtOnce * 100);
});
