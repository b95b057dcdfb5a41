import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { startProcessFigures } from "#agent/process-figures";
import { systemClock } from "#clock";
import { MetricStore } from "#metrics/store";

test("the delay of the event loop is what it was late by, and of the last look alone", async () => {
  using figures = startProcessFigures();
  const scope = new MetricStore(systemClock).scope("", {});
  const maxSeen = (): number => {
    figures.observe(scope);
    const found = [...scope.series()].find(
      ({ instrument }) => instrument === "nodejs.eventloop.delay.max",
    );
    return found?.value ?? Number.NaN;
  };
  await pause(120);
  const until = Date.now() + 400;
  while (Date.now() < until);
  await pause(120);
  const busy = maxSeen();
  expect(busy).toBeGreaterThan(0.25);
  expect(busy).toBeLessThan(2);
  // A quiet loop is late by less than the busy one was: the figure is of this time, and without the sampling's own pause.
  await pause(200);
  expect(maxSeen()).toBeLessThan(busy);
  const told = new Set([...scope.series()].map(({ instrument }) => instrument));
  expect(told).toContain("process.memory.usage");
  expect(told).toContain("process.cpu.time");
});
