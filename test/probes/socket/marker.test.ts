import { expect, test } from "vitest";
import { systemClock } from "#base/clock";
import { loopMarker } from "#probes/socket/marker";
import { nanos, type Nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";

/** A loop whose sleep and queueing a test decides, on a clock that it moves. */
class ToldLoop {
  readonly clock = new FakeClock();
  #slept = 0;
  #queued = 0;

  /** A thread that has work waits for its processor before it goes on. */
  async workLate(duration: number): Promise<void> {
    this.#queued += duration * 1e6;
    await this.work(duration);
  }

  async sleep(duration: number): Promise<void> {
    this.#slept += duration * 1e6;
    await this.clock.advance(duration);
  }

  async work(duration: number): Promise<void> {
    await this.clock.advance(duration);
  }

  /** It comes to nothing meanwhile. */
  async away(duration: number): Promise<void> {
    this.clock.suspend(duration);
    await this.clock.advance(0);
  }

  /** The scheduler of the system lets the thread wait when it wakes: the loop takes that for sleep. */
  async wakeLate(duration: number): Promise<void> {
    this.#queued += duration * 1e6;
    await this.sleep(duration);
  }

  readonly times = {
    slept: (): Nanos => nanos(this.#slept),
    queued: (): Nanos => nanos(this.#queued),
  };
}

test("what we do ourselves is when we do it", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.work(7);
  expect(marker.acted()).toEqual({ at: 7e6, errorBar: 0 });
});

test("an event that ended a sleep is late by the work between, however long the sleep was", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  marker.acted();
  await loop.work(1);
  await loop.sleep(500);
  await loop.work(2);
  expect(marker.observed()).toEqual({ at: 503e6, errorBar: 3e6 });
});

test("later events of the same turn are late by what was done for the earlier ones", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.sleep(10);
  expect(marker.observed().errorBar).toBe(0);
  await loop.work(4);
  expect(marker.observed().errorBar).toBe(4e6);
  await loop.work(1);
  expect(marker.observed().errorBar).toBe(5e6);
});

test("work before an instant that lies before the last sleep no longer counts", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.work(80);
  marker.acted();
  await loop.sleep(10);
  await loop.work(1);
  expect(marker.observed().errorBar).toBe(1e6);
});

test("a loop that has not slept may have been deaf all the time", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  marker.acted();
  await loop.work(30);
  marker.acted();
  await loop.work(30);
  expect(marker.observed().errorBar).toBe(60e6);
});

test("the time that the thread waited for a processor is added", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.sleep(10);
  await loop.wakeLate(6);
  await loop.work(1);
  expect(marker.observed().errorBar).toBe(7e6);
});

test("the thread's own figures cover a loop that was blocked", async () => {
  const marker = loopMarker(systemClock);
  marker.acted();
  const blockedUntil = performance.now() + 30;
  const told = Promise.withResolvers<number>();
  setImmediate(() => told.resolve(marker.observed().errorBar));
  while (performance.now() < blockedUntil);
  expect(await told.promise).toBeGreaterThan(29e6);
});

test("a pause is seen behind a turn that waited longer for its processor, also if that turn began before the check", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.workLate(3_000);
  const attention = marker.attend();
  await loop.workLate(100);
  await loop.sleep(1_200);
  expect(marker.paused()).toBe(1_200e6);
  attention[Symbol.dispose]();
});

test("a sleep that outlasts the beat while it is watched was a pause, whole as it was", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  await loop.sleep(3_000);
  expect(marker.paused()).toBe(0);
  const attention = marker.attend();
  await loop.sleep(40);
  expect(marker.paused()).toBe(0);
  await loop.sleep(1_200);
  expect(marker.paused()).toBe(1_200e6);
  attention[Symbol.dispose]();
  await loop.sleep(3_000);
  expect(marker.paused()).toBe(1_200e6);
});

test("the longest time in which a thread did nothing is known since any instant, work, wait or stop alike", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  const begun = marker.acted().at;
  expect(marker.absentSince(begun)).toBe(0);
  using _attention = marker.attend();
  // Only what outlasts the beat that is due after 50 ms is absence.
  await loop.away(750);
  await loop.away(350);
  expect(marker.absentSince(begun)).toBe(700e6);
  const later = marker.acted().at;
  expect(marker.absentSince(later)).toBe(0);
  await loop.away(250);
  expect(marker.absentSince(later)).toBe(200e6);
  expect(marker.absentSince(begun)).toBe(700e6);
});

test("neither work nor the wait for a processor is a pause", async () => {
  const loop = new ToldLoop();
  const marker = loopMarker(loop.clock, loop.times);
  const attention = marker.attend();
  await loop.work(500);
  await loop.wakeLate(400);
  expect(marker.paused()).toBe(0);
  attention[Symbol.dispose]();
});
