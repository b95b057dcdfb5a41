import { expect, test } from "vitest";
import { peerClock } from "#base/peer-clock";
import { millis } from "#base/units";
import { FakeClock } from "../support/fake-clock.ts";

test("a wait for a peer is as long as asked for, and of the time for which the process was stopped only a piece counts", async () => {
  const clock = new FakeClock();
  const over: string[] = [];
  const wait = (name: string): void =>
    void peerClock(clock)
      .sleep(millis(10_005))
      .then(() => over.push(name));
  wait("one");
  await clock.advance(10_004);
  expect(over).toEqual([]);
  await clock.advance(1);
  expect(over).toEqual(["one"]);
  wait("other");
  clock.suspend(60_000);
  await clock.advance(9_000);
  expect(over).toEqual(["one"]);
  await clock.advance(5);
  expect(over).toEqual(["one", "other"]);
});

test("a wait for a peer ends when its signal aborts, also between two pieces", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  let isOver = false;
  void peerClock(clock)
    .sleep(millis(10_000), stop.signal)
    .then(() => (isOver = true));
  await clock.advance(2_500);
  stop.abort();
  await clock.advance(0);
  expect([isOver, clock.sleeping]).toEqual([true, 0]);
});
