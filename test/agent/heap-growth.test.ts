import { expect, test } from "vitest";
import { fitHeapGrowth } from "#agent/heap-growth";
import * as limits from "#limits/process-limits";
import { imageStart } from "../../packaging/image-start.ts";
import { FakeClock } from "../support/fake-clock.ts";

test("heaps grow as V8 has them while the process is small, and are kept small while it is large, until the agent ends", async () => {
  const clock = new FakeClock();
  const favored: string[] = [];
  let resident: number = limits.heapsGrowBelow - 1;
  const fitting = fitHeapGrowth(clock, {
    resident: () => resident,
    favor: (what) => void favored.push(what),
  });
  await clock.advance(limits.programStartsWithin - 1);
  expect(favored).toEqual([]);
  await clock.advance(1);
  resident = limits.heapsGrowBelow;
  await clock.advance(limits.heapsLookedAtEvery);
  resident = limits.heapsGrowBelow - 1;
  await clock.advance(limits.heapsLookedAtEvery);
  expect(favored).toEqual(["speed", "size", "speed"]);
  fitting[Symbol.dispose]();
  await clock.advance(limits.heapsLookedAtEvery);
  expect([favored.length, clock.sleeping]).toEqual([3, 0]);
});

test("the image starts with heaps that are kept small; without that flag they are V8's own affair", () => {
  expect(imageStart().flags).toContain("--optimize-for-size");
  const clock = new FakeClock();
  using _ = fitHeapGrowth(clock);
  expect(clock.sleeping).toBe(0);
});
