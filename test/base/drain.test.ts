import { expect, test } from "vitest";
import { Drain } from "#base/drain";
import { seconds } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";

test("what is under way has so long after the stop, and no end before it", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  using drain = new Drain(stop.signal, seconds(15), clock);
  await clock.advance(60_000);
  expect(drain.signal.aborted).toBe(false);
  stop.abort();
  await clock.advance(14_999);
  expect(drain.signal.aborted).toBe(false);
  await clock.advance(1);
  expect(drain.signal.aborted).toBe(true);
});

test("what has ended in time is waited for no longer, and what is abandoned is cut off at once", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  const drain = new Drain(stop.signal, seconds(15), clock);
  stop.abort();
  await clock.advance(0);
  expect(clock.sleeping).toBe(1);
  drain[Symbol.dispose]();
  await clock.advance(60_000);
  expect([clock.sleeping, drain.signal.aborted]).toEqual([0, false]);
  using other = new Drain(new AbortController().signal, seconds(15), clock);
  other.cutOff();
  expect(other.signal.aborted).toBe(true);
});
