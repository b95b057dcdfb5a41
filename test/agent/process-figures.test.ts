import { expect, test } from "vitest";
import { startProcessFigures } from "#agent/process-figures";
import { systemClock } from "#clock";
import * as limits from "#limits";
import { MetricStore } from "#metrics/store";
import { millis } from "#units";

test("the delay of the event loop is what it was late by, since the last look alone", async () => {
  using figures = startProcessFigures();
  const scope = new MetricStore(systemClock).scope("", {});
  const maxSeen = (): number => {
    figures.observe(scope);
    const all = [...scope.series()];
    return (
      all.find(({ instrument }) => instrument === "nodejs.eventloop.delay.max")?.value ?? Number.NaN
    );
  };
  // The runtime samples by its own timer, and counts from its first sample on: it has to have had one.
  await systemClock.sleep(millis(2 * limits.eventLoopLookEvery));
  const until = Date.now() + 400;
  while (Date.now() < until);
  const some = { interval: 4 * limits.eventLoopLookEvery, timeout: 10_000 };
  await expect.poll(maxSeen, some).toBeGreaterThan(0.25);
  // A look that is quiet is below the pause between two samples, which the runtime would add to it.
  await expect.poll(maxSeen, some).toBeLessThan(limits.eventLoopLookEvery / 1e3);
  const told = [...scope.series()].map(({ instrument }) => instrument);
  expect(told).toEqual(expect.arrayContaining(["process.memory.usage", "process.cpu.time"]));
});
