import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type Watcher, Watchers } from "#probes/raw/watchers";

const watcher = (): Watcher => () => {};

test("a change is for the watcher of its number alone, until that one leaves", () => {
  const watchers = new Watchers();
  const [first, second] = [watcher(), watcher()];
  const [one, other] = [watchers.add(first), watchers.add(second)];
  expect([watchers.size, watchers.get(one), watchers.get(other)]).toEqual([2, first, second]);
  watchers.delete(one);
  watchers.delete(one);
  expect([watchers.size, watchers.get(one), watchers.get(other)]).toEqual([1, null, second]);
  watchers.clear();
  expect([watchers.size, watchers.get(one), watchers.get(other)]).toEqual([0, null, null]);
});

test("a number comes again only after a quarter of a million others, and is never 0 or less, nor too large for the kernel", () => {
  const watchers = new Watchers();
  const stays = watchers.add(watcher());
  const seen = new Set<number>();
  for (let n = 0; n < 2 ** 18 - 2; n += 1) {
    const id = watchers.add(watcher());
    watchers.delete(id);
    seen.add(id);
  }
  expect([seen.size, seen.has(stays)]).toEqual([2 ** 18 - 2, false]);
  expect([
    Math.min(...Array.from(seen).slice(0, 9)) > 0,
    seen.values().every((id) => id < 2 ** 32),
  ]).toEqual([true, true]);
  const again = watchers.add(watcher());
  expect([again > 0 && again < 2 ** 32, watchers.get(again) === null]).toEqual([true, false]);
});

test("checks that ran together do not outlive each other, although only young objects are collected", () => {
  const module = new URL("../../../src/probes/raw/watchers.ts", import.meta.url).href;
  // A hundred times, eight checks of 16 kB are caught by a collection while they run: in a Map, most of them stay.
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { Watchers } from ${JSON.stringify(module)};
    const old = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "old_space").space_used_size;
    const watchers = new Watchers();
    const check = () => {
      let list = null;
      for (let n = 0; n < 500; n += 1) list = { next: list, n };
      return list;
    };
    const watching = (one) => watchers.add(() => one);
    const round = () => {
      const ids = Array.from({ length: 8 }, () => watching(check()));
      gc({ type: "minor" });
      for (const id of ids) watchers.delete(id);
      gc({ type: "minor" });
    };
    for (let n = 0; n < 20; n += 1) round();
    gc();
    const before = old();
    for (let n = 0; n < 100; n += 1) round();
    const kept = old() - before;
    console.log(kept < 1e6 ? "less than 1 MB" : kept);`;
  const young = ["--min-semi-space-size=8", "--max-semi-space-size=8", "--no-parallel-scavenge"];
  const flags = ["--expose-gc", "--no-allocation-site-pretenuring", ...young];
  const words = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program];
  const said = execFileSync(process.execPath, [...flags, ...words], { encoding: "utf8" });
  expect(said).toBe("less than 1 MB\n");
});
