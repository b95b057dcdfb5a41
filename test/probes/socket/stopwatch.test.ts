import { describe, expect, test } from "vitest";
import type { Mark, Marker } from "#probes/socket/marker";
import { Stopwatch } from "#probes/socket/stopwatch";
import { millis, nanos, type Nanos } from "#base/units";
import { FakeClock } from "../../support/fake-clock.ts";
import { sumOf } from "../../support/probing.ts";

const attend = (): Disposable => ({ [Symbol.dispose]: () => {} });

/** Marks that nothing can have delayed. */
function markerOver(clock: FakeClock, paused: () => Nanos = () => nanos(0)): Marker {
  const now = (): Mark => ({ at: clock.monotonic(), errorBar: nanos(0) });
  return {
    acted: now,
    observed: now,
    since: now,
    paused,
    attend,
    absentSince: () => nanos(0),
    machineSlept: () => millis(0),
  };
}

test("phases touch: entering one ends the one before, and their sum is the total", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("dns");
  await clock.advance(10);
  stopwatch.enter("connect");
  await clock.advance(5);
  stopwatch.enter("wait");
  await clock.advance(20);
  stopwatch.stop();
  await clock.advance(100);
  expect(stopwatch.phases).toEqual({
    dns: 10e6,
    connect: 5e6,
    proxy: null,
    tls: null,
    write: null,
    wait: 20e6,
    receive: null,
  });
  expect(stopwatch.total).toBe(35e6);
  expect(sumOf(stopwatch.phases)).toBe(stopwatch.total);
});

test("a stopwatch that stands still reads no clock", () => {
  const clock = new FakeClock();
  let marks = 0;
  const marker = markerOver(clock);
  const acted = (): Mark => {
    marks += 1;
    return marker.acted();
  };
  const stopwatch = new Stopwatch(clock, { ...marker, acted });
  stopwatch.enter("connect");
  stopwatch.stop();
  const before = marks;
  stopwatch.lap();
  stopwatch.stop();
  expect(marks).toBe(before);
});

test("a mark may lie in the past, but never before the one before it", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("connect");
  await clock.advance(10);
  const connectedAt = clock.monotonic();
  await clock.advance(3);
  stopwatch.enter("tls", { at: connectedAt, errorBar: nanos(0) });
  stopwatch.enter("write", { at: nanos(0), errorBar: nanos(0) });
  stopwatch.stop();
  expect(stopwatch.phases).toMatchObject({ connect: 10e6, tls: 0, write: 3e6 });
});

test("laps divide the whole among hops, and the time between two laps is not lost", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("connect");
  await clock.advance(4);
  const first = stopwatch.lap();
  await clock.advance(1);
  stopwatch.enter("connect");
  await clock.advance(6);
  const second = stopwatch.lap();
  expect(first.phases.connect).toBe(4e6);
  expect(second.phases.connect).toBe(7e6);
  expect(stopwatch.phases.connect).toBe(11e6);
  expect(stopwatch.total).toBe(11e6);
});

test("a lap begins when the attempt does, or when the lap before ended, whatever is done to the wall clock", async () => {
  const clock = new FakeClock(1_000);
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  await clock.advance(50);
  stopwatch.enter("dns");
  await clock.advance(4);
  clock.stepWall(-3_600_000);
  expect(stopwatch.lap().startedAt).toBe(stopwatch.startedAt);
  stopwatch.enter("connect");
  await clock.advance(6);
  expect(stopwatch.lap().startedAt).toBe(stopwatch.startedAt + 4);
});

test("a step of the wall clock does not change a duration", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("wait");
  await clock.advance(5);
  clock.stepWall(-3_600_000);
  stopwatch.stop();
  expect(stopwatch.total).toBe(5e6);
});

test("what is prepared before the first phase does not count", async () => {
  const clock = new FakeClock(1_000);
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  await clock.advance(50);
  stopwatch.enter("connect");
  await clock.advance(2);
  stopwatch.stop();
  expect(stopwatch.total).toBe(2e6);
  expect(stopwatch.startedAt).toBe(1_050);
});

test("the error bar is that of the mark that may be the latest", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("connect", { at: clock.monotonic(), errorBar: nanos(10) });
  expect(stopwatch.errorBar).toBe(10);
  await clock.advance(1);
  stopwatch.enter("wait", { at: clock.monotonic(), errorBar: nanos(200) });
  await clock.advance(1);
  stopwatch.stop({ at: clock.monotonic(), errorBar: nanos(50) });
  stopwatch.stop({ at: clock.monotonic(), errorBar: nanos(9_000) });
  expect(stopwatch.errorBar).toBe(200);
});

test("nothing can be later than since the mark before it", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("write", { at: clock.monotonic(), errorBar: nanos(30) });
  await clock.advance(2);
  stopwatch.enter("wait", { at: clock.monotonic(), errorBar: nanos(90e6) });
  expect(stopwatch.errorBar).toBe(2e6 + 30);
});

test("what the process was paused for may lie in any phase, but not before the first", async () => {
  const clock = new FakeClock();
  let paused = 5e9;
  const stopwatch = new Stopwatch(
    clock,
    markerOver(clock, () => nanos(paused)),
  );
  stopwatch.enter("wait");
  await clock.advance(20);
  paused += 15e6;
  stopwatch.stop();
  expect(stopwatch.errorBar).toBe(15e6);
  paused += 1e9;
  expect(stopwatch.errorBar).toBe(15e6);
});

test("our own work is in no phase: it and the phases sum to the total", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  const after = async (time: number): Promise<Nanos> => {
    await clock.advance(time);
    return clock.monotonic();
  };
  expect(stopwatch.own).toBeNull();
  stopwatch.enter("connect");
  const connected = await after(10);
  stopwatch.enter("tls");
  stopwatch.ownWork(connected, await after(3));
  const flight = await after(20);
  stopwatch.ownWork(flight, await after(2));
  stopwatch.enter("write");
  const finished = clock.monotonic();
  const sent = await after(4);
  stopwatch.enter("wait");
  // It is known late, when the next phase runs: what the kernel said counts, and not when it said so.
  await after(30);
  stopwatch.stop();
  expect(stopwatch.phases).toMatchObject({ connect: 10e6, tls: 20e6, write: 4e6, wait: 30e6 });
  stopwatch.ownWork(finished, sent);
  expect(stopwatch.phases).toMatchObject({ connect: 10e6, tls: 20e6, write: 0, wait: 30e6 });
  expect(stopwatch.own).toBe(9e6);
  expect(sumOf(stopwatch.phases) + (stopwatch.own ?? 0)).toBe(stopwatch.total);
});

test("the time between an answer and the next phase, or between two laps, is our own work if that is known", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("dns");
  await clock.advance(5);
  stopwatch.came({ at: clock.monotonic(), errorBar: nanos(700) });
  await clock.advance(2);
  stopwatch.enter("connect");
  await clock.advance(3);
  expect(stopwatch.phases).toMatchObject({ dns: 7e6 });
  expect([stopwatch.own, stopwatch.errorBar]).toEqual([null, 0]);
  stopwatch.ownWork(clock.monotonic(), clock.monotonic());
  const first = stopwatch.lap();
  await clock.advance(4);
  stopwatch.enter("connect");
  await clock.advance(6);
  const second = stopwatch.lap();
  expect(first.phases).toMatchObject({ dns: 5e6, connect: 3e6 });
  expect(second.phases).toMatchObject({ connect: 6e6 });
  expect(stopwatch.times).toMatchObject({ total: 20e6, own: 6e6, errorBar: 700 });
});

test("what we send while the peer answers is not our time, and no time is ours twice", async () => {
  const clock = new FakeClock();
  const stopwatch = new Stopwatch(clock, markerOver(clock));
  stopwatch.enter("write");
  const begun = clock.monotonic();
  await clock.advance(4);
  const sent = clock.monotonic();
  stopwatch.ownWork(begun, sent);
  stopwatch.ownWork(begun, sent);
  stopwatch.enter("wait");
  await clock.advance(5);
  stopwatch.ownWork(sent, clock.monotonic());
  stopwatch.stop();
  expect(stopwatch.phases).toMatchObject({ write: 0, wait: 5e6 });
  expect(stopwatch.own).toBe(4e6);
});

describe("two marks that are off together", () => {
  const shift = { errorBar: nanos(1_900) };
  const syn = { errorBar: nanos(2_000), shift };

  /** A SYN and its answer; `before` is what else is measured before them. */
  async function connecting(
    before: (stopwatch: Stopwatch) => void = () => {},
  ): Promise<{ readonly stopwatch: Stopwatch; readonly clock: FakeClock; readonly answer: Mark }> {
    const clock = new FakeClock();
    const stopwatch = new Stopwatch(clock, markerOver(clock));
    before(stopwatch);
    await clock.advance(1);
    stopwatch.enter("connect", { ...syn, at: clock.monotonic() });
    await clock.advance(1);
    return { stopwatch, clock, answer: { ...syn, at: clock.monotonic() } };
  }

  test("leave the time between them as it is", async () => {
    const { stopwatch, answer } = await connecting();
    stopwatch.stop(answer);
    expect(stopwatch.times).toMatchObject({ total: 1e6, errorBar: 100, ownErrorBar: 0 });
  });

  test("make our own work uncertain that follows, and no phase", async () => {
    const { stopwatch, clock, answer } = await connecting();
    stopwatch.enter("write", answer);
    await clock.advance(1);
    const left = { at: clock.monotonic(), errorBar: nanos(0) };
    stopwatch.ownWork(answer.at, left.at);
    stopwatch.enter("wait", left);
    stopwatch.stop();
    expect(stopwatch.times).toMatchObject({ own: 1e6, errorBar: 100, ownErrorBar: 1_900 });
  });

  test("make the phase uncertain that follows if that is not our own work", async () => {
    const { stopwatch, answer } = await connecting();
    stopwatch.enter("write", answer);
    stopwatch.stop();
    expect(stopwatch.times).toMatchObject({ errorBar: 1_900, ownErrorBar: 0 });
  });

  test("make the phase uncertain that ends with the first of them", async () => {
    const { stopwatch, answer } = await connecting((watch) => watch.enter("dns"));
    stopwatch.stop(answer);
    expect(stopwatch.times).toMatchObject({ errorBar: 1_900, ownErrorBar: 0 });
  });

  test("make our own work uncertain that ends with the first of them", async () => {
    const { stopwatch, clock, answer } = await connecting((watch) => {
      watch.enter("dns");
      watch.came({ at: nanos(0), errorBar: nanos(0) });
    });
    stopwatch.enter("write", answer);
    stopwatch.ownWork(answer.at, clock.monotonic());
    stopwatch.stop();
    expect(stopwatch.times).toMatchObject({ own: 1e6, errorBar: 1_900, ownErrorBar: 1_900 });
  });

  test("count if only the first of them came", async () => {
    const { stopwatch } = await connecting();
    stopwatch.stop();
    expect(stopwatch.times).toMatchObject({ errorBar: 1_900, ownErrorBar: 0 });
  });
});
