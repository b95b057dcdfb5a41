import { expect, test } from "vitest";
import { startProcessFigures } from "#agent/process-figures";
import { systemClock } from "#base/clock";
import * as limits from "#limits/agent-limits";
import { MetricStore } from "#metrics/metric-store";
import { millis } from "#base/units";

test("the delay of the event loop is what it was late by, since the last look alone", async () => {
  using figures = startProcessFigures();
  const store = new MetricStore(systemClock);
  const scope = store.scope("", {});
  const maxSeen = (): number => {
    figures.observe(scope);
    const [most] = scope.series("nodejs.eventloop.delay.max");
    return most?.value ?? Number.NaN;
  };
  // The runtime samples by a timer of its own that gives no event: what it measures is the time that passes here.
  const someSamples = (): Promise<void> => systemClock.sleep(millis(3 * limits.eventLoopLookEvery));
  await someSamples();
  const until = Date.now() + 2 * limits.eventLoopLookEvery;
  while (Date.now() < until);
  await someSamples();
  const busy = maxSeen();
  expect(busy).toBeGreaterThan((0.8 * limits.eventLoopLookEvery) / 1e3);
  // A busy machine may delay a look as much again, but not every one.
  await expect.poll(() => someSamples().then(maxSeen)).toBeLessThan(busy);
  expect([...store.byInstrument().keys()]).toEqual(
    expect.arrayContaining(["process.memory.usage", "process.cpu.time"]),
  );
});
