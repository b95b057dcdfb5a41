import { expect, test } from "vitest";
import { fitHeapGrowth } from "#agent/heap-growth";
import * as limits from "#limits/process-limits";
import { imageStart } from "../../packaging/image-start.ts";
import { FakeClock } from "../support/fake-clock.ts";

test("heaps grow as V8 has them while the process is small, and are kept small while it is larger, until the agent ends", async () => {
  const clock = new FakeClock();
  const fits: string[] = [];
  let resident: number = limits.heapsGrowBelow - 1;
  const fitting = fitHeapGrowth(clock, {
    resident: () => resident,
    fit: (size) => void fits.push(size),
  });
  await clock.advance(limits.programStartsWithin - 1);
  expect(fits).toEqual([]);
  await clock.advance(1);
  resident = limits.heapsGrowBelow;
  await clock.advance(limits.heapsLookedAtEvery);
  resident = limits.heapsGrowBelow - 1;
  await clock.advance(limits.heapsLookedAtEvery);
  expect(fits).toEqual(["small", "middle", "small"]);
  fitting[Symbol.dispose]();
  await clock.advance(limits.heapsLookedAtEvery);
  expect([fits.length, clock.sleeping]).toEqual([3, 0]);
});

test("an agent that becomes large while it starts has room within a second", async () => {
  const clock = new FakeClock();
  const fits: string[] = [];
  let resident: number = limits.heapsLargeFrom - 1;
  using _ = fitHeapGrowth(clock, {
    resident: () => resident,
    fit: (size) => void fits.push(size),
  });
  await clock.advance(1_500);
  expect(fits).toEqual([]);
  resident = limits.heapsLargeFrom;
  await clock.advance(limits.heapsLookedAtFirst);
  expect(fits).toEqual(["large"]);
});

test("the image starts with heaps that are kept small; without that flag they are V8's own affair", () => {
  expect(imageStart().flags).toContain("--optimize-for-size");
  const clock = new FakeClock();
  using _ = fitHeapGrowth(clock);
  expect(clock.sleeping).toBe(0);
});
